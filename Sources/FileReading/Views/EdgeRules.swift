/// What becomes of the rows of an edge when one of them is deleted, as the edge's number says it.
package struct EdgeRules: Hashable, Sendable {
    package let number: Int64

    init(_ number: Int64) { self.number = number }

    /// The rules by their bits, as `YDB_NodeDeleteRules` has them.
    private static let names = [
        "notify if source deleted", "notify if destination deleted", "delete source if destination deleted",
        "delete destination if source deleted", "delete source if all destinations deleted",
        "delete destination if all sources deleted",
    ]

    /// Its rules in words; empty if nothing happens.
    package var words: [String] {
        Self.names.enumerated().filter { number & 1 << $0.offset != 0 }.map(\.element)
            + (number >> Self.names.count == 0 ? [] : ["unknown rule"])
    }
}
