/// Why bytes are not a complete property list.
package struct MalformedPropertyList: Error, Hashable, CustomStringConvertible {
    /// The problem, worded to follow "The property list is malformed: ".
    package let problem: String

    package init(_ problem: String) { self.problem = problem }

    package var description: String { "The property list is malformed: \(problem)." }
}
