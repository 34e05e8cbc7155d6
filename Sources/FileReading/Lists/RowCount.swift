import ObjectDecoding

/// How many rows there are, as far as it is known.
package struct RowCount: Hashable, Sendable {
    package var known: Int
    /// Whether there are no more.
    package var isComplete: Bool

    package init(_ known: Int, isComplete: Bool = true) {
        self.known = known
        self.isComplete = isComplete
    }
}

extension RowCount: CustomStringConvertible {
    /// `1,204`, or `1,204+` while there may be more.
    package var description: String {
        isComplete ? known.grouped : known.grouped + "+"
    }
}
