import ByteFormats
import Foundation

/// Decodes objects of Foundation's classes. Each function returns nil if a field is missing or of another kind.
extension PropertyListDecoder {
    mutating func list(_ children: PropertyListObject.Children) -> [DecodedValue]? {
        if let index = source.field("NS.objects", of: children) {
            guard case .array(let elements)? = try? source.object(index) else { return nil }
            return self.elements(elements)
        }
        // Ordered sets, and lists in old archives, have one field for each element.
        guard let places = numbered("NS.object.", children) else { return nil }
        var values: [DecodedValue] = []
        for (place, index) in places.enumerated() {
            guard budget.values > 0 else { return values + [.tooMany(places.count - place)] }
            values.append(child(index, .element(place)))
        }
        return values
    }

    mutating func pairs(_ children: PropertyListObject.Children) -> [DecodedField]? {
        if let keyIndex = source.field("NS.keys", of: children),
            let valueIndex = source.field("NS.objects", of: children)
        {
            guard case .array(let keys)? = try? source.object(keyIndex),
                case .array(let values)? = try? source.object(valueIndex), keys.count == values.count
            else { return nil }
            return fields(count: keys.count) { ($0.reference(keys, $1), $0.reference(values, $1)) }
        }
        guard let keys = numbered("NS.key.", children), let values = numbered("NS.object.", children),
            keys.count == values.count
        else { return nil }
        return fields(count: keys.count) { (keys[$1], values[$1]) }
    }

    mutating func text(_ children: PropertyListObject.Children) -> DecodedValue? {
        if let string = string("NS.string", children) { return .string(string) }
        guard case .data(let bytes)? = bytes("NS.bytes", children) else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
        budget.isInexact = true
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    mutating func bytes(_ name: StaticString, _ children: PropertyListObject.Children) -> DecodedValue? {
        guard case .data(let piece)? = target(name, children) else { return nil }
        return budget.spend(text: piece.byteCount) ? .data(source.data(piece)) : .tooLong(piece.byteCount)
    }

    func real(_ name: StaticString, _ children: PropertyListObject.Children) -> Double? {
        switch target(name, children) {
        case .real(let real)?: real
        case .date(let seconds)?: seconds
        case .integer(let integer)?: Double(integer)
        default: nil
        }
    }

    mutating func uuid(_ children: PropertyListObject.Children) -> DecodedValue? {
        guard case .data(let piece)? = target("NS.uuidbytes", children), piece.byteCount == 16 else { return nil }
        return .uuid(source.data(piece).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }

    mutating func url(_ children: PropertyListObject.Children) -> DecodedValue? {
        guard let relative = string("NS.relative", children) else { return nil }
        guard let base = source.field("NS.base", of: children), case .url(let base) = child(base, .field("NS.base"))
        else {
            return .url(relative)
        }
        let url = URL(string: base).flatMap { URL(string: relative, relativeTo: $0) }
        return .url(url?.absoluteString ?? relative)
    }

    mutating func string(_ name: StaticString, _ children: PropertyListObject.Children) -> String? {
        guard case .string(let piece)? = target(name, children), budget.spend(text: piece.byteCount) else { return nil }
        return text(piece)
    }

    /// Returns the object under a name, or the object that it refers to.
    func target(_ name: StaticString, _ children: PropertyListObject.Children) -> PropertyListObject? {
        guard let index = source.field(name, of: children), let object = try? source.object(index) else { return nil }
        guard case .uid(let uid) = object, let archived else { return object }
        return uid > 0 && uid < archived.count ? try? source.object(source.reference(archived, uid)) : nil
    }

    /// Returns the values of the fields named by a prefix and 0, 1, 2, …; nil if there are other such fields.
    private mutating func numbered(_ prefix: String, _ children: PropertyListObject.Children) -> [Int]? {
        var found: [(number: Int, index: Int)] = []
        for place in 0..<children.count {
            guard case .string(let piece)? = try? source.object(source.reference(children, place)),
                piece.byteCount < 32, case let name = source.string(piece), name.hasPrefix(prefix)
            else { continue }
            guard let number = Int(name.dropFirst(prefix.count)) else { return nil }
            found.append((number, source.reference(children, children.count + place)))
        }
        found.sort { $0.number < $1.number }
        return found.enumerated().allSatisfy { $0 == $1.number } ? found.map(\.index) : nil
    }
}
