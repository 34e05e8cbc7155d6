import FileEngine
import Foundation

/// Writes fetched rows into the file, in one transaction.
struct FetchedRowWriter {
    let transaction: YapDatabaseReadWriteTransaction
    let fetched: Fetched
    let collections: YapDatabaseServerCollections
    /// The number of rows that were written or removed.
    private(set) var count = 0
    /// Keys of rows that the caller writes itself.
    var excluded: KeySet?
    /// Rows that the file cannot take.
    private(set) var unusable: UnusableRows

    /// Rows that are removed in one step.
    private static let batch = 1_000

    init(
        _ fetched: Fetched, _ collections: YapDatabaseServerCollections, in transaction: YapDatabaseReadWriteTransaction
    ) {
        self.transaction = transaction
        self.fetched = fetched
        unusable = fetched.unusable
        self.collections = collections
    }

    mutating func run() throws {
        if let base = fetched.base { try applyChanges(since: base) } else { try makeEqual() }
    }

    private func isWanted(_ key: RowKey) -> Bool {
        collections.contains(key.collection) && excluded?.contains(key) != true
    }

    /// Each row is named once, so the order does not matter: removals are together.
    private mutating func applyChanges(since base: Int) throws {
        if fetched.rows.removals > 0 {
            var gone: [RowKey] = []
            try fetched.rows.forEach { row in
                guard row.isGone, isWanted(row.key) else { return }
                guard try transaction.hasObject(forKey: row.key.key, inCollection: row.key.collection) else { return }
                gone.append(row.key)
                count += 1
                guard gone.count >= Self.batch else { return }
                try transaction.remove(gone)
                gone = []
            }
            try transaction.remove(gone)
        }
        try fetched.rows.forEach { row in
            guard !row.isGone, !row.isUnusable, isWanted(row.key) else { return }
            try apply(row, since: base)
        }
    }

    private mutating func apply(_ row: ServerRow, since base: Int) throws {
        count += 1
        let exists = try transaction.hasObject(forKey: row.key.key, inCollection: row.key.collection)
        if row.born > base || !exists {
            guard let object = row.object else { return skip(row.key) }
            // Removed and inserted again since: the same for every list.
            if exists { try transaction.remove([row.key]) }
            return try transaction.insertStored(row.key, object: object, metadata: row.metadata)
        }
        switch (row.objectAt > base, row.metadataAt > base) {
        case (true, true):
            guard let object = row.object else { return skip(row.key) }
            try transaction.setStored(row.key, object: object, metadata: row.metadata)
        case (true, false):
            guard let object = row.object else { return skip(row.key) }
            try transaction.setStoredObject(row.key, object)
        case (false, true): try transaction.setStoredMetadata(row.key, row.metadata)
        case (false, false): count -= 1
        }
    }

    /// Writes the differences between the file and all rows of the space.
    private mutating func makeEqual() throws {
        try removeOthers()
        try fetched.rows.forEach { row in
            guard isWanted(row.key), let object = row.object else { return }
            let stored = try transaction.storedBytes(row.key)
            switch (stored?.object == object, stored.map { $0.metadata == row.metadata } ?? false) {
            case (true, true): return
            case (false, false): try transaction.setStored(row.key, object: object, metadata: row.metadata)
            case (false, true): try transaction.setStoredObject(row.key, object)
            case (true, false): try transaction.setStoredMetadata(row.key, row.metadata)
            }
            count += 1
        }
    }

    /// Removes the rows that the space does not have.
    private mutating func removeOthers() throws {
        let known = try KeySet(fetched.rows)
        var others: [RowKey] = []
        try transaction.forEachStoredKey { key in
            if isWanted(key), !known.contains(key) { others.append(key) }
        }
        count += others.count
        var rest = others[...]
        while !rest.isEmpty {
            try transaction.remove(Array(rest.prefix(Self.batch)))
            rest = rest.dropFirst(Self.batch)
        }
    }

    /// Notes a row that arrived without its object. The other rows are written all the same.
    private mutating func skip(_ key: RowKey) {
        count -= 1
        unusable.noteIncomplete(key)
    }
}
