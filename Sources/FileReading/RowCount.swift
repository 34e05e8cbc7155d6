import ObjectDecoding

/// The number of rows, as far as it is known.
package struct RowCount: Hashable, Sendable {
    package var known: Int
    /// Whether the count is final.
    package var isComplete: Bool

    package init(_ known: Int, isComplete: Bool = true) {
        self.known = known
        self.isComplete = isComplete
    }
}

extension RowCount: CustomStringConvertible {
    /// `1,204`, or `1,204+` while there may be more rows.
    package var description: String {
        isComplete ? known.grouped : known.grouped + "+"
    }
}
