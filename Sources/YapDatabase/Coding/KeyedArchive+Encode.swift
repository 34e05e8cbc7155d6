import Foundation

extension KeyedArchive {
    static func encode(_ value: Any) throws -> Data {
        var encoder = Encoder()
        let root = try encoder.add(value)
        return encoder.needsFoundation ? try encodeWithFoundation(value) : encoder.archive(root: root).bytes()
    }

    /// Encodes an object by its fields, which must be plain values.
    static func encode(_ object: ArchivedObject) throws -> Data {
        var encoder = Encoder()
        let root = try encoder.add(object)
        return encoder.archive(root: root).bytes()
    }

    private static func encodeWithFoundation(_ value: Any) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
        return try renamingClasses(BinaryPropertyList.read(archiver.encodedData)).bytes()
    }

    /// Replaces Swift class names by the registered ones. Foundation on Linux does not do it when asked to.
    private static func renamingClasses(_ archive: BinaryPropertyList) -> BinaryPropertyList {
        guard var fields = archive.dictionary, let objects = fields["$objects"]?.array else { return archive }
        var names: [BinaryPropertyList: BinaryPropertyList] = [:]
        for (name, type): (String, AnyClass) in registeredClasses {
            // A name that the program chose has precedence over the class's own.
            guard ArchivedClassName.name(of: type) != nil, name != NSStringFromClass(type) else { continue }
            names[.string(NSStringFromClass(type))] = .string(name)
        }
        fields["$objects"] = .array(
            objects.map { object in
                guard var entry = object.dictionary, let name = entry["$classname"] else { return object }
                entry["$classname"] = names[name] ?? name
                entry["$classes"] = entry["$classes"]?.array.map { .array($0.map { names[$0] ?? $0 }) }
                return .dictionary(entry)
            })
        return .dictionary(fields)
    }
}

private struct Encoder {
    /// Whether a value is an object with NSCoding, whose fields only Foundation can read. The table is unusable then.
    private(set) var needsFoundation = false
    private var objects: [BinaryPropertyList] = [.string("$null")]
    private var scalars: [BinaryPropertyList: Int] = [:]
    private var classes: [String: Int] = [:]

    /// Adds a value to the table and returns its index.
    mutating func add(_ value: Any) throws -> Int {
        if let scalar = BinaryPropertyList(scalar: value) { return add(scalar) }
        switch value {
        case let url as URL: return try addURL(url)
        case let uuid as UUID:
            return add("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
        case let date as Date: return add("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case is NSNull: return add("NSNull", [:])
        case let array as [Any]: return add("NSArray", ["NS.objects": try references(array)])
        case let dictionary as [AnyHashable: Any]: return try addDictionary(dictionary)
        case let set as Set<AnyHashable>: return add("NSSet", ["NS.objects": try references(set.map(\.base))])
        case let object as any NSCoding:
            let type = type(of: object)
            if let type = type as? AnyClass, ArchivedClassName.name(of: type) == nil { throw NestedClass(type: type) }
            needsFoundation = true
            return 0
        default: throw NotArchivable(type: type(of: value))
        }
    }

    mutating func add(_ object: ArchivedObject) throws -> Int {
        // Its place, before what it refers to.
        let index = objects.count
        objects.append(.string(""))
        var fields: [String: BinaryPropertyList] = [:]
        for (name, field) in object.fields.sorted(by: { $0.key < $1.key }) {
            switch field {
            case .inline(let value): fields[ArchivedObject.escaped(name)] = value
            case .object(nil): fields[ArchivedObject.escaped(name)] = .uid(0)
            case .object(let value?):
                fields[ArchivedObject.escaped(name)] = .uid(try add(value))
                if needsFoundation { throw NotArchivable(type: type(of: value)) }
            }
        }
        fields["$class"] = .uid(classIndex(object.classes))
        objects[index] = .dictionary(fields)
        return index
    }

    func archive(root: Int) -> BinaryPropertyList {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(root)]), "$objects": .array(objects),
        ])
    }

    private mutating func add(_ scalar: BinaryPropertyList) -> Int {
        if let index = scalars[scalar] { return index }
        objects.append(scalar)
        scalars[scalar] = objects.count - 1
        return objects.count - 1
    }

    private mutating func add(_ className: String, _ fields: [String: BinaryPropertyList]) -> Int {
        var fields = fields
        fields["$class"] = .uid(classIndex([className, "NSObject"]))
        objects.append(.dictionary(fields))
        return objects.count - 1
    }

    private mutating func addDictionary(_ dictionary: [AnyHashable: Any]) throws -> Int {
        let entries = Array(dictionary)
        return add(
            "NSDictionary",
            ["NS.keys": try references(entries.map(\.key.base)), "NS.objects": try references(entries.map(\.value))])
    }

    private mutating func addURL(_ url: URL) throws -> Int {
        let base = try url.baseURL.map { try add($0) } ?? 0
        return add("NSURL", ["NS.base": .uid(base), "NS.relative": .uid(add(.string(url.relativeString)))])
    }

    private mutating func references(_ values: [Any]) throws -> BinaryPropertyList {
        .array(try values.map { .uid(try add($0)) })
    }

    /// - Parameter names: that of the class, then those of its superclasses.
    private mutating func classIndex(_ names: [String]) -> Int {
        let name = names.first ?? "NSObject"
        if let index = classes[name] { return index }
        objects.append(
            .dictionary(["$classname": .string(name), "$classes": .array(names.map(BinaryPropertyList.string))]))
        classes[name] = objects.count - 1
        return objects.count - 1
    }
}

/// A value that an archive cannot hold.
struct NotArchivable: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String {
        "A value of type \(type) is no property-list value and has no NSCoding. Use registerCodableSerialization for a "
            + "Codable type."
    }
}
