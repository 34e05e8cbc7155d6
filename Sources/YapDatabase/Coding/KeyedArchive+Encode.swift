import Foundation
import ListChanges

extension KeyedArchive {
    static func encode(_ value: Any) throws -> Data {
        var encoder = Encoder()
        let root = try encoder.add(value)
        guard encoder.foreign != nil else { return encoder.archive(root: root).bytes() }
        if let unnamed = encoder.unnamed { throw UnnamedClass(type: unnamed) }
        // Foundation stops the program when it meets one.
        if encoder.hasCollectionKey { throw NotArchivable(type: RowKey.self) }
        let archive = try encodeWithFoundation(value)
        if let foreign = encoder.foreign, try !isForFoundation(archive) { throw UnofferedClass(type: foreign) }
        return archive
    }

    /// Encodes an object by its fields.
    static func encode(_ object: ArchivedObject) throws -> Data {
        var encoder = Encoder()
        let root = try encoder.add(object)
        if let foreign = encoder.foreign { throw NotArchivable(type: foreign) }
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
    /// The type of an object of Foundation's own that only Foundation can encode. The table is unusable then.
    private(set) var foreign: AnyClass?
    /// A registered class without a name of its own, at which Foundation would stop the program.
    private(set) var unnamed: AnyClass?
    private(set) var hasCollectionKey = false
    /// The objects encoded so far, by their places in the table, so that a shared object is encoded once.
    private var places: [ObjectIdentifier: Int] = [:]
    /// Keeps the encoded objects alive, so that no new object gets the identity of one of them.
    private var kept: [AnyObject] = []
    /// The objects that are being encoded.
    private var open: Set<ObjectIdentifier> = []
    /// How deep the value that is added is nested.
    private var depth = 0
    private var objects: [BinaryPropertyList] = [.string("$null")]
    private var scalars: [BinaryPropertyList: Int] = [:]
    private var classes: [String: Int] = [:]

    /// Adds a value to the table and returns its index.
    mutating func add(_ value: Any) throws -> Int {
        if let scalar = BinaryPropertyList(scalar: value) { return add(scalar) }
        guard depth < KeyedArchive.deepest else { throw NestedTooDeep() }
        depth += 1
        defer { depth -= 1 }
        switch value {
        case let url as URL: return try addURL(url)
        case let uuid as UUID:
            return add("NSUUID", ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
        case let date as Date: return add("NSDate", ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case is NSNull: return add("NSNull", [:])
        case let key as RowKey: return add(key)
        case let array as [Any]: return add("NSArray", ["NS.objects": try references(array)])
        case let dictionary as [AnyHashable: Any]: return try addDictionary(dictionary)
        case let set as Set<AnyHashable>: return add("NSSet", ["NS.objects": try references(set.map(\.base))])
        case let object as any NSCoding & AnyObject: return try add(object)
        default: throw NotArchivable(type: type(of: value))
        }
    }

    private mutating func add(_ object: any NSCoding & AnyObject) throws -> Int {
        let identity = ObjectIdentifier(object)
        if let place = places[identity] { return place }
        if ArchivedClassName.isOfFoundation(type(of: object)) {
            foreign = type(of: object)
            return 0
        }
        if ArchivedClassName.name(of: type(of: object)) == nil { unnamed = type(of: object) }
        let classes = try KeyedArchive.names(of: object)
        guard KeyedArchive.offers(type(of: object), as: classes[0]) else {
            throw UnofferedClass(type: type(of: object))
        }
        guard open.insert(identity).inserted else { throw CircularObject(type: type(of: object)) }
        defer { open.remove(identity) }
        let place = try add(ArchivedObject(classes: classes, fields: try FieldEncoder.fields(of: object)))
        places[identity] = place
        kept.append(object)
        return place
    }

    mutating func add(_ object: ArchivedObject) throws -> Int {
        // Its place, before what it refers to.
        let index = objects.count
        objects.append(.string(""))
        var fields: [String: BinaryPropertyList] = [:]
        for (name, field) in object.fields.sorted(by: { $0.key < $1.key }) {
            fields[ArchivedObject.escaped(name)] =
                switch field {
                case .inline(let value): value
                case .object(let value): .uid(try value.map { try add($0) } ?? 0)
                case .conditional(let value): .uid(try value.map { isOpen($0) ? 0 : try add($0) } ?? 0)
                }
        }
        fields["$class"] = .uid(classIndex(object.classes))
        objects[index] = .dictionary(fields)
        return index
    }

    private func isOpen(_ value: Any) -> Bool {
        (value as? any NSCoding & AnyObject).map { open.contains(ObjectIdentifier($0)) } ?? false
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

    private mutating func add(_ key: RowKey) -> Int {
        hasCollectionKey = true
        return add(
            "YapCollectionKey",
            ["collection": .uid(add(.string(key.collection))), "key": .uid(add(.string(key.key)))])
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

/// An object that is part of itself, which no initializer could decode.
struct CircularObject: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String {
        "An object of type \(type) contains itself. Encode what leads back to it with encodeConditionalObject(_:forKey:), or not at "
            + "all."
    }
}

/// A value that no archive can hold, because reading it would take too much stack.
struct NestedTooDeep: Error, CustomStringConvertible {
    var description: String {
        "The value has more than \(KeyedArchive.deepest) levels of arrays, dictionaries and objects."
    }
}
