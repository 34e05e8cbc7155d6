/// Why a line is not a scenario: the field, and its required form.
package struct ScenarioError: Error, Hashable {
    /// The path of the field: `steps[2].commits[0][1].key`. Empty for the line as a whole.
    private(set) var field = ""
    package let problem: String

    package init(_ problem: String) { self.problem = problem }

    package init(_ shape: String, insteadOf json: JSON) {
        problem = "should be \(shape), not \(json.kind)"
    }
}

extension ScenarioError: CustomStringConvertible {
    package var description: String { field.isEmpty ? "the scenario \(problem)" : "\(field) \(problem)" }
}

extension ScenarioError {
    /// Reads a value; prefixes an error with the field's name.
    package static func at<Value>(
        _ name: String, _ read: () throws(ScenarioError) -> Value
    ) throws(ScenarioError) -> Value {
        do {
            return try read()
        } catch {
            throw error.inside(name)
        }
    }

    package func inside(_ name: String) -> ScenarioError {
        var error = self
        error.field = field.isEmpty || field.hasPrefix("[") ? name + field : "\(name).\(field)"
        return error
    }
}
