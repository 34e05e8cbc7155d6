import ByteFormats
import Foundation

/// Writes objects of keyed archives in the same form as ``PropertyListDecoder``.
extension PropertyListStream {
    mutating func writeDictionary(
        _ children: PropertyListObject.Children, _ index: Int, _ sink: inout some ValueSink
    ) throws(MalformedPropertyList) {
        try spend(2 * children.count)
        guard archived != nil, let classIndex = table.field("$class", of: children),
            let type = try archivedClass(classIndex)
        else {
            return try begin(
                .dictionary, index, keys: children, values: children, firstValue: children.count, children.count, &sink)
        }
        switch classes[type].type.kind {
        case .array: try beginList(.list, children, index, &sink)
        case .set: try beginList(.set, children, index, &sink)
        case .dictionary:
            guard let keys = try elements("NS.keys", children), let values = try elements("NS.objects", children),
                keys.count == values.count
            else { throw .refused }
            try begin(.dictionary, index, keys: keys, values: values, keys.count, &sink)
        case .string:
            guard case .string(let piece)? = try target("NS.string", children) else { throw .refused }
            try write(piece, as: .text, &sink)
        case .data:
            guard case .data(let piece)? = try target("NS.data", children) else { throw .refused }
            try write(data: piece, &sink)
        case .date: try writeDate(children, &sink)
        case .url: try writeURL(children, &sink)
        case .uuid:
            guard case .data(let piece)? = try target("NS.uuidbytes", children), piece.byteCount == 16 else {
                throw .refused
            }
            sink.uuid(UUID(uuid: table.bytes(piece).loadUnaligned(as: uuid_t.self)))
        case .decimal: throw .refused
        case .null: sink.null()
        case .other:
            try begin(
                .object, index, keys: children, values: children, firstValue: children.count, children.count,
                className: classes[type].name, &sink)
        }
    }

    private mutating func beginList(
        _ kind: Open.Kind, _ children: PropertyListObject.Children, _ index: Int, _ sink: inout some ValueSink
    ) throws(MalformedPropertyList) {
        guard let elements = try elements("NS.objects", children) else { throw .refused }
        try begin(kind, index, values: elements, elements.count, &sink)
    }

    private func writeDate(_ children: PropertyListObject.Children, _ sink: inout some ValueSink)
        throws(MalformedPropertyList)
    {
        switch try target("NS.time", children) {
        case .real(let seconds)?, .date(let seconds)?: sink.date(seconds)
        case .integer(let seconds)?: sink.date(Double(seconds))
        default: throw .refused
        }
    }

    /// One that is relative to another is refused.
    private mutating func writeURL(_ children: PropertyListObject.Children, _ sink: inout some ValueSink)
        throws(MalformedPropertyList)
    {
        guard case .string(let piece)? = try target("NS.relative", children) else { throw .refused }
        if let base = table.field("NS.base", of: children) {
            guard case .uid(0) = try table.object(base) else { throw .refused }
        }
        try write(piece, as: .url, &sink)
    }

    private func elements(_ name: StaticString, _ children: PropertyListObject.Children) throws(MalformedPropertyList)
        -> PropertyListObject.Children?
    {
        guard let index = table.field(name, of: children), case .array(let elements) = try table.object(index) else {
            return nil
        }
        return elements
    }

    /// The object under a name, or the one that it refers to.
    private func target(_ name: StaticString, _ children: PropertyListObject.Children) throws(MalformedPropertyList)
        -> PropertyListObject?
    {
        guard let index = table.field(name, of: children) else { return nil }
        let object = try table.object(index)
        guard case .uid(let uid) = object, archived != nil else { return object }
        return uid == 0 ? nil : try table.object(try entry(uid))
    }

    /// Returns the index in `classes`; nil if the entry is not a valid class.
    private mutating func archivedClass(_ index: Int) throws(MalformedPropertyList) -> Int? {
        guard case .uid(let uid) = try table.object(index), uid != 0 else { throw .refused }
        let entry = try entry(uid)
        if let known = classes.firstIndex(where: { $0.entry == entry }) { return known }
        guard case .dictionary(let children) = try table.object(entry),
            let nameIndex = table.field("$classname", of: children),
            case .string(let piece) = try table.object(nameIndex)
        else { return nil }
        try spend(2 * children.count + piece.byteCount)
        if classes.count == ArchivedClass.remembered { classes.removeLast() }
        classes.append((entry, ArchivedClass(name: table.string(piece)), piece))
        return classes.count - 1
    }
}
