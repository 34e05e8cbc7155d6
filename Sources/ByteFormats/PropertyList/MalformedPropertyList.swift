/// Why bytes are no property list, or not a whole one.
package struct MalformedPropertyList: Error, Hashable, CustomStringConvertible {
    /// What is wrong, to be put after "The property list is malformed: ".
    package let problem: String

    package init(_ problem: String) { self.problem = problem }

    package var description: String { "The property list is malformed: \(problem)." }
}
