import ListChanges

extension YapDatabaseReadTransaction {
    /// Returns a row's codings. Keeps those of the last collection, because rows are mostly accessed by collection.
    func coding(_ key: RowKey) -> RowCoding {
        if let lastCoding, lastCoding.collection.hasSameBytes(as: key.collection) { return lastCoding }
        let coding = codings.row(key.collection)
        lastCoding = coding
        return coding
    }

    func decodeObject(_ row: StoredRow, _ key: RowKey) throws -> Any {
        try row.withObject { try coding(key).object.decoded($0, key) }
    }

    /// Returns nil if the row has no metadata.
    func decodeMetadata(_ row: StoredRow, _ key: RowKey) throws -> Any? {
        try row.withMetadata { bytes in
            guard let bytes else { return nil }
            return try coding(key).metadata.decoded(bytes, key)
        }
    }
}
