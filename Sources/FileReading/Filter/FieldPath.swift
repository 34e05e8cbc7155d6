import FileEngine
import ListChanges
import ObjectDecoding

/// The name of a field in an expression: `title`, `author.name`, `tags[0]`, `tags[*]`, `metadata.read`, `row.size`.
///
/// Names are compared by their bytes, as SQLite compares them.
package struct FieldPath: Hashable, Sendable {
    enum Step: Sendable {
        case name(String)
        case element(Int)
        /// All elements of a list, as a list.
        case each
    }

    /// What the first name means.
    enum Root: Hashable, Sendable {
        case object, metadata
        /// The row itself: `key`, `collection`, `rowid`, `size`, or a column of the list's table.
        case row
        /// The object's field, or the row's property of that name.
        case any
    }

    package let text: String
    let root: Root
    let steps: [Step]

    package static func == (one: FieldPath, other: FieldPath) -> Bool { one.text.hasSameBytes(as: other.text) }
    package func hash(into hasher: inout Hasher) { hasher.combine(ExactString(text)) }

    /// - Returns: nil if a bracket has neither a number nor `*`.
    package init?(_ text: String) {
        var steps: [Step] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            if !pieces[0].isEmpty { steps.append(.name(String(pieces[0]))) }
            for piece in pieces.dropFirst() {
                guard piece.last == "]" else { return nil }
                let inside = piece.dropLast()
                guard inside == "*" || Int(inside) != nil else { return nil }
                steps.append(inside == "*" ? .each : .element(Int(inside) ?? 0))
            }
        }
        self.text = text
        let first: String? = if case .name(let name)? = steps.first { name } else { nil }
        switch first {
        case "object": (root, self.steps) = (.object, Array(steps.dropFirst()))
        case "metadata": (root, self.steps) = (.metadata, Array(steps.dropFirst()))
        case "row" where steps.count > 1: (root, self.steps) = (.row, Array(steps.dropFirst()))
        default: (root, self.steps) = (.any, steps)
        }
    }

    /// Returns the value in a row's decoded object or metadata, whichever the path leads to; nil if there is none.
    func value(in decoded: DecodedValue) -> DecodedValue? {
        root == .any
            ? field(in: decoded) ?? Self.value(of: steps[...], in: decoded) : Self.value(of: steps[...], in: decoded)
    }

    /// The names of the members in which the value can be: the whole path, dots included, before the first name. Nil if it can be anywhere.
    var memberNames: [String]? {
        guard case .name(let first)? = steps.first else { return nil }
        return root == .any && steps.count > 1 ? [text, first] : [first]
    }

    /// Whether a member that has the path as its name is the value itself, and nothing in it.
    var isOneName: Bool { steps.count == 1 }

    /// Returns the value in a member that has the path's first name; nil if there is none.
    func value(inMember member: DecodedValue) -> DecodedValue? { Self.value(of: steps.dropFirst(), in: member) }

    /// Returns the decoded value; nil if there is none. Of the row itself nothing is decoded.
    package func value(object: DecodedValue?, metadata: @autoclosure () -> DecodedValue?) -> DecodedValue? {
        switch root {
        case .object: object.flatMap { Self.value(of: steps[...], in: $0) }
        case .metadata: metadata().flatMap { Self.value(of: steps[...], in: $0) }
        case .any: object.flatMap { field(in: $0) ?? Self.value(of: steps[...], in: $0) }
        case .row: nil
        }
    }

    /// The field whose name is the whole text, dots included.
    private func field(in object: DecodedValue) -> DecodedValue? {
        steps.count > 1 ? object.fields?.first { $0.name?.hasSameBytes(as: text) == true }?.value : nil
    }

    /// Returns the row's property of that name.
    func property(of row: BrowsedRow) -> SQLValue? {
        guard case .name(let name)? = steps.first, steps.count == 1 else { return nil }
        switch name {
        case "key": return row.address.map { .text($0.key.text) }
        case "collection": return row.address.map { .text($0.collection.text) }
        case "rowid": return .integer(row.rowid)
        case "size": return .integer(Int64(row.object?.size ?? 0))
        default:
            switch row.columns.first(where: { $0.name.hasSameBytes(as: name) })?.value.content {
            case .integer(let number): return .integer(number)
            case .real(let number): return .real(number)
            case .text(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
            case .blob(let bytes): return .blob(bytes)
            case .null: return .null
            case nil: return nil
            }
        }
    }

    private static func value(of steps: ArraySlice<Step>, in value: DecodedValue) -> DecodedValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch (step, value) {
        case (.name(let name), .dictionary(let fields)), (.name(let name), .object(_, let fields)):
            return fields.first { $0.name?.hasSameBytes(as: name) == true }.flatMap {
                Self.value(of: rest, in: $0.value)
            }
        case (.element(let index), .array(let values)), (.element(let index), .set(let values)):
            let place = index < 0 ? values.count + index : index
            return values.indices.contains(place) ? Self.value(of: rest, in: values[place]) : nil
        case (.each, .array(let values)), (.each, .set(let values)):
            return .array(values.compactMap { Self.value(of: rest, in: $0) })
        default: return nil
        }
    }
}
