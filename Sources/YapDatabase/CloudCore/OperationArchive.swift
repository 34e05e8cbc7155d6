import Foundation

/// Returns the bytes that are stored for an operation.
public typealias YDBCloudCoreOperationSerializer = @Sendable (YapDatabaseCloudCoreOperation) throws -> Data
/// Returns the operation of stored bytes.
public typealias YDBCloudCoreOperationDeserializer = @Sendable (Data) throws -> YapDatabaseCloudCoreOperation

/// The default form of stored operations: that of the original, a keyed archive.
enum OperationArchive {
    private static let baseName = "YapDatabaseCloudCoreOperation"

    static func encode(_ operation: YapDatabaseCloudCoreOperation) throws -> Data {
        let fields = try FieldEncoder.fields(of: operation)
        return try KeyedArchive.encode(ArchivedObject(classes: try names(of: operation), fields: fields))
    }

    static func decode(_ data: Data) throws -> YapDatabaseCloudCoreOperation {
        let object = try KeyedArchive.decodeObject(data)
        let name = object.classes[0]
        guard let type = type(named: name) else { throw UnknownClass(name: name) }
        return try FieldDecoder.object(of: type, object.fields)
    }

    /// The name of the operation's class in archives, and those of its superclasses.
    private static func names(of operation: YapDatabaseCloudCoreOperation) throws -> [String] {
        var names: [String] = []
        var mirror: Mirror? = Mirror(reflecting: operation)
        while let type = mirror?.subjectType as? AnyClass, type != YapDatabaseCloudCoreOperation.self {
            names.append(try KeyedArchive.name(of: type))
            mirror = mirror?.superclassMirror
        }
        return names + [baseName, "NSObject"]
    }

    private static func type(named name: String) -> YapDatabaseCloudCoreOperation.Type? {
        if name == baseName { return YapDatabaseCloudCoreOperation.self }
        if let registered = KeyedArchive.registeredClasses[name] {
            return registered as? YapDatabaseCloudCoreOperation.Type
        }
        // The name comes from the file.
        return ArchivedClassName.isPlain(name) ? NSClassFromString(name) as? YapDatabaseCloudCoreOperation.Type : nil
    }
}
