import ListChanges

/// The content of a commit record for other processes: enough to update their caches and to build exact change-sets.
///
/// It comes from the file and may be wrong: ``Snapshot/isReached(from:by:)`` checks it before it is used.
struct CommitContent: Sendable {
    var edits: RowEdits
    /// The rows that were removed, with the rowids that they had; nil if the record does not say it.
    var removed: [RemovedRow]?
    /// The bytes of the log of each extension that changed, by its name.
    var logs: [String: [UInt8]]
    /// Whether `logs` lacks a change: of an extension whose log has no stored form, or of one that was populated on
    /// registration.
    var isIncomplete: Bool
}

extension CommitContent {
    /// The changes by row. O(1) of a content that was read.
    var changes: RowChanges { edits.changes }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(isIncomplete ? Self.incomplete : Self.complete)
        edits.write(to: &writer)
        writer.write(logs.count)
        for (name, log) in logs {
            writer.write(name)
            writer.write(log)
        }
        // Earlier releases read no further.
        if let removed {
            writer.write(removed.count)
            for row in removed {
                writer.write(row.key.collection)
                writer.write(row.key.key)
                writer.write(Int(row.rowid))
            }
        }
        return writer.bytes
    }

    /// Returns nil if the bytes are invalid.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let kind = reader.int(), [Self.complete, Self.incomplete].contains(kind),
            let edits = RowEdits(&reader), let count = reader.count()
        else { return nil }
        var logs: [String: [UInt8]] = [:]
        for _ in 0..<count {
            guard let name = reader.text(), let log = reader.data() else { return nil }
            logs[name] = Array(log)
        }
        let removed = reader.isAtEnd ? nil : Self.removed(&reader)
        self.init(edits: edits, removed: removed, logs: logs, isIncomplete: kind == Self.incomplete)
    }

    private static func removed(_ reader: inout ByteReader) -> [RemovedRow]? {
        guard let count = reader.count(), count <= MissedChanges.limit else { return nil }
        var rows: [RemovedRow] = []
        for _ in 0..<count {
            guard let collection = reader.text(), let key = reader.text(), let rowid = reader.int() else { return nil }
            rows.append(RemovedRow(rowid: Int64(rowid), key: RowKey(collection: collection, key: key)))
        }
        return rows
    }

    /// The first number of a record. An earlier layout used 0 and 1.
    private static let (complete, incomplete) = (2, 3)
}

extension RowEdits {
    /// New rows are written as they are listed, without an index. So a collection may come twice, and a row as often as it was inserted.
    fileprivate func write(to writer: inout ByteWriter) {
        writer.write(others.isAllCleared ? 1 : 0)
        writer.write(others.clearedCollections.count)
        for collection in others.clearedCollections { writer.write(collection.text) }
        let new = inserted.filter { !$0.keys.isEmpty }
        writer.write(others.rows.count + new.count)
        for (collection, kinds) in others.rows {
            writer.write(collection.text)
            writer.write(kinds.count)
            for (key, kind) in kinds {
                writer.write(key.text)
                writer.write(Int(kind.rawValue))
            }
        }
        for rows in new {
            writer.write(rows.collection)
            writer.write(rows.keys.count)
            for key in rows.keys {
                writer.write(key)
                writer.write(Int(RowChanges.Kind.new.rawValue))
            }
        }
    }

    fileprivate init?(_ reader: inout ByteReader) {
        var changes = RowChanges()
        guard let isAllCleared = reader.int(), let cleared = reader.count() else { return nil }
        if isAllCleared != 0 { changes.clearAll() }
        for _ in 0..<cleared {
            guard let collection = reader.text() else { return nil }
            changes.clear(collection)
        }
        guard let collections = reader.count() else { return nil }
        for _ in 0..<collections {
            guard let collection = reader.text(), let keys = reader.count() else { return nil }
            for _ in 0..<keys {
                guard let key = reader.text(), let kind = reader.int() else { return nil }
                changes.insert(
                    RowChanges.Kind(rawValue: UInt8(truncatingIfNeeded: kind)),
                    for: RowKey(collection: collection, key: key))
            }
        }
        self.init(changes)
    }
}
