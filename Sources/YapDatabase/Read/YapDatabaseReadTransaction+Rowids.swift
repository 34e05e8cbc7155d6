import ListChanges

/// Rows by rowid: what extensions keep.
extension YapDatabaseReadTransaction {
    func rowid(forKey key: RowKey) throws -> Int64? { try store.rowid(forKey: key) }

    func key(forRowid rowid: Int64) throws -> RowKey? { try store.key(forRowid: rowid) }

    /// The object of a row that the caller knows to be there.
    func object(forRowid rowid: Int64, key: RowKey) throws -> Any {
        let object = try store.row(.rowid(rowid), .object) { row in
            try row.withObject { try codings.decodeObject($0, key) }
        }
        guard let object else { throw missing(rowid, key) }
        return object
    }

    /// The metadata of a row that the caller knows to be there; nil when it has none.
    func metadata(forRowid rowid: Int64, key: RowKey) throws -> Any? {
        let metadata = try store.row(.rowid(rowid), .metadata) { row in
            try row.withMetadata { try $0.map { try codings.decodeMetadata($0, key) } }
        }
        guard let metadata else { throw missing(rowid, key) }
        return metadata
    }

    private func missing(_ rowid: Int64, _ key: RowKey) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt,
            "\(key) should be row \(rowid), which does not exist. Run `yap check`; a view with another tag is rebuilt.")
    }
}
