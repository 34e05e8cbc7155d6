import ObjectDecoding
import SQLiteBridge
import YapDatabase

/// A search through the rows of a file: in their keys, and in what their bytes mean.
///
/// It runs on the caller's thread, in portions, so that other background work comes in between. It takes rows as the index
/// of their keys has them and keeps nothing; `ListSearch` of the screen goes by places in a list and keeps its matches.
package struct RowSearch {
    /// How far a search has come.
    package struct Progress: Hashable, Sendable {
        package var searched = 0
        package var found = 0
    }

    package var text: SearchText
    /// Nil: all collections.
    package var collection: StoredText?
    /// Whether to look at keys alone, which needs no row to be read.
    package var isKeysOnly: Bool
    package var decoder = RowDecoder()

    package init(_ text: SearchText, collection: StoredText? = nil, isKeysOnly: Bool = false) {
        self.text = text
        self.collection = collection
        self.isKeysOnly = isKeysOnly
    }

    /// Entries of the index to look at in one go: tens of milliseconds for keys, more where rows are decoded.
    private static let keyPortion = 50_000
    private static let rowPortion = 500

    /// Searches to the end, in the order of collections and keys.
    /// - Parameters:
    ///   - progress: called after each portion; false ends the search.
    ///   - found: called with the rowid of each row found, inside the snapshot's lock for work.
    package func run(
        in snapshot: FileSnapshot, progress: (Progress) throws -> Bool = { _ in true },
        found: (Int64, Store) throws -> Void
    ) throws {
        let table = try snapshot.rowTable()
        var done = Progress()
        var position: (collection: StoredText, key: StoredText)?
        var isOver = false
        while !isOver {
            try snapshot.work { store in
                let statement = try statement(table, from: position, store)
                defer { statement.reset() }
                var count = 0
                let portion = isKeysOnly ? Self.keyPortion : Self.rowPortion
                while count < portion {
                    guard try statement.step() else { return isOver = true }
                    count += 1
                    done.searched += 1
                    if try matches(statement, snapshot, store) {
                        done.found += 1
                        try found(statement.int64(at: 0), store)
                    }
                }
                position = (StoredText(statement, at: 1), StoredText(statement, at: 2))
            }
            if try !progress(done) { return }
        }
    }

    private func matches(_ statement: SQLiteStatement, _ snapshot: FileSnapshot, _ store: Store) throws -> Bool {
        if statement.withBytes(at: 2, { text.isFound(in: $0) }) { return true }
        guard !isKeysOnly else { return false }
        let row = try snapshot.row(statement.int64(at: 0), valueBytes: FileSnapshot.valueBytes, store)
        return [decoder.object(of: row), decoder.metadata(of: row)].contains { value in
            guard let value else { return false }
            var bytes: [UInt8] = []
            value.value.appendSearchText(to: &bytes)
            return bytes.withUnsafeBytes { text.isFound(in: $0) }
        }
    }

    /// The entries of the index from a position on, each with rowid, collection and key.
    private func statement(
        _ table: FileSchema.Table, from position: (collection: StoredText, key: StoredText)?, _ store: Store
    ) throws -> SQLiteStatement {
        var conditions: [String] = []
        if collection != nil { conditions.append(#""collection" = ?1"#) }
        if position != nil {
            conditions.append(collection == nil ? #"("collection", "key") > (?2, ?3)"# : #""key" > ?3"#)
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let statement = try store.handle.statement(
            #"SELECT rowid, "collection", "key" FROM \#(table.name.quotedSQL) \#(condition) ORDER BY "collection", "key""#
        )
        try collection?.bind(to: statement, at: 1)
        if collection == nil { try position?.collection.bind(to: statement, at: 2) }
        try position?.key.bind(to: statement, at: 3)
        return statement
    }
}
