/// Enumerations whose closures receive `Any`.
extension YapDatabaseReadTransaction {
    /// Keys and objects of a collection. Ordered, filtered and stopped like the typed form.
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndObjects(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Any, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(), &$1)
        }
    }

    /// Keys and metadata of a collection; nil for a row without metadata. Ordered, filtered and stopped like the typed form.
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndMetadata(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.metadata(), &$1)
        }
    }

    /// Keys, objects and metadata of a collection. Ordered, filtered and stopped like the typed form.
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateRows(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(), $0.metadata(), &$1)
        }
    }

    /// Collections, keys and objects of all rows. Ordered, filtered and stopped like the typed form.
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndObjectsInAllCollections(
        _ body: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(), &$1)
        }
    }

    /// Collections, keys and metadata of all rows; nil for a row without metadata. Ordered, filtered and stopped like the
    /// typed form.
    ///
    /// Example: `iterateKeysAndObjectsInAllCollections`.
    ///
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndMetadataInAllCollections(
        _ body: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.metadata(), &$1)
        }
    }

    /// Collections, keys, objects and metadata of all rows. Ordered, filtered and stopped like the typed form.
    ///
    /// Example: `iterateKeysAndObjectsInAllCollections`.
    ///
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateRowsInAllCollections(
        _ body: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(), $0.metadata(), &$1)
        }
    }
}
