/// The answer that a line expects of its scenario, in the form of the vectors.
package struct ExpectedAnswer: Hashable, Sendable {
    private let answer: JSON
    /// The number of steps before the first whose expected answer is known to break the law.
    private let trustedSteps: Int

    /// Reads the expected answer; nil if there is none, or if the line only expects that there is no answer.
    package init?(line: JSON) {
        guard let answer = line["expected"], answer["error"] == nil else { return nil }
        self.answer = answer
        let problems = line["originalProblems"]?.elements ?? []
        trustedSteps = problems.compactMap { try? Int(json: $0.elements.first ?? .null) }.min() ?? Int.max
    }

    /// Returns the differences between a result and the expected one. Change-sets are compared as sets, rows named only
    /// for a dependency are ignored, and a result may contain more than is expected.
    package func flaws(of result: JSON) -> [Flaw] {
        guard let steps = answer["steps"]?.elements else { return Self.flaws(result, answer, nil) }
        let ours = result["steps"]?.elements ?? []
        var flaws = Self.flaws(result["initial"] ?? .null, answer["initial"] ?? .null, nil)
        for (number, expected) in steps.enumerated() where number < trustedSteps {
            flaws += Self.flaws(number < ours.count ? ours[number] : .null, expected, number)
        }
        return flaws
    }

    /// Returns the line with this expected answer for a scenario with fewer steps.
    package func line(for scenario: Scenario) -> JSON {
        guard case .database(let database) = scenario, let steps = answer["steps"]?.elements else {
            return ["scenario": scenario.shortJSON, "expected": answer]
        }
        let shorter = JSON.object(
            ("initial", answer["initial"]), ("steps", .array(Array(steps.prefix(database.steps.count)))))
        return ["scenario": scenario.shortJSON, "expected": shorter]
    }
}

extension ExpectedAnswer {
    private static func flaws(_ ours: JSON, _ expected: JSON, _ step: Int?) -> [Flaw] {
        guard case .object(let members) = expected else { return [] }
        return members.flatMap { member -> [Flaw] in
            let value = ours[member.name]
            switch member.name {
            case "before": return flaws(value ?? .null, member.value, step)
            case "sectionChanges", "rowChanges": return changeFlaws(value ?? .null, member.value, step)
            default:
                guard value?.sorted != member.value.sorted else { return [] }
                return [flaw("\(member.name) is \(value ?? .null) instead of \(member.value)", step)]
            }
        }
    }

    private static func changeFlaws(_ ours: JSON, _ expected: JSON, _ step: Int?) -> [Flaw] {
        var extra = ours.elements.filter { $0["changes"] != ["dependency"] }
        var flaws: [Flaw] = []
        for change in expected.elements where change["changes"] != ["dependency"] {
            if let index = extra.firstIndex(where: { $0.says(change) }) {
                extra.remove(at: index)
            } else {
                flaws.append(flaw("the change \(change) is missing", step))
            }
        }
        return flaws + extra.map { flaw("the change \($0) is not expected", step) }
    }

    private static func flaw(_ text: String, _ step: Int?) -> Flaw { Flaw(kind: .difference, step: step, text: text) }
}

extension JSON {
    fileprivate var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Whether this change contains all that the other does; if the other has no key, any key matches.
    fileprivate func says(_ other: JSON) -> Bool {
        guard case .object(let members) = other else { return self == other }
        return members.allSatisfy { member in
            (member.name == "key" && member.value == .null) || self[member.name]?.sorted == member.value.sorted
        }
    }

    /// The value with the members of all objects sorted.
    fileprivate var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        default: self
        }
    }
}
