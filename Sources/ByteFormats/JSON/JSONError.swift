/// Why a text is no JSON.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The place of the first byte that does not fit, counted from 1.
    package let column: Int
    package let problem: String

    package var description: String { "column \(column): \(problem)" }
}
