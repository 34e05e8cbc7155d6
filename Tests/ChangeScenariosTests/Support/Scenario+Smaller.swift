@testable import ChangeScenarios

extension Scenario {
    /// The scenarios with a single piece less: an element, a member, or one from a number.
    var smaller: [Scenario] {
        json.smaller.compactMap { try? Scenario(json: $0) }.filter { $0.json != json && $0.hasSameID(as: self) }
    }

    private func hasSameID(as other: Scenario) -> Bool { json["id"] == other.json["id"] }
}

extension JSON {
    fileprivate var smaller: [JSON] {
        switch self {
        case .array(let elements):
            return elements.indices.flatMap { index -> [JSON] in
                var fewer = elements
                fewer.remove(at: index)
                return [.array(fewer)]
                    + elements[index].smaller.map { inner in
                        var copy = elements
                        copy[index] = inner
                        return .array(copy)
                    }
            }
        case .object(let members):
            return members.indices.flatMap { index -> [JSON] in
                var fewer = members
                fewer.remove(at: index)
                return [.object(fewer)]
                    + members[index].value.smaller.map { inner in
                        var copy = members
                        copy[index].value = inner
                        return .object(copy)
                    }
            }
        case .integer(let number): return number == 0 ? [] : [.integer(number - number.signum()), .integer(0)]
        case .null, .bool, .number, .string: return []
        }
    }
}
