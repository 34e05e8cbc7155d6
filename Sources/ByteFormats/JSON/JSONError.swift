/// Why a text is not JSON.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The position of the first invalid byte, counted from 1.
    package let column: Int
    package let problem: String

    package var description: String { "column \(column): \(problem)" }
}
