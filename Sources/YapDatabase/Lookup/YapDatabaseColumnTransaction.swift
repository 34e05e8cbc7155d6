import Foundation
import ListChanges

/// A transaction's access to an extension that stores columns for rows.
public class YapDatabaseColumnTransaction: YapDatabaseExtensionTransaction {
    // Secondary indexes, full-text searches and R-trees share these hooks: each stores columns for a row, under its
    // rowid, in a table that SQLite searches. They have no state and no log, because the table belongs to SQLite's
    // snapshot. A handler sets the columns in a dictionary; `YapIndex` and `YapTextIndex` take them from the typed
    // value without one.
    //
    // A table whose definition is not exactly the library's is made again before anything is written to it. The text of
    // a query comes from the program's user. It becomes a part of one `SELECT` under the rules of the handle, so it can
    // only read, and an error names the place in the text.

    let index: any YapDatabaseColumnExtension & ExtensionHooks
    private(set) lazy var table = transaction.store.indexTable(index.layout, extension: name)

    init(
        index: any YapDatabaseColumnExtension & ExtensionHooks, name: String, transaction: YapDatabaseReadTransaction
    ) {
        self.index = index
        super.init(name: name, transaction: transaction)
    }

    /// Returns the tag of the handler that filled the table.
    public func versionTag() -> String { index.versionTag }

    /// Returns the rowids of the rows with these keys, for queries such as `WHERE rowid IN (?)`. Keys without a row are left
    /// out.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func rowids(forKeys keys: [String], inCollection collection: String? = nil) throws -> [String: Int64] {
        var rowids: [String: Int64] = [:]
        for key in keys { rowids[key] = try transaction.rowid(forKey: RowKey(collection: collection ?? "", key: key)) }
        return rowids
    }

    // MARK: Registering

    /// Whether the file has the table of this extension, so that no row needs to be read.
    func hasTable() throws -> Bool { try transaction.store.hasTable(index.layout, extension: name) }

    /// Creates the empty table.
    func createTable() throws { try transaction.store.createTable(table) }

    package func beginRegister(
        previous: RegisteredExtension?, progress: Progress?
    ) throws -> (any RowReceiver)? {
        if previous == index.registered, try hasTable() { return nil }
        try transaction.store.dropTables(ofExtension: name)
        try createTable()
        return try ColumnReceiver(self, progress)
    }

    func createIndexes() throws { try transaction.store.createIndexes(table) }

    /// Adds a row that is new to the table, if it belongs there.
    /// - Parameter read: decodes the row. A row that cannot be decoded is left out.
    func insert(_ rowid: Int64, _ key: RowKey, _ read: () throws -> RowContent) throws {
        guard let values = try values(rowid, key, read) else { return }
        try transaction.store.insert(values, rowid: rowid, into: table)
    }

    /// Inserts the columns of a row that were read from its bytes.
    func insert(_ columns: [SQLValue], rowid: Int64, by fields: FieldColumns) throws {
        guard let values = fields.stored(columns) else { return }
        try transaction.store.insert(values, rowid: rowid, into: table)
    }

    // MARK: Hooks

    package func didInsert(_ row: ChangedRow) throws {
        guard isAllowed(row.key) else { return }
        try insert(row.rowid, row.key) { try RowContent(row, needs: index.columnHandler.needs) }
    }

    package func didUpdate(_ row: ChangedRow) throws {
        guard isAllowed(row.key), index.columnHandler.invoke.includes(row) || isLeftOut(row.rowid) else { return }
        try retry(row)
    }

    package func recheck(_ row: ChangedRow) throws { try retry(row) }

    package func retry(_ row: ChangedRow) throws {
        let needs = index.columnHandler.needs
        if let values = try values(row.rowid, row.key, { try RowContent(row, needs: needs) }) {
            try transaction.store.set(values, rowid: row.rowid, in: table)
        } else {
            try transaction.store.remove(rowids: CollectionOfOne(row.rowid), from: table)
        }
    }

    package func didRemove(_ rows: [RemovedRow]) throws {
        try transaction.store.remove(rowids: rows.lazy.filter { self.isAllowed($0.key) }.map(\.rowid), from: table)
    }

    package func didRemoveAll() throws { try transaction.store.removeAll(from: table) }

    // MARK: Rows that changed while it was not notified

    package func place(_ rows: RowsToPlace) throws { try placeAgain(rows) }

    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? { try misplacedRows(check) }

    package func numberOfRowsToCompare() throws -> Int { try transaction.count(allowedCollections: index.allowed) }

    package func goneRows() throws -> [Int64] { try transaction.store.rowidsWithoutRow(inTable: table.quoted) }

    // MARK: Changed handlers

    package func rowsToAskAbout(limit: Int) throws -> [Int64] {
        guard index.columnHandler.invoke.follows(index.columnHandler.needs) else { return [] }
        return try transaction.store.sampleOfRows(limit: limit) { index.allowed?.isAllowed($0) ?? true }
    }

    package func disagreement(aboutRow rowid: Int64) throws -> Disagreement? {
        guard let row = try transaction.content(ofRowid: rowid, needs: index.columnHandler.needs) else { return nil }
        let values = try values(row, declared: declaredColumns(of: row))
        return try transaction.store.difference(of: table, rowid: rowid, from: values).map(Disagreement.init)
    }

    func isAllowed(_ key: RowKey) -> Bool { index.allowed?.isAllowed(key.collection) ?? true }

    // MARK: Columns

    /// The values of all columns; nil if the row does not belong into the table, or cannot be decoded.
    func values(_ rowid: Int64, _ key: RowKey, _ read: () throws -> RowContent) throws -> [SQLValue]? {
        let decoded = try decoding(rowid, key, index.columnHandler.needs) {
            let row = try read()
            return (row, try declaredColumns(of: row))
        }
        return try decoded.flatMap { try values($0, declared: $1) }
    }

    /// The columns that fields declare; nil if the handler has to be asked.
    func declaredColumns(of row: RowContent) throws -> [SQLValue]? {
        try index.fields?.byObject(row.object, row.key)
    }

    /// The values of all columns; nil if there is none, so that the row does not belong into the table.
    func values(_ row: RowContent, declared columns: [SQLValue]?) throws -> [SQLValue]? {
        if let columns, let fields = index.fields { return fields.stored(columns) }
        var set: [String: Any] = [:]
        try index.columnHandler.fill(transaction, &set, row)
        if set.isEmpty { return nil }
        var known = 0
        let values = try index.layout.columns.map { column -> SQLValue in
            guard let value = set[column] else { return .null }
            known += 1
            guard let stored = SQLValue(value) else { throw unfit(value, column, row.key) }
            return stored
        }
        guard known == set.count else { throw unknownColumn(in: set) }
        return values
    }

    private func unfit(_ value: Any, _ column: String, _ key: RowKey) -> YapDatabaseError {
        YapDatabaseError(
            .encodingFailed,
            "The handler of the extension \"\(name)\" sets the column \"\(column)\" of \(key) to a \(type(of: value)), which "
                + "SQLite cannot store. Set a text, a number, a date or data.")
    }

    private func unknownColumn(in set: [String: Any]) -> YapDatabaseError {
        let column = set.keys.filter { !index.layout.columns.contains($0) }.min() ?? ""
        return YapDatabaseError(
            .badExtension,
            "The handler of the extension \"\(name)\" sets a column \"\(column)\", which the extension does not have. Add it to "
                + "the columns and change the version tag.")
    }
}
