/// The content of a view, its mappings, and what happens then: all input of a change-set, as data.
///
/// A failed property test prints a scenario, `yap lab --replay` runs one a line, the lab records and replays them.
package enum Scenario: Hashable, Sendable {
    /// Rows and commits, for a real database with a view.
    case database(DatabaseScenario)
    /// A view's log and counts, for the pure rules without a database.
    case log(LogScenario)
}

extension Scenario: ScenarioValue {
    package static let shape = "an object"

    /// Reads a scenario. A line of the vectors has it in a field, beside the original's answers.
    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        if let inner = fields["scenario"] {
            self = try ScenarioError.at("scenario") { () throws(ScenarioError) in try Scenario(json: inner) }
        } else if fields["log"] != nil {
            self = .log(try LogScenario(json: json))
        } else {
            self = .database(try DatabaseScenario(json: json))
        }
    }

    package var json: JSON {
        switch self {
        case .database(let scenario): scenario.json
        case .log(let scenario): scenario.json
        }
    }
}

extension Scenario {
    /// The JSON without the members that a reader adds by itself: it reads as the same scenario.
    var shortJSON: JSON {
        var short = json
        drop(from: &short, at: [])
        return short
    }

    private func drop(from short: inout JSON, at path: JSON.Path) {
        for index in (0..<short[path].count).reversed() {
            if case .object = short[path] {
                let without = short.removing(index..<index + 1, at: path)
                if (try? Scenario(json: without)) == self {
                    short = without
                    continue
                }
            }
            drop(from: &short, at: path + [index])
        }
    }
}
