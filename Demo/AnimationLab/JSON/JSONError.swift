/// Why a text is no JSON.
struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The place of the first byte that does not fit, counted from 1.
    let column: Int
    let problem: String

    var description: String { "column \(column): \(problem)" }
}
