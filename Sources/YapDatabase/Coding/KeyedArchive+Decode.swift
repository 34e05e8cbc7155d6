import Foundation
import ListChanges

extension KeyedArchive {
    /// Decodes an archive. Strings, dates, data, URLs and UUIDs become Swift values, numbers `NSNumber` (which casts to
    /// any number type), arrays `[Any]`, dictionaries `[String: Any]` or `[AnyHashable: Any]`, sets `Set<AnyHashable>`, the
    /// original's collection keys `RowKey`.
    static func decode(_ data: Data) throws -> Any {
        let registered = registeredClasses
        var decoder = try Decoder(BinaryPropertyList.read(data), registered)
        guard decoder.needsFoundation else { return try decoder.root() }
        if let name = decoder.classForeignToFoundation { throw UnknownClass(name: name) }
        return try decodeWithFoundation(data, registered)
    }

    /// Decodes an archive whose root is an object of any class, by its fields.
    /// - Parameter skipsUnreadable: leaves fields out whose values cannot be decoded, instead of throwing.
    static func decodeObject(_ data: Data, skipsUnreadable: Bool = false) throws -> ArchivedObject {
        var decoder = try Decoder(BinaryPropertyList.read(data), registeredClasses)
        return try decoder.rootObject(skipsUnreadable: skipsUnreadable)
    }

    /// Whether Foundation decodes the archive, because the program has registered a class of Foundation whose object it has.
    static func isForFoundation(_ data: Data) throws -> Bool {
        try Decoder(BinaryPropertyList.read(data), registeredClasses).needsFoundation
    }

    private static func decodeWithFoundation(_ data: Data, _ classes: [String: AnyClass]) throws -> Any {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        for (name, type): (String, AnyClass) in classes { unarchiver.setClass(type, forClassName: name) }
        defer { unarchiver.finishDecoding() }
        guard let value = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) else {
            throw unarchiver.error ?? CocoaError(.coderValueNotFound)
        }
        return value
    }
}

private struct Decoder {
    private let objects: [BinaryPropertyList]
    private let rootIndex: Int
    /// The values decoded so far, by index in the table, so that a shared value is decoded once.
    private var values: [Int: Any] = [:]
    private var open: Set<Int> = []

    /// The program's classes by their names in archives.
    private let registered: [String: AnyClass]

    init(_ list: BinaryPropertyList, _ registered: [String: AnyClass]) throws {
        guard let objects = list.dictionary?["$objects"]?.array,
            let root = list.dictionary?["$top"]?.dictionary?["root"]?.uid
        else { throw BinaryPropertyList.Malformed("it is not a keyed archive") }
        self.objects = objects
        rootIndex = root
        self.registered = registered
    }

    /// Whether the archive has objects of Foundation's own classes that only Foundation can decode.
    var needsFoundation: Bool {
        objects.contains { entry in
            guard let name = entry.dictionary?["$classname"]?.string, let type = registered[name] else { return false }
            return ArchivedClassName.isOfFoundation(type)
        }
    }

    /// The name of the original's class that this code decodes and Foundation does not, if an object has it.
    var classForeignToFoundation: String? {
        let name = PlainClass.collectionKey.rawValue
        let isThere = objects.contains { $0.dictionary?["$classname"]?.string == name }
        return isThere && registered[name] == nil ? name : nil
    }

    mutating func root() throws -> Any {
        guard let value = try value(at: rootIndex) else { throw BinaryPropertyList.Malformed("its root is null") }
        return value
    }

    mutating func rootObject(skipsUnreadable: Bool) throws -> ArchivedObject {
        guard objects.indices.contains(rootIndex), let stored = objects[rootIndex].dictionary,
            let classIndex = stored["$class"]?.uid, objects.indices.contains(classIndex),
            let name = objects[classIndex].dictionary?["$classname"]?.string
        else { throw BinaryPropertyList.Malformed("its root has no class") }
        let names = objects[classIndex].dictionary?["$classes"]?.array?.compactMap(\.string) ?? []
        var object = ArchivedObject(classes: names.first == name ? names : [name], fields: [:])
        // A field must not lead back to the object.
        open.insert(rootIndex)
        object.fields = try fields(stored, skipsUnreadable: skipsUnreadable)
        return object
    }

    private mutating func fields(
        _ stored: [String: BinaryPropertyList], skipsUnreadable: Bool = false
    ) throws -> [String: ArchivedObject.Field] {
        var fields: [String: ArchivedObject.Field] = [:]
        for (key, field) in stored where key != "$class" {
            guard let index = field.uid else {
                fields[ArchivedObject.unescaped(key)] = .inline(field)
                continue
            }
            do {
                fields[ArchivedObject.unescaped(key)] = .object(try value(at: index))
            } catch  where skipsUnreadable {}
        }
        return fields
    }

    /// Decodes the value at an index; nil for the archive's null.
    private mutating func value(at index: Int) throws -> Any? {
        guard objects.indices.contains(index) else { throw BinaryPropertyList.Malformed("a reference leads nowhere") }
        if index == 0 { return nil }
        if let known = values[index] { return known }
        // What is innermost is no container.
        guard open.count <= KeyedArchive.deepest else { throw BinaryPropertyList.Malformed("it is nested too deep") }
        guard open.insert(index).inserted else { throw BinaryPropertyList.Malformed("an object contains itself") }
        defer { open.remove(index) }
        let value = try plain(objects[index])
        values[index] = value
        return value
    }

    private mutating func plain(_ object: BinaryPropertyList) throws -> Any {
        switch object {
        case .dictionary(let fields): return try instance(fields)
        case .array: throw BinaryPropertyList.Malformed("an entry of the table is a list")
        default: return try object.plain()
        }
    }

    private mutating func instance(_ fields: [String: BinaryPropertyList]) throws -> Any {
        guard let classIndex = fields["$class"]?.uid, objects.indices.contains(classIndex),
            let name = objects[classIndex].dictionary?["$classname"]?.string
        else { throw BinaryPropertyList.Malformed("an object has no class") }
        guard registered[name] == nil, let plainClass = PlainClass(rawValue: name) else {
            return try object(of: name, fields)
        }
        switch plainClass.kind {
        case .array: return try list(fields["NS.objects"])
        case .set: return Set(try list(fields["NS.objects"]).map(Self.hashable))
        case .dictionary: return try dictionary(fields)
        case .string: return try string(fields)
        case .data: return try data(fields, "NS.data", "NS.bytes")
        case .date: return Date(timeIntervalSinceReferenceDate: try real(fields["NS.time"]))
        case .url: return try url(fields)
        case .uuid: return try uuid(data(fields, "NS.uuidbytes"))
        case .null: return NSNull()
        case .collectionKey: return try collectionKey(fields)
        }
    }

    /// Decodes an object of a class of the program.
    private mutating func object(of name: String, _ stored: [String: BinaryPropertyList]) throws -> Any {
        guard let type = (registered[name] ?? ArchivedClassName.type(named: name)) as? any NSCoding.Type else {
            throw UnknownClass(name: name)
        }
        return try FieldDecoder.object(of: type, fields(stored))
    }

    private mutating func list(_ references: BinaryPropertyList?) throws -> [Any] {
        guard let references = references?.array else { throw BinaryPropertyList.Malformed("a list has no objects") }
        return try references.map { reference in
            guard let index = reference.uid, let value = try value(at: index) else {
                throw BinaryPropertyList.Malformed("a list has a hole")
            }
            return value
        }
    }

    private mutating func dictionary(_ fields: [String: BinaryPropertyList]) throws -> Any {
        let (keys, values) = (try list(fields["NS.keys"]), try list(fields["NS.objects"]))
        guard keys.count == values.count else { throw BinaryPropertyList.Malformed("a dictionary has odd entries") }
        if let names = keys as? [String] { return Dictionary(zip(names, values), uniquingKeysWith: { $1 }) }
        return Dictionary(zip(try keys.map(Self.hashable), values), uniquingKeysWith: { $1 })
    }

    private mutating func string(_ fields: [String: BinaryPropertyList]) throws -> String {
        if let string = fields["NS.string"] {
            if let string = string.string { return string }
            if let index = string.uid, let string = try value(at: index) as? String { return string }
        }
        return String(decoding: try data(fields, "NS.bytes"), as: UTF8.self)
    }

    private mutating func data(_ fields: [String: BinaryPropertyList], _ names: String...) throws -> Data {
        for name in names {
            if case .data(let data)? = fields[name] { return data }
            if let index = fields[name]?.uid, let data = try value(at: index) as? Data { return data }
        }
        throw BinaryPropertyList.Malformed("an object has no data")
    }

    private mutating func collectionKey(_ fields: [String: BinaryPropertyList]) throws -> RowKey {
        guard let index = fields["key"]?.uid, let key = try value(at: index) as? String else {
            throw BinaryPropertyList.Malformed("a collection key has no key")
        }
        let collection = try fields["collection"]?.uid.flatMap { try value(at: $0) }
        return RowKey(collection: collection as? String ?? "", key: key)
    }

    private func real(_ value: BinaryPropertyList?) throws -> Double {
        switch value {
        case .real(let real)?: return real
        case .integer(let integer)?: return Double(integer)
        default: throw BinaryPropertyList.Malformed("a date has no time")
        }
    }

    private mutating func url(_ fields: [String: BinaryPropertyList]) throws -> URL {
        let base = try fields["NS.base"]?.uid.flatMap { try value(at: $0) } as? URL
        guard let index = fields["NS.relative"]?.uid, let relative = try value(at: index) as? String,
            let url = URL(string: relative, relativeTo: base)
        else { throw BinaryPropertyList.Malformed("an object is no URL") }
        return url
    }

    private func uuid(_ data: Data) throws -> UUID {
        guard data.count == 16 else { throw BinaryPropertyList.Malformed("an object is no UUID") }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func hashable(_ value: Any) throws -> AnyHashable {
        guard let hashable = value as? AnyHashable else {
            throw BinaryPropertyList.Malformed("a set or a dictionary has an element that is not hashable")
        }
        return hashable
    }
}

/// The classes whose objects are decoded to Swift values here.
private enum PlainClass: String {
    case NSArray, NSMutableArray, NSSet, NSMutableSet, NSDictionary, NSMutableDictionary, NSString, NSMutableString
    case NSData, NSMutableData, NSDate, NSURL, NSUUID, NSNull
    case collectionKey = "YapCollectionKey"

    enum Kind {
        case array, set, dictionary, string, data, date, url, uuid, null, collectionKey
    }

    var kind: Kind {
        switch self {
        case .NSArray, .NSMutableArray: .array
        case .NSSet, .NSMutableSet: .set
        case .NSDictionary, .NSMutableDictionary: .dictionary
        case .NSString, .NSMutableString: .string
        case .NSData, .NSMutableData: .data
        case .NSDate: .date
        case .NSURL: .url
        case .NSUUID: .uuid
        case .NSNull: .null
        case .collectionKey: .collectionKey
        }
    }
}

/// An archive names a class that the program does not have.
struct UnknownClass: Error, CustomStringConvertible {
    let name: String
    var description: String {
        "The value is an object of the class \(name), which this program does not have. Register one with "
            + "YapDatabase.registerArchivedClass(_:as: \"\(name)\")."
    }
}
