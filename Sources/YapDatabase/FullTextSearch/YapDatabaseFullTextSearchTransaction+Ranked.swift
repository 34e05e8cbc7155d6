/// Searches for rows, the best matches first. Needs FTS5.
///
/// The weights say how much a match in each column counts, in the order of the columns; 1 for those without a weight.
extension YapDatabaseFullTextSearchTransaction {
    /// Calls `block` for the keys of the rows that match, until it sets `stop`.
    public func enumerateBm25OrderedKeys(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachKey(cursor(query, weights: weights)) {
            try block($1.collection, $1.key, &$2)
        }
    }

    /// Calls `block` for keys and metadata of the rows that match, the best first, until it sets `stop`.
    public func enumerateBm25OrderedKeysAndMetadata(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query, weights: weights), .metadata) {
            try block($1.key.collection, $1.key.key, $1.metadata, &$2)
        }
    }

    /// Calls `block` for keys and objects of the rows that match, the best first, until it sets `stop`.
    public func enumerateBm25OrderedKeysAndObjects(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query, weights: weights), .object) {
            try block($1.key.collection, $1.key.key, $1.object!, &$2)
        }
    }

    /// Calls `block` for keys, objects and metadata of the rows that match, the best first, until it sets `stop`.
    public func enumerateBm25OrderedRows(
        matching query: String, withWeights weights: [Double]? = nil,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, weights: weights), [.object, .metadata]) {
            try block($1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }
}
