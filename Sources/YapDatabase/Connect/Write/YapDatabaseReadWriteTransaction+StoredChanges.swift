import Foundation
import ListChanges

/// What a transaction has changed, as bytes.
package enum StoredChange {
    /// All rows of a collection were removed. What was written afterwards follows.
    case cleared(collection: String)
    /// All rows were removed. What was written afterwards follows.
    case clearedAll
    /// The row is gone.
    case removed(RowKey)
    /// The row is there and was changed; `isNew` if there was none before, or another one that was removed.
    case written(RowKey, isNew: Bool, object: Bool, metadata: Bool, bytes: StoredBytes)
}

/// The stored bytes of a row.
package struct StoredBytes {
    package var object: Data
    /// Nil if the row has no metadata.
    package var metadata: Data?
}

extension YapDatabaseReadWriteTransaction {
    /// Whether rows of this state were changed so far.
    package var hasChangedRows: Bool { !changes.isEmpty }

    /// The number that the commit will have.
    package var numberOfCommit: Int { snapshot.number + 1 }

    /// The number of the state on which the transaction builds.
    package var numberBefore: Int { snapshot.number }

    /// Visits what was changed so far, each row once, as it is stored now: first removals of whole collections, then
    /// rows in no particular order. O(changed rows).
    package func forEachChange(
        inCollections isWanted: (String) -> Bool, _ body: (StoredChange) throws -> Void
    ) throws {
        let changes = changes.changes
        if changes.isAllCleared { try body(.clearedAll) }
        for collection in changes.clearedCollections where isWanted(collection.text) {
            try body(.cleared(collection: collection.text))
        }
        for (collection, kinds) in changes.rows where isWanted(collection.text) {
            for (name, kind) in kinds {
                let key = RowKey(collection: collection.text, key: name.text)
                guard let bytes = try storedBytes(key) else {
                    try body(.removed(key))
                    continue
                }
                try body(
                    .written(
                        key, isNew: kind.contains(.inserted), object: kind.contains(.object),
                        metadata: kind.contains(.metadata), bytes: bytes))
            }
        }
    }
}

extension YapDatabaseReadTransaction {
    /// The stored bytes of a row; nil if there is none.
    package func storedBytes(_ key: RowKey) throws -> StoredBytes? {
        try store.row(.key(key), .both) { row in
            StoredBytes(
                object: row.withObject { $0.map { Data($0) } ?? Data() },
                metadata: row.withMetadata { $0.map { Data($0) } })
        }
    }

    /// Visits the keys of all rows, by collection and key in the order of their bytes.
    package func forEachStoredKey(_ body: (RowKey) throws -> Void) throws {
        let cursor = try RowCursor(store, .all, .keys)
        while try cursor.next() { try body(cursor.key) }
    }

    /// A small value that belongs to the whole file, under a name of the library; nil if there is none.
    package func fileValue(_ name: String) throws -> String? { try store.yapText(extension: "", key: name) }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores a small value that belongs to the whole file, under a name of the library.
    package func setFileValue(_ value: String, _ name: String) throws {
        try store.setYapValue(.text(value), extension: "", key: name)
    }
}
