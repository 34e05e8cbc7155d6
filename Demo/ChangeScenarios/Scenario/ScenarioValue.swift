/// A value of a scenario that can be read from JSON and written to it.
package protocol ScenarioValue {
    /// The required form, for the sentence `groups should be an array of strings`.
    static var shape: String { get }

    init(json: JSON) throws(ScenarioError)
    var json: JSON { get }
}

extension String: ScenarioValue {
    package static let shape = "a string"

    package init(json: JSON) throws(ScenarioError) {
        guard case .string(let value) = json else { throw ScenarioError(Self.shape, insteadOf: json) }
        self = value
    }

    package var json: JSON { .string(self) }
}

extension Bool: ScenarioValue {
    package static let shape = "true or false"

    package init(json: JSON) throws(ScenarioError) {
        guard case .bool(let value) = json else { throw ScenarioError(Self.shape, insteadOf: json) }
        self = value
    }

    package var json: JSON { .bool(self) }
}

extension Int: ScenarioValue {
    package static let shape = "a whole number"

    package init(json: JSON) throws(ScenarioError) {
        switch json {
        case .integer(let value): self = value
        case .number(let value):
            guard let whole = Int(exactly: value) else { fallthrough }
            self = whole
        default: throw ScenarioError(Self.shape, insteadOf: json)
        }
    }

    package var json: JSON { .integer(self) }
}

extension Array: ScenarioValue where Element: ScenarioValue {
    package static var shape: String { "an array" }

    package init(json: JSON) throws(ScenarioError) {
        guard case .array(let elements) = json else { throw ScenarioError(Self.shape, insteadOf: json) }
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            do {
                append(try Element(json: element))
            } catch {
                throw error.inside("[\(count)]")
            }
        }
    }

    package var json: JSON { .array(map(\.json)) }
}

extension Dictionary: ScenarioValue where Key == String, Value: ScenarioValue {
    package static var shape: String { "an object" }

    package init(json: JSON) throws(ScenarioError) {
        self.init()
        for member in try Fields(json).members {
            do {
                self[member.name] = try Value(json: member.value)
            } catch {
                throw error.inside(member.name)
            }
        }
    }

    /// Sorted by name, so that equal dictionaries have equal texts.
    package var json: JSON {
        .object(sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value.json) })
    }
}

/// One of a few words.
package protocol ScenarioWord: ScenarioValue, CaseIterable, RawRepresentable, Hashable, Sendable
where RawValue == String {}

extension ScenarioWord {
    package static var shape: String { allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ") }

    package init(json: JSON) throws(ScenarioError) {
        guard case .string(let word) = json, let value = Self(rawValue: word) else {
            throw ScenarioError(Self.shape, insteadOf: json)
        }
        self = value
    }

    package var json: JSON { .string(rawValue) }
}
