import ListChanges

/// Enumerations of every row, in unspecified order. Filters, types and errors are as for one collection.
extension YapDatabaseReadTransaction {
    /// Collections and keys of all rows. Reads the index only.
    public func iterateKeysInAllCollections(
        _ body: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try scan(.all, .keys) { try body($0.key.collection, $0.key.key, &$1) }
    }

    /// Collections, keys and objects of all rows.
    public func iterateKeysAndObjectsInAllCollections<Object>(
        _ body: (_ collection: String, _ key: String, _ object: Object, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(as: Object.self), &$1)
        }
    }

    /// Collections, keys and metadata of all rows; nil for a row without metadata.
    public func iterateKeysAndMetadataInAllCollections<Metadata>(
        _ body: (_ collection: String, _ key: String, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.metadata(as: Metadata.self), &$1)
        }
    }

    /// Collections, keys, objects and metadata of all rows.
    public func iterateRowsInAllCollections<Object, Metadata>(
        _ body: (
            _ collection: String, _ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool
        ) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body(
                $0.key.collection, $0.key.key, $0.object(as: Object.self), $0.metadata(as: Metadata.self), &$1)
        }
    }
}
