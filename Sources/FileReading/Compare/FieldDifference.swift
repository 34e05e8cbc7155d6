import ListChanges
import ObjectDecoding

/// A place inside a value that is otherwise in another value.
package struct FieldDifference: Hashable, Sendable {
    package let path: ValuePath
    /// Nil where there was nothing.
    package let before: DecodedValue?
    /// Nil where there is nothing any more.
    package let after: DecodedValue?
}

extension DecodedValue {
    /// Returns where this value and another one differ, as deep inside as both have the same kind of value. Fields are compared by their keys,
    /// lists behind what begins and ends alike by their places.
    ///
    /// - Complexity: O(size), for fields whose order is alike.
    package func differences(to other: DecodedValue, at path: ValuePath = .root) -> [FieldDifference] {
        if self == other { return [] }
        switch (self, other) {
        case (.dictionary(let old), .dictionary(let new)):
            if let found = Self.differences(old, new, at: path) { return found }
        case (.object(let oldClass, let old), .object(let newClass, let new)) where oldClass.hasSameBytes(as: newClass):
            if let found = Self.differences(old, new, at: path) { return found }
        case (.array(let old), .array(let new)): return Self.differences(old, new, at: path)
        case (.set(let old), .set(let new)) where Set(old) == Set(new): return []
        default: break
        }
        return [FieldDifference(path: path, before: self, after: other)]
    }

    /// - Returns: nil if a key occurs twice, or none is a string: then the values are compared as a whole.
    private static func differences(
        _ old: [DecodedField], _ new: [DecodedField], at path: ValuePath
    ) -> [FieldDifference]? {
        var rest = ExactDictionary<DecodedValue>()
        for field in new {
            guard let name = field.name, rest[name] == nil else { return nil }
            rest[name] = field.value
        }
        var (found, seen) = ([FieldDifference](), Set<ExactString>())
        for field in old {
            guard let name = field.name, seen.insert(ExactString(name)).inserted else { return nil }
            if let value = rest.removeValue(forKey: name) {
                found += field.value.differences(to: value, at: path.field(name))
            } else {
                found.append(FieldDifference(path: path.field(name), before: field.value, after: nil))
            }
        }
        for case let (name?, value) in new.map({ ($0.name, $0.value) }) where rest[name] != nil {
            found.append(FieldDifference(path: path.field(name), before: nil, after: value))
        }
        return found
    }

    private static func differences(
        _ old: [DecodedValue], _ new: [DecodedValue], at path: ValuePath
    ) -> [FieldDifference] {
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = zip(old.dropFirst(prefix).reversed(), new.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
        let (before, after) = (old[prefix..<old.count - suffix], new[prefix..<new.count - suffix])
        var found: [FieldDifference] = []
        for place in 0..<max(before.count, after.count) {
            let index = prefix + place
            switch (place < before.count, place < after.count) {
            case (true, true): found += before[index].differences(to: after[index], at: path.element(index))
            case (true, false):
                found.append(FieldDifference(path: path.element(index), before: before[index], after: nil))
            default: found.append(FieldDifference(path: path.element(index), before: nil, after: after[index]))
            }
        }
        return found
    }
}

extension RowDecoder {
    /// Returns where two stored values differ. Different bytes that decode to equal values are no difference.
    ///
    /// A value that can be decoded in part only, such as a text that is no Unicode, is compared by its bytes where the decoded parts are equal.
    func differences(
        _ old: StoredValue?, of oldRow: BrowsedRow? = nil, _ new: StoredValue?, of newRow: BrowsedRow? = nil
    ) -> [FieldDifference] {
        if old == new { return [] }
        let (before, after) = (old.map { decode($0, of: oldRow) }, new.map { decode($0, of: newRow) })
        guard let before, let after else {
            return [FieldDifference(path: .root, before: before?.value, after: after?.value)]
        }
        let found = before.value.differences(to: after.value)
        guard found.isEmpty, before.isPartial || after.isPartial, let one = old?.bytes, let other = new?.bytes else {
            return found
        }
        return [
            FieldDifference(
                path: .root, before: .bytes(one, error: before.remark), after: .bytes(other, error: after.remark))
        ]
    }
}
