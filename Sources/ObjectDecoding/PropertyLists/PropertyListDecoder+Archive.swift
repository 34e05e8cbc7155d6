import ByteFormats

extension PropertyListDecoder {
    /// Decodes the target of a UID: an entry of the archive's table, whose first entry is null.
    mutating func resolve(_ uid: Int) throws(MalformedPropertyList) -> DecodedValue {
        guard let archived else { return .dictionary([DecodedField("CF$UID", .integer(Int64(uid)))]) }
        guard uid != 0 else { return .null }
        guard uid < archived.count else { throw MalformedPropertyList("a reference leads nowhere") }
        let index = source.reference(archived, uid)
        if case .uid = try source.object(index) {
            throw MalformedPropertyList("an entry of the table is only a reference")
        }
        // The budget was charged for the reference already, so it is not charged for the target.
        budget.give(values: 1)
        return value(at: index)
    }

    /// Decodes a dictionary, or the object that it describes.
    mutating func instanceOrDictionary(_ children: PropertyListObject.Children) -> DecodedValue {
        guard archived != nil, search(children), let index = source.field("$class", of: children),
            let type = archivedClass(index)
        else { return dictionary(children) }
        return known(type, children) ?? .object(className: type.name, fields: objectFields(children))
    }

    /// Decodes an object of one of Foundation's classes; nil for other classes, and if fields are missing.
    private mutating func known(
        _ type: ArchivedClass, _ children: PropertyListObject.Children
    ) -> DecodedValue? {
        switch type.kind {
        case .array: return list(children).map(DecodedValue.array)
        case .set: return list(children).map(DecodedValue.set)
        case .dictionary: return pairs(children).map(DecodedValue.dictionary)
        case .string: return text(children)
        case .data: return bytes("NS.data", children) ?? bytes("NS.bytes", children)
        case .date: return real("NS.time", children).map(DecodedValue.date(seconds:))
        case .url: return url(children)
        case .uuid: return uuid(children)
        case .decimal: return decimal(children)
        case .null: return .null
        case .other: return nil
        }
    }

    /// Returns all fields except the class, in the order of the bytes.
    private mutating func objectFields(_ children: PropertyListObject.Children) -> [DecodedField] {
        let places = (0..<children.count).filter { !source.isKey(source.reference(children, $0), "$class") }
        return fields(count: places.count) {
            ($0.reference(children, places[$1]), $0.reference(children, children.count + places[$1]))
        }
    }

    private mutating func archivedClass(_ index: Int) -> ArchivedClass? {
        guard case .uid(let uid)? = try? source.object(index), let archived, uid < archived.count else { return nil }
        let entry = source.reference(archived, uid)
        if let known = classes.first(where: { $0.index == entry }) { return known.type }
        guard case .dictionary(let children)? = try? source.object(entry), search(children),
            let nameIndex = source.field("$classname", of: children),
            case .string(let piece)? = try? source.object(nameIndex),
            budget.spend(text: piece.byteCount)
        else { return nil }
        let type = ArchivedClass(name: text(piece))
        if classes.count < ArchivedClass.remembered { classes.append((entry, type)) }
        return type
    }

    /// Charges the budget for a search of fields, as for text: dictionaries may overlap in the bytes, so a small file could make many long searches.
    private mutating func search(_ children: PropertyListObject.Children) -> Bool {
        budget.spend(text: 2 * children.count)
    }
}
