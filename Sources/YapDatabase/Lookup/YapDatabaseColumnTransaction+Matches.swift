import FileEngine
import ListChanges

/// A row that a query found.
struct QueryMatch {
    let rowid: Int64
    /// The part of its text that matches; empty if the query asks for none.
    let snippet: String
}

/// The content of a found row: as much as the query's caller asked for.
struct FoundContent {
    let key: RowKey
    let object: Any?
    let metadata: Any?
}

extension YapDatabaseColumnTransaction {
    /// Visits the keys of found rows.
    func forEachKey(
        _ cursor: IndexCursor, hasSnippets: Bool = false, _ body: (String, RowKey, inout Bool) throws -> Void
    ) throws {
        try forEach(cursor, hasSnippets, read: { try transaction.key(forRowid: $0) }) { try body($0.snippet, $1, &$2) }
    }

    /// Visits found rows with as much of their content as `needs` says.
    /// - Parameter passesOver: whether rows that cannot be decoded are left out.
    func forEachRow(
        _ cursor: IndexCursor, _ needs: RowNeeds, hasSnippets: Bool = false, passesOver: Bool = false,
        _ body: (String, FoundContent, inout Bool) throws -> Void
    ) throws {
        let (transaction, reader) = (transaction, try RowReader(transaction.store))
        let (needsObject, needsMetadata) = (needs.contains(.object), needs.contains(.metadata))
        func content(of rowid: Int64) throws -> FoundContent?? {
            var content: FoundContent?
            let isThere = try reader.row(rowid) { key, row in
                do {
                    content = FoundContent(
                        key: key,
                        object: needsObject
                            ? try transaction.caches.object(key) ?? transaction.decodeObject(row, key) : nil,
                        metadata: needsMetadata ? try transaction.decodeMetadata(row, key) : nil)
                } catch {
                    if passesOver { try passOver(rowid, error) } else { throw error }
                }
            }
            return isThere ? .some(content) : nil
        }
        try forEach(cursor, hasSnippets, read: content) { row, content, stop in
            if let content { try body(row.snippet, content, &stop) }
        }
    }

    /// Returns the values of found rows, in order, without those that cannot be decoded. No code of the program runs meanwhile, so many rows are read
    /// at once.
    /// - Parameter collection: that of all rows.
    func values<Value: Decodable>(
        of type: Value.Type, in collection: String, _ cursor: IndexCursor
    ) throws -> [Value] {
        let caches = try transaction.caches
        let reader = try RowBatchReader(transaction.store, isDerived: RowTable.isDerived(collection))
        var (values, batch): ([Value], [Int64]) = ([], [])
        func readBatch() throws {
            try reader.begin(batch)
            for rowid in batch {
                guard try reader.next() else {
                    if mayHaveLostRows { continue }
                    throw lostRow(rowid)
                }
                do {
                    let key = reader.key
                    let known = try caches.object(key).map { try cast($0, "object", key) as Value }
                    values.append(try known ?? transaction.decodeObject(reader.row, key, as: type))
                } catch {
                    try passOver(rowid, error)
                }
            }
            batch.removeAll(keepingCapacity: true)
        }
        while try cursor.next() {
            batch.append(cursor.rowid)
            if batch.count == RowBatchReader.limit { try readBatch() }
        }
        try readBatch()
        return values
    }

    /// A table that is behind may have rows that a program without the extension removed.
    private var mayHaveLostRows: Bool { transaction.snapshot.entry(name)?.behind != nil }

    /// In a read-write transaction all rows are found before the first is visited, so that the body may write. Rows that it
    /// removes are not visited any more.
    private func forEach<Content>(
        _ cursor: IndexCursor, _ hasSnippets: Bool, read: (Int64) throws -> Content?,
        _ body: (QueryMatch, Content, inout Bool) throws -> Void
    ) throws {
        func found() -> QueryMatch { QueryMatch(rowid: cursor.rowid, snippet: hasSnippets ? cursor.text(at: 1) : "") }
        let before = transaction.keyChanges
        var stop = false
        func visit(_ row: QueryMatch) throws {
            if let content = try read(row.rowid) { return try body(row, content, &stop) }
            if transaction.keyChanges == before, !mayHaveLostRows { throw lostRow(row.rowid) }
        }
        guard transaction is YapDatabaseReadWriteTransaction else {
            while !stop, try cursor.next() { try visit(found()) }
            return
        }
        var rows: [QueryMatch] = []
        while try cursor.next() { rows.append(found()) }
        for row in rows where !stop { try visit(row) }
    }

    private func lostRow(_ rowid: Int64) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt,
            "The extension \"\(name)\" has an entry for row \(rowid), which does not exist. Register it with another version tag "
                + "to fill it again; nothing is lost.")
    }
}

// Rows that changed while the extension was not notified.
extension YapDatabaseColumnTransaction {
    /// Stores the columns that rows should have. A row that cannot be decoded has none.
    func placeAgain(_ rows: RowsToPlace) throws {
        // A state that is completed in memory has the table as it is: a write brings it up to date.
        guard (transaction as? YapDatabaseReadWriteTransaction)?.isCompleting == false else { return }
        let store = transaction.store
        if rows.isAllGone { try didRemoveAll() }
        // Their keys may be unknown.
        try store.remove(rowids: rows.removed.lazy.map(\.rowid), from: table)
        for row in rows.changed where isAllowed(row.key) {
            if let values = try values(row.rowid, row.key, { try RowContent(row, needs: index.columnHandler.needs) }) {
                try store.set(values, rowid: row.rowid, in: table)
            } else {
                try store.remove(rowids: CollectionOfOne(row.rowid), from: table)
            }
        }
    }

    /// A block that cannot decode another row has no answer.
    private func knownValues(_ row: RowContent) throws -> [SQLValue]? {
        do {
            return try values(row, declared: declaredColumns(of: row))
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            return nil
        }
    }

    /// Compares the table with all rows; nil if it does not keep the values.
    func misplacedRows(_ check: () throws -> Void) throws -> RowComparison? {
        if table.layout.storesNoValues { return nil }
        var (found, count, unnoted) = (RowComparison(), 0, UndecodableNotes(of: self))
        let needs = index.columnHandler.needs
        try transaction.enumerateRows(
            allowedCollections: index.allowed, columns: needs.isEmpty ? .keys : .values
        ) { row, _ in
            if count % 256 == 0 { try check() }
            count += 1
            var isMisplaced = false
            let content = try unnoted.ifDecodable(row.rowid, &isMisplaced) { try RowContent(row, needs: needs) }
            let values = try content.flatMap(knownValues)
            if try transaction.store.difference(of: table, rowid: row.rowid, from: values) != nil { isMisplaced = true }
            if isMisplaced { found.misplaced.append(row.key) }
        }
        found.gone = try goneRows()
        return found
    }
}
