import ByteFormats
import FileEngine
import Foundation
import ListChanges
import SQLiteBridge

/// Makes a file from the lines of a ``FileExport``.
///
/// One transaction makes the whole file: after an error there is no file. A row that violates a constraint of its
/// table, as in some damaged files, is left out and reported.
///
/// The lines may come from anyone. A statement runs only if it creates what its line says, and the file grows no
/// further than lines of that length can justify.
package final class FileImport {
    /// The most tables, indexes and other items that an import creates: SQLite scans all of them for each new one.
    static let itemLimit = 50_000
    /// The most bytes of a statement.
    private static let statementLimit = 1_000_000

    let path: String
    let store: Store
    let rules: ImportRules
    private var room: ImportRoom
    private var items = 0
    /// The tables created with a virtual table and emptied already: imported rows replace their initial rows.
    private var isEmptied: Set<ExactString> = []
    /// The bytes that a value may have: enough for each line that was read, and for what a condition makes of it.
    private var valueLimit = 0
    private static let least = 64 << 20
    /// Indexes, triggers and views, which are created after all rows are inserted.
    private var later: [(kind: ImportRules.Kind, sql: String)] = []
    private var closing: [String] = []
    /// What the export reports as missing from a damaged file, in sentences.
    package private(set) var damage: [String] = []
    /// What the export mended or carried over, and what the file lacks because only the app has it, in sentences.
    package internal(set) var notes: [String] = []
    /// Virtual tables that SQLite cannot make here. Their definitions are stored as they are.
    var foreign: [(name: String, sql: String)] = []
    /// The number of rows that were left out because they violate a constraint.
    package internal(set) var leftOut = 0
    /// The first of them.
    package private(set) var refused: [RefusedRow] = []
    /// The first violated constraint.
    package internal(set) var brokenRule: String?
    /// The number of rows of each table, as read and as the export states it.
    private var counts = ExactDictionary<Int>()
    private var announced: ExactDictionary<Int>?
    /// What tables with AUTOINCREMENT have given out.
    private var counters: [(table: String, counter: Int64)] = []
    private var insertion: RowInsertion?

    /// Creates the file.
    /// - Parameter target: the name in messages, which the file gets when it is finished; nil for its own.
    /// - Throws: ``YapDatabaseError`` if the file exists already or cannot be created.
    package init(path: String, for target: String? = nil) throws {
        try UnfinishedFile.checkIsFree(path, "Import makes a new file; choose another name.")
        // A dangling link is not followed either.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw YapDatabaseError(
                .cannotOpen,
                "\(target ?? path) cannot be created: \(reason). Check that its folder exists and that you may write it."
            )
        }
        Glibc.close(descriptor)
        self.path = path
        rules = ImportRules()
        do {
            store = try Store(path: path, mode: .readWrite, rules: rules.rules, busyTimeout: 0)
        } catch {
            unlink(path)
            throw error
        }
        store.handle.limitStatements(toBytes: Self.statementLimit)
        store.handle.setOrderOfMissing(.bytes)
        room = ImportRoom(store)
    }

    /// Whether anything of that name exists, including a dangling link.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns the file's path and the paths of the files that SQLite may create beside it.
    package static func names(_ path: String) -> [String] { ["", "-journal", "-wal", "-shm"].map { path + $0 } }

    /// Imports the next line. The first must be the first line of an export.
    /// - Throws: ``ImportError`` if it is not a line of an export.
    package func add(_ line: [UInt8]) throws { try add(line.withUnsafeBytes { ImportLine($0) }) }

    /// Imports the next line, which another thread may have parsed.
    package func add(_ line: ImportLine) throws {
        try room.grow(by: line.count, items: items)
        limitValues(besideLineOf: line.count)
        do {
            switch line.content {
            case .row(let row): try insert(row)
            case .other(let bytes): try read(bytes)
            }
        } catch let error as YapDatabaseError where error.sqliteCode == SQLiteError.full {
            throw ImportRoom.isLeft(beside: path) ? ImportRoom.error : error
        } catch let error as YapDatabaseError where error.code == .sqlite {
            throw ImportError(refused: error)
        }
    }

    /// A condition or an expression of a table may make values without end of a small row. Those of a row are never larger than its line.
    private func limitValues(besideLineOf bytes: Int) {
        let wanted = max(Self.least, 4 * bytes)
        guard wanted > valueLimit else { return }
        valueLimit = wanted
        store.handle.limitValues(toBytes: wanted)
    }

    private func read(_ line: [UInt8]) throws {
        let json: JSON
        do {
            json = try JSONReader.read(line, skipping: ["object", "metadata"])
        } catch {
            throw ImportError(
                closing.isEmpty ? "this is not what `yap export` writes" : "this is no JSON, \(error)")
        }
        if json["yap"] != nil {
            try begin(json)
        } else if case .object(let tables)? = json["rows"] {
            finish(tables, json)
        } else if case .string(let sql)? = json["sql"], case .string(let kind)? = json["create"] {
            if json["foreign"] != nil { try addForeign(sql) } else { try create(kind, sql) }
            if let counter = json["counter"] { try addCounter(counter, json["name"]) }
        } else if json["lost"] != nil {
            // The last line says that rows are missing.
        } else if case .string(let table)? = json["table"], case .object(let values)? = json["values"] {
            var row = ImportLine.Row(table: table)
            if let rowid = json["rowid"] {
                guard case .integer(let rowid) = try ExportedValue.content(rowid) else {
                    throw ImportError("\"rowid\" should be a number")
                }
                row.rowid = rowid
            }
            row.columns = values.map(\.name)
            row.values = try values.map { try ExportedValue.content($0.value) }
            try insert(row)
        } else {
            throw ImportError("this is no line of an export")
        }
    }

    /// Creates the indexes and keeps the file.
    /// - Throws: ``ImportError`` if lines are missing.
    package func end() throws {
        guard !closing.isEmpty else { throw ImportError("There is nothing to import: no line of an export was read.") }
        try checkCounts()
        insertion = nil
        store.handle.setOrderOfMissing(.bytes)
        do {
            try storeCounters()
            for (kind, sql) in later { try makeIndex(kind, sql) }
            try storeForeign()
            for sql in closing { try store.execute(sql) }
            try checkSchema()
        } catch let error as YapDatabaseError where error.sqliteCode == SQLiteError.full {
            throw ImportRoom.isLeft(beside: path) ? ImportRoom.error : error
        } catch let error as YapDatabaseError where error.code == .sqlite {
            throw ImportError(
                "A statement of the export cannot be run: \(ImportError(refused: error)). No file was made.")
        }
    }

    private func checkCounts() throws {
        guard let announced else {
            throw ImportError(
                "The end of the export is missing, which says how many rows there are. No file was made.")
        }
        for (table, count) in announced.sorted(by: { $0.key < $1.key }) where counts[table, default: 0] != count {
            throw ImportError(
                "The export has \(RowCount(count)) rows of the table \"\(table)\", and \(RowCount(counts[table, default: 0])) "
                    + "were read. No file was made.")
        }
    }

    /// Runs a statement of the export, which may only create an item of this kind.
    func run(_ sql: String, _ kind: ImportRules.Kind) throws {
        do {
            try rules.allowing(kind) { try store.execute(sql) }
        } catch let error as YapDatabaseError where error.sqliteCode.map({ $0 & 0xff }) == SQLiteError.forbidden {
            throw ImportError(
                "a statement that does more than create the \(kind.rawValue) is not run: \(sql.prefix(200))")
        }
    }

    static func isBrokenRule(_ error: YapDatabaseError) -> Bool {
        error.isTooBig || error.sqliteCode.map { $0 & 0xff } == SQLiteError.constraint
    }

    /// What became of the lines.
    package var report: ImportReport {
        ImportReport(damage: damage, notes: notes, leftOut: leftOut, brokenRule: brokenRule)
    }

    /// Removes the file and everything beside it.
    package func abandon() throws { try UnfinishedFile.remove(path) }

    private func begin(_ head: JSON) throws {
        func number(_ name: String) throws -> Int {
            guard case .integer(let number)? = head[name] else { throw ImportError("\"\(name)\" should be a number") }
            return number
        }
        guard try number("yap") == 1 else { throw ImportError("a newer release wrote this; update this program") }
        guard closing.isEmpty else { throw ImportError("a second file begins here") }
        guard case .string(let encoding)? = head["encoding"], ["UTF-8", "UTF-16le", "UTF-16be"].contains(encoding)
        else {
            throw ImportError("\"encoding\" should be UTF-8, UTF-16le or UTF-16be")
        }
        try store.execute("PRAGMA page_size = \(number("pageSize"))")
        try store.execute("PRAGMA encoding = '\(encoding)'")
        try store.execute("PRAGMA auto_vacuum = \(number("autoVacuum"))")
        // No other program knows the file yet, and after an error it is removed.
        try store.execute("PRAGMA synchronous = OFF")
        try store.execute("BEGIN")
        closing = [
            "PRAGMA user_version = \(try number("userVersion"))",
            "PRAGMA application_id = \(try number("applicationID"))", "COMMIT", "PRAGMA journal_mode = WAL",
        ]
    }

    private func finish(_ tables: [JSON.Member], _ json: JSON) {
        var announced = ExactDictionary<Int>()
        for table in tables { if case .integer(let count) = table.value { announced[table.name] = count } }
        self.announced = announced
        func sentences(_ name: String) -> [String] {
            guard case .array(let items)? = json[name] else { return [] }
            return items.compactMap { if case .string(let sentence) = $0 { sentence } else { nil } }
        }
        damage += sentences("damage")
        notes += sentences("notes")
    }

    /// Checks that a statement may create one more item.
    func checkItem(_ sql: String) throws {
        guard !closing.isEmpty else { throw ImportError("the first line should say what file it is") }
        guard sql.prefix(7).uppercased() == "CREATE " else { throw ImportError("\"sql\" should begin with CREATE") }
        guard sql.utf8.count <= Self.statementLimit else {
            throw ImportError("a statement has more than \(Self.statementLimit) bytes")
        }
        items += 1
        guard items <= Self.itemLimit else {
            throw ImportError("there are more than \(Self.itemLimit) tables, indexes and the like")
        }
    }

    private func create(_ kind: String, _ sql: String) throws {
        try checkItem(sql)
        if kind == "shadow" { return }
        guard let kind = ImportRules.Kind(rawValue: kind) else {
            throw ImportError("\"create\" should be a table, an index, a trigger or a view")
        }
        switch kind {
        case .table, .virtual: try run(sql, kind)
        case .index, .trigger, .view: later.append((kind, sql))
        case .foreign: throw ImportError("\"create\" should be a table, an index, a trigger or a view")
        }
        // A condition of a table may need a function of the app.
        if !store.handle.missing.isEmpty { try store.execute("PRAGMA ignore_check_constraints = ON") }
    }

    private func addCounter(_ counter: JSON, _ name: JSON?) throws {
        guard case .integer(let counter) = counter, case .string(let name)? = name else {
            throw ImportError("\"counter\" should be a number, and \"name\" its table")
        }
        counters.append((name, Int64(counter)))
    }

    /// Sets the counters behind those that the rows themselves lead to.
    private func storeCounters() throws {
        for (table, counter) in counters {
            let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'"
            guard try store.first(sql, bind: { try $0.bind(table, at: 1) }, read: { _ in true }) == true else {
                throw ImportError("the table \"\(table)\" has no counter, because it has no AUTOINCREMENT")
            }
            let isKnown = try store.first(
                "SELECT 1 FROM sqlite_sequence WHERE name = ?", bind: { try $0.bind(table, at: 1) }, read: { _ in true }
            )
            try store.run(
                isKnown == true
                    ? "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1"
                    : "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)"
            ) {
                try $0.bind(table, at: 1)
                try $0.bind(counter, at: 2)
            }
        }
    }

    private func insert(_ row: ImportLine.Row) throws {
        guard !closing.isEmpty else { throw ImportError("the first line should say what file it is") }
        if insertion?.isFor(row) != true {
            insertion = nil
            // Imported rows replace the initial rows of a virtual table's own tables.
            if isEmptied.insert(ExactString(row.table)).inserted {
                try store.execute("DELETE FROM \(row.table.quotedSQL)")
            }
            // A table without rowids was read in the order of its keys.
            store.handle.setOrderOfMissing(row.rowid == nil ? .arrival : .bytes)
            insertion = try RowInsertion(row, store, count: counts[row.table, default: 0])
        }
        insertion?.count += 1
        counts[row.table] = insertion?.count
        do {
            try insertion?.run(row)
        } catch let error as YapDatabaseError
            where Self.isBrokenRule(error) || error.sqliteCode == SQLiteError.missing
        {
            leftOut += 1
            let rule = error.isTooBig ? row.rule(ofSize: store.handle.valueLimit) : nil
            brokenRule = brokenRule ?? rule.map { "In the table \"\(row.table)\", \($0)." } ?? error.message
            note([RefusedRow(row, rule: rule ?? error.sqliteMessage ?? error.message)])
        }
    }

    func note(_ rows: [RefusedRow]) { refused += rows.prefix(max(0, RefusedRow.limit - refused.count)) }
}

extension ImportLine.Row {
    /// Why a row is too large, in words.
    /// - Parameter limit: the most bytes of a row, for SQLite and for this import.
    func rule(ofSize limit: Int) -> String {
        let bytes = values.reduce(0) { sum, value in
            switch value {
            case .text(let bytes), .blob(let bytes): sum + bytes.count
            default: sum
            }
        }
        return bytes > limit - Self.bytesOfHead
            ? "a row has at most \(RowCount(limit)) bytes, and this one has \(RowCount(bytes)) in its values"
            : "a rule of the table makes more than \(RowCount(limit)) bytes of it"
    }

    /// More than SQLite stores before the values of a row.
    private static let bytesOfHead = 1 << 16
}

/// What an import did.
package struct ImportReport: Sendable {
    /// What the export reports as missing from a damaged file, in sentences.
    package let damage: [String]
    /// What the export mended or carried over, and what the file lacks because only the app has it, in sentences.
    package let notes: [String]
    /// The number of rows that were left out because they violate a constraint.
    package let leftOut: Int
    /// The first violated constraint.
    package let brokenRule: String?

    /// How many rows were left out, as a sentence without its end.
    package var leftOutText: String {
        leftOut == 1 ? "1 row was left out" : "\(RowCount(leftOut)) rows were left out"
    }
}
