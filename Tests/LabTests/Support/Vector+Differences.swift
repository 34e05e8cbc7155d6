@testable import AnimationLab

extension Vector {
    /// In what a result differs from the original's, up to the step in which the original goes wrong.
    func differences(from result: JSON) -> [String] {
        guard expected["error"] == nil else { return [] }
        var found = differences(result["initial"], expected["initial"], "initially")
        for (number, (ours, theirs)) in zip(result.steps, expected.steps).enumerated() where number < trustedSteps {
            found += differences(ours, theirs, "step \(number)")
            found += differences(ours["before"], theirs["before"], "before \(number)")
            for name in ["hasChanges", "notifications"] where ours[name] != theirs[name] {
                found.append("step \(number): \(name) is \(ours[name] ?? .null)")
            }
            found += setDifferences(ours.changes("sectionChanges"), theirs.changes("sectionChanges"), number)
            let theirRows = theirs.changes("rowChanges")
            // We may know keys that the original does not.
            let ourRows = Set(ours.changes("rowChanges").map { theirRows.contains($0.keyless) ? $0.keyless : $0 })
            found += setDifferences(ourRows, theirRows, number)
        }
        return found
    }

    private func differences(_ ours: JSON?, _ theirs: JSON?, _ place: String) -> [String] {
        ["sections", "groups", "counts", "ranges", "consolidated"].compactMap { name in
            let (value, expected) = (ours?[name]?.sorted, theirs?[name]?.sorted)
            return value == expected ? nil : "\(place): \(name) \(value ?? .null) instead of \(expected ?? .null)"
        }
    }

    private func setDifferences(_ ours: Set<JSON>, _ theirs: Set<JSON>, _ step: Int) -> [String] {
        ours.subtracting(theirs).map { "step \(step): extra \($0)" }
            + theirs.subtracting(ours).map { "step \(step): missing \($0)" }
    }
}

extension JSON {
    fileprivate var steps: [JSON] { elements("steps") }

    private func elements(_ name: String) -> [JSON] {
        guard case .array(let elements) = self[name] else { return [] }
        return elements
    }

    /// The changes in a form in which equal ones are equal, without the rows that are named for a dependency alone and
    /// without what only we tell.
    fileprivate func changes(_ name: String) -> Set<JSON> {
        Set(elements(name).filter { $0["changes"] != ["dependency"] }.map { $0.without("finalPath").sorted })
    }

    fileprivate var keyless: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == "key" ? Member("key", .null) : $0 })
    }

    private func without(_ name: String) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name })
    }

    /// The value with the members of all objects in order.
    var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        default: self
        }
    }
}
