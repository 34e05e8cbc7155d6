import ByteFormats
import SQLiteBridge
import FileEngine

/// A whole file as lines of JSON, from which `FileImport` makes a file with the same content.
///
/// The first line describes the file: `{"yap":1,"pageSize":…,"encoding":…,"autoVacuum":…,"userVersion":…,
/// "applicationID":…}`. Then comes a line for each table, index, trigger and view,
/// `{"create":"table","name":…,"sql":…}`, with `"counter"` for a table that has given out rowids by AUTOINCREMENT,
/// then one for each row of each table: `{"table":…,"rowid":…,"values":{…}}`, with values in the form of
/// `ExportedField`. A row of the row table also has its decoded `object` and `metadata`, for people and programs; an
/// import ignores them.
///
/// Indexes and virtual tables are exported as the tables that SQLite keeps for them, so that an import restores them
/// exactly.
///
/// Every readable row of a damaged file is exported. Rows of the row table are even found on pages to which no other page leads
/// (`RowRescue`). A line for each row that is known to be lost gives its key: `{"lost":"database2","rowid":…,"collection":…,
/// "key":…}`. The last line gives the number of rows, so that an import notices a missing part, what could not be read, and
/// what is otherwise than usual: `{"rows":{table: count},"damage":[sentences],"notes":[sentences]}`.
///
/// A virtual table that SQLite cannot make here has its reason: `{"create":"virtual","name":…,"sql":…,"foreign":sentence}`.
/// It is carried over as bytes, and the tables that its module keeps are ordinary ones.
package struct FileExport {
    private let snapshot: FileSnapshot
    private let hasMeaning: Bool
    private let checksKeys: Bool
    /// The rows read in one portion. The search for the place to continue costs nothing beside them.
    private static let portion = 10_000

    /// - Parameters:
    ///   - hasMeaning: whether the lines of rows have their decoded values too.
    ///   - checksKeys: whether rows are left out that the index of the keys does not name: in a damaged file a page of another table may be
    ///     where one of the rows was. Takes some hundred bytes of memory for each row.
    package init(_ file: BrowsedFile, hasMeaning: Bool = true, checksKeys: Bool = false) {
        (snapshot, self.hasMeaning, self.checksKeys) = (file.snapshot, hasMeaning, checksKeys)
    }

    /// Calls `write` with the lines and their line breaks: many at once, and a very long one in pieces.
    /// - Parameters:
    ///   - isCancelled: called repeatedly, also while SQLite works.
    ///   - write: also gets the name of the table whose rows they are; nil for lines about the whole file.
    /// - Returns: what is missing because it cannot be read, in sentences; empty for a sound file.
    /// - Throws: ``YapDatabaseError`` if not even the tables can be listed or the export is cancelled, and errors of
    ///   `write`.
    package func run(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> [String] {
        try report(isCancelled: isCancelled, write).damage
    }

    /// Like `run`, and says more of what was done.
    package func report(
        isCancelled: @escaping @Sendable () -> Bool = { false },
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> ExportReport {
        try withoutActuallyEscaping(write) { write in
            try snapshot.work { store in
                store.handle.cancelStatements(when: isCancelled)
                defer { store.handle.cancelStatements(when: nil) }
                // At most one large value is in memory.
                return try snapshot.withWholeValues(store) { try run(store, isCancelled, write) }
            }
        }
    }

    private func run(
        _ store: Store, _ isCancelled: @escaping () -> Bool,
        _ write: @escaping (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> ExportReport {
        // Whatever cannot be read at all fails before the first line.
        let (head, plan) = try (ExportHead(store), ExportPlan(store, snapshot, isCancelled: isCancelled))
        var rescue = LazyRescue(store, snapshot, plan, isCancelled)
        return try plan.export(head, to: write) { table, report in
            try export(table, plan, store, &rescue, &report, isCancelled, write)
        }
    }

    /// Exports a table.
    /// - Returns: the number of rows.
    private func export(
        _ table: ExportedItem.Table, _ plan: ExportPlan, _ store: Store, _ rescue: inout LazyRescue,
        _ report: inout ExportReport, _ isCancelled: @escaping () -> Bool,
        _ write: @escaping (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> Int {
        let isRows = table.name == (snapshot.schema.rows?.name ?? Schema.rowTable)
        let shape = LineShape(table, hasMeaning: isRows && hasMeaning)
        let rows = RowExport(shape, fileBytes: snapshot.bytes) { try write(table.name, $0) }
        var read = RowidRanges()
        var count = 0
        var loss: (any Error)? = plan.isLost(table) ? Self.noTable : nil
        let named = isRows && checksKeys && table.hasShapeOfRows ? try rescue.rescue?.namedRows() : nil
        if loss == nil {
            loss = try export(table, store, isCancelled) {
                if let named, named[$0.int64(at: 0)]?.contains([StoredText($0, at: 2), StoredText($0, at: 3)]) != true {
                    return
                }
                try rows.add($0)
                count += 1
                if table.hasRowid { read.append($0.int64(at: 0)) }
            }
        }
        // SQLite reads a page that another one was written over like any other.
        let isSuspected = try loss == nil && checksKeys && table.hasRowid && rescue.isTorn(table.name, isRows: isRows)
        if isSuspected { loss = Self.misplaced }
        var sentence = loss.map { "Rows of the table \"\(table.name)\" are missing. \($0.sentence)" }
        func add(_ record: StoredRecord) throws {
            try rows.add(record)
            count += 1
        }
        if isRows, table.hasShapeOfRows {
            if loss != nil || !hasAllKeys(read.count, store), let rescue = try rescue.rescue {
                sentence = report.add(try rescue.run(besides: read, add), sentence)
            }
        } else if let why = loss,
            let torn = try rescue.tornTables.first(where: { $0.name.hasSameBytes(as: table.name) })
        {
            let found = try rescue.rescue?.run(torn, among: rescue.tornTables, besides: read, add)
            sentence = report.add(found, of: table.name, isSuspected: isSuspected, why.sentence)
        }
        // A cancelled statement fails without any damage.
        if isCancelled() { throw YapDatabaseError(.interrupted, "The export was stopped before its end.") }
        try rows.end()
        if let sentence { report.note(sentence, table: table.name) }
        return count
    }

    private static let misplaced = YapDatabaseError(
        .corrupt, "A page of something else is where one of its pages was, or pages are not in their order.")
    private static let noTable = YapDatabaseError(.corrupt, "The schema no longer has it.")

    /// Whether the index of the keys has as many entries as rows were read. A damaged page may hide rows without an error.
    private func hasAllKeys(_ count: Int, _ store: Store) -> Bool {
        let sql = #"SELECT count(*) FROM "database2" INDEXED BY "true_primary_key""#
        guard let keys = try? store.first(sql, read: { Int($0.int64(at: 0)) }) else { return true }
        return keys <= count
    }

    /// Exports the rows of one table.
    /// - Returns: why rows are left out, if any are.
    private func export(
        _ table: ExportedItem.Table, _ store: Store, _ isCancelled: () -> Bool,
        _ row: (SQLiteStatement) throws -> Void
    ) throws -> (any Error)? {
        // A damaged column name need not be valid text and cannot be used in a statement.
        let isNamed = !table.columns.contains { $0.unicodeScalars.contains("\u{FFFD}") }
        let columns = isNamed ? table.columns.map(\.quotedSQL) : ["*"]
        do {
            return try readRows(table, columns, store, isCancelled, row)
        } catch let error as YapDatabaseError where error.message == RowExport.sharedPages.message {
            return error
        }
    }

    private func readRows(
        _ table: ExportedItem.Table, _ columns: [String], _ store: Store, _ isCancelled: () -> Bool,
        _ row: (SQLiteStatement) throws -> Void
    ) throws -> (any Error)? {
        if table.hasRowid, let rowid = table.columns.rowidName {
            let (name, behind) = (table.name.quotedSQL, columns.map { ", " + $0 }.joined())
            var walk = TableWalk()
            while !walk.isOver, !isCancelled() {
                try walk.visit(Self.portion, of: name, rowid: rowid, behind, store, row)
            }
            return walk.damage
        }
        let statement = try store.handle.statement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.quotedSQL)")
        defer { statement.reset() }
        // In a crafted tree the same page may follow itself without end.
        for _ in 0..<snapshot.maxEntries where !isCancelled() {
            do {
                guard try statement.step() else { return nil }
            } catch {
                return error
            }
            try row(statement)
        }
        return YapDatabaseError.endlessIndex
    }
}

/// The search for rows that nothing leads to, which reads the whole file and is made once, when a table needs it.
private struct LazyRescue {
    private let make: () throws -> (RowRescue, [TornTable])?
    private lazy var made = Result { try make() }

    init(_ store: Store, _ snapshot: FileSnapshot, _ plan: ExportPlan, _ isCancelled: @escaping () -> Bool) {
        make = {
            guard let pages = FilePages(store, maxFrames: snapshot.log?.frames) else { return nil }
            let rescue = try RowRescue(pages, roots: plan.roots, isCancelled: isCancelled)
            let tables = plan.tables.filter(\.hasRowid).map { (name: $0.name, columns: $0.columns.count) }
            return (rescue, try rescue.tornTables(tables, roots: plan.roots, store))
        }
    }

    var rescue: RowRescue? { mutating get throws { try made.get()?.0 } }
    var tornTables: [TornTable] { mutating get throws { try made.get()?.1 ?? [] } }

    /// Whether pages of a table are missing, or are those of something else.
    mutating func isTorn(_ table: String, isRows: Bool) throws -> Bool {
        guard let rescue = try rescue else { return false }
        return try isRows ? !rescue.hasWholeTable : tornTables.contains { $0.name.hasSameBytes(as: table) }
    }
}
