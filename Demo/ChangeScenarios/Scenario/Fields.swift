/// The members of a JSON object from which a value is read.
///
/// Unused members are ignored, so a scenario may contain notes. null means that a member is absent.
package struct Fields {
    package let members: [JSON.Member]

    package init(_ json: JSON) throws(ScenarioError) {
        guard case .object(let members) = json else { throw ScenarioError("an object", insteadOf: json) }
        self.members = members
    }

    /// The member; nil if it is absent or null. Of duplicates the last counts.
    package subscript(name: String) -> JSON? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    package func optional<Value: ScenarioValue>(
        _ name: String, _ type: Value.Type = Value.self
    ) throws(ScenarioError) -> Value? {
        guard let json = self[name] else { return nil }
        do {
            return try Value(json: json)
        } catch {
            throw error.inside(name)
        }
    }

    package func required<Value: ScenarioValue>(
        _ name: String, _ type: Value.Type = Value.self
    ) throws(ScenarioError) -> Value {
        guard let value = try optional(name, type) else {
            throw ScenarioError("is missing; it should be \(Value.shape)").inside(name)
        }
        return value
    }

    /// Returns a number of at least `minimum`.
    package func optional(_ name: String, atLeast minimum: Int) throws(ScenarioError) -> Int? {
        guard let number = try optional(name, Int.self) else { return nil }
        guard number >= minimum else {
            throw ScenarioError("should be at least \(minimum), not \(number)").inside(name)
        }
        return number
    }

    package func required(_ name: String, atLeast minimum: Int) throws(ScenarioError) -> Int {
        guard let number = try optional(name, atLeast: minimum) else {
            throw ScenarioError("is missing; it should be a whole number of at least \(minimum)").inside(name)
        }
        return number
    }
}

extension JSON {
    /// Returns an object of the members that have a value.
    package static func object(_ members: (name: String, value: JSON?)...) -> JSON {
        .object(members.compactMap { member in member.value.map { Member(member.name, $0) } })
    }
}
