import FileEngine
import ListChanges
import SQLiteBridge

/// What a file's schema says, and what it must have said before a few of its bytes were damaged.
///
/// A row of the schema contains its table's name three times, and the page on which the table begins. So if the text of a
/// table's definition is no statement, the table can be read by another definition from the same page. For the library's own tables
/// that is the one of the format. For others it is one that differs in a single bit, that SQLite accepts, and that fits the rows on
/// that page.
///
/// A statement that SQLite cannot run here, because it lacks a module or a tokenizer of the app, is no damage: it is carried
/// over as it is.
///
/// A text with a damaged bit may still be a statement. Then the definition of a virtual table and those of the tables that SQLite keeps for
/// it contradict each other, and the rows of these tables say which of them is right.
struct SchemaRepair {
    /// A row of the schema as it should be.
    struct Entry {
        /// As in ``ExportedItem``.
        var kind: String
        var name: String
        var table: String
        var rootPage: Int
        /// Nil for an index that SQLite created implicitly.
        var sql: String?
        /// ``sql`` as stored in the file, which may be invalid UTF-8.
        var bytes: [UInt8] = []
    }

    private(set) var entries: [Entry] = []
    /// Definitions for reading tables, with the page of each.
    private(set) var definitions: [(sql: String, rootPage: Int)] = []
    /// What was repaired, in sentences.
    private(set) var repairs: [String] = []
    /// Whether the schema cannot be used as it is.
    private(set) var isNeeded = false
    /// What could not be repaired, in sentences.
    private(set) var losses: [String] = []
    /// The virtual tables that SQLite cannot make here, by name, with the reason. Their tables are ordinary ones here.
    private(set) var foreign: [(name: String, reason: String)] = []
    /// Virtual tables whose definition cannot be determined.
    private var lost: Set<String> = []
    /// The rows of the schema that are those of tables with pages, by name.
    private var stored = ExactDictionary<Entry>()
    /// Those that SQLite keeps for virtual tables and whose definition has more or fewer columns.
    private var misread: Set<String> = []

    /// The most entries: more than any file of an app has.
    private static let entryLimit = 10_000
    /// The most definitions to try: those of a handful of tables, each with every bit changed.
    private static let attemptLimit = 100_000
    private var attempts = 0
    private let isCancelled: () -> Bool
    private var findPages: () -> FilePages? = { nil }
    private var pages: FilePages?

    /// Examines a schema.
    /// - Parameters:
    ///   - store: reads the rows of the schema, even if they are invalid.
    ///   - isMalformed: whether SQLite rejects the schema. If so, each definition is tried; otherwise only the definitions
    ///     of the library's own tables are examined.
    ///   - isCancelled: called for each definition that is tried.
    init(_ store: Store, isMalformed: Bool, isCancelled: @escaping () -> Bool = { false }) throws {
        self.isCancelled = isCancelled
        let found = try Self.rows(store)
        for row in found where row.kind == "table" && row.rootPage > 1 { stored[row.name] = row }
        var scratch = isMalformed ? try ScratchSchema() : nil
        // Reads the log, so only when it is needed.
        findPages = { FilePages(store) }
        defer { (findPages, pages) = ({ nil }, nil) }
        var isRenamed = false
        for row in found {
            add(row, &scratch)
            if let entry = entries.last, (entry.name, entry.table) != (row.name, row.table) { isRenamed = true }
        }
        if isMalformed { findRows(store) }
        let kinds: Set = ["table", "index", "trigger", "view"]
        if Self.hasOthers(found, kinds) {
            losses.append(
                "A page of something else is where a part of the schema was. The definitions in it are lost, and with them the rows of "
                    + "their tables.")
        }
        isNeeded =
            !(definitions.isEmpty && repairs.isEmpty && losses.isEmpty && foreign.isEmpty) || isRenamed
            || found.contains { !kinds.contains($0.kind) }
    }

    /// Whether rows of the schema are those of another table, or are there twice.
    private static func hasOthers(_ rows: [Entry], _ kinds: Set<String>) -> Bool {
        var names: Set<ExactString> = []
        return rows.contains { row in
            let isDefinition = row.sql?.uppercased().hasPrefix("CREATE ") ?? row.name.hasPrefix("sqlite_")
            return !kinds.contains(row.kind) && !isDefinition || !names.insert(ExactString(row.name)).inserted
        }
    }

    private static func rows(_ store: Store) throws -> [Entry] {
        let statement = try store.handle.statement(
            "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master LIMIT \(entryLimit)")
        defer { statement.reset() }
        var rows: [Entry] = []
        // If the rest cannot be read, the rows before it count.
        while (try? statement.step()) == true {
            rows.append(
                Entry(
                    kind: statement.text(at: 0) ?? "", name: statement.text(at: 1) ?? "",
                    table: statement.text(at: 2) ?? "", rootPage: Int(statement.int64(at: 3)),
                    sql: statement.isNull(at: 4) ? nil : statement.text(at: 4), bytes: statement.bytes(at: 4)))
        }
        // VACUUM writes a virtual table's own tables before it. Made again, it makes them.
        let isVirtual = { (row: Entry) in row.kind == "table" && row.rootPage == 0 }
        return rows.filter(isVirtual) + rows.filter { !isVirtual($0) }
    }

    /// Looks for the rows in the pages if the schema does not say where they are, or names a page of something else.
    private mutating func findRows(_ store: Store) {
        let path = store.handle.path
        let file = FileState(path)
        let place = entries.firstIndex { $0.kind == "table" && ($0.name == "database2" || $0.name == "database") }
        if let place {
            // A log may hold the newer content of the page.
            guard entries[place].name == "database2", !file.hasLog,
                !LostRowTable.mayBeRoot(entries[place].rootPage, path)
            else { return }
        } else {
            // With a log and its index the file is read with locks, which the look into the file would release.
            guard !(file.hasLog && file.hasIndex),
                entries.contains(where: { $0.name == "yap2" || $0.name.startsWithBytes(of: "view_") })
            else { return }
        }
        guard let root = LostRowTable.root(path),
            let known = KnownDefinition.all([]).first(where: { $0.name == "database2" })
        else { return }
        let entry = Entry(kind: "table", name: known.name, table: known.table, rootPage: root, sql: known.sql)
        if let place { entries[place] = entry } else { entries.append(entry) }
        definitions.append((known.sql, root))
        repairs.append("The schema no longer says where the table \"database2\" is; it was found by its rows.")
    }

    private mutating func add(_ row: Entry, _ scratch: inout ScratchSchema?) {
        guard let sql = row.sql else { return entries.append(row) }
        if let known = KnownDefinition.nearest(to: sql, names: [row.name, row.table]), known.isMeant(by: row) {
            let entry = Entry(
                kind: known.isIndex ? "index" : "table", name: known.name, table: known.table, rootPage: row.rootPage,
                sql: known.isExact ? sql : known.sql)
            entries.append(entry)
            _ = try? scratch?.run(entry.sql ?? "")
            if !known.isExact || row.name != known.name || row.table != known.table || row.kind != entry.kind {
                definitions.append((known.readingSQL, row.rootPage))
                repairs.append(
                    "The definition of \(known.isIndex ? "the index" : "the table") \"\(known.name)\" is damaged.")
            }
            return
        }
        guard scratch != nil else { return entries.append(row) }
        addUnknown(row, sql, &scratch!)
    }

    private mutating func addUnknown(_ row: Entry, _ sql: String, _ scratch: inout ScratchSchema) {
        // The tables that SQLite keeps for a virtual table were created with it, or are lost with it.
        if let own = scratch.definition(of: row.name) ?? scratch.definition(of: row.table), row.rootPage > 1 {
            entries.append(Entry(kind: "shadow", name: own.name, table: own.name, rootPage: row.rootPage, sql: own.sql))
            // Another release of SQLite may have written it in other words.
            if misread.contains(own.name) {
                definitions.append((own.sql, row.rootPage))
                repairs.append("The definition of the table \"\(own.name)\" is damaged.")
            }
            return
        }
        if belongsToLost(row.name) || belongsToLost(row.table) { return }
        let names = [row.name, row.table]
        if row.rootPage == 0, let fit = fit(of: sql, names) {
            if !fit.isPossible, repair(row, names, &scratch) { return }
            misread.formUnion(fit.misread)
            if !fit.isPossible {
                foreign.append((row.name, "SQLite keeps other tables for it here"))
                return entries.append(Entry(kind: "virtual", name: row.name, table: row.name, rootPage: 0, sql: sql))
            }
        }
        switch scratch.verdict(on: sql, names: names) {
        case .made(let made):
            return entries.append(
                Entry(kind: made.kind, name: made.name, table: made.table, rootPage: row.rootPage, sql: sql))
        case .notHere(let made, let reason):
            foreign.append((made.name, reason))
            return entries.append(Entry(kind: "virtual", name: made.name, table: made.name, rootPage: 0, sql: sql))
        case .damaged: break
        }
        if repair(row, names, &scratch) { return }
        if row.rootPage == 0 { lost.formUnion(names) }
        losses.append(
            row.rootPage == 0
                ? "The definition of \"\(row.name)\" is damaged and cannot be restored. If it is an index of an extension, "
                    + "register that again: it is rebuilt from the rows."
                : "The definition of \"\(row.name)\" is damaged and cannot be restored.")
    }

    /// Whether a table is one of those that SQLite keeps for an index of ours whose definition cannot be determined.
    private func belongsToLost(_ table: String) -> Bool {
        guard case .extension(let kind, let name) = TableOwner(table: table, among: lost) else { return false }
        return lost.contains(kind.table(of: name)) && table != kind.table(of: name)
    }

    /// Finds the definition that differs in one bit, is accepted by SQLite, and fits what is stored.
    private mutating func repair(_ row: Entry, _ names: [String], _ scratch: inout ScratchSchema) -> Bool {
        for candidate in Self.neighbours(of: row.bytes) {
            attempts += 1
            guard attempts <= Self.attemptLimit, !isCancelled() else { break }
            if row.rootPage == 0 {
                guard scratch.isVirtualTable(candidate, names), fit(of: candidate, names)?.isExact == true else {
                    continue
                }
            }
            guard case .made(let made) = scratch.verdict(on: candidate, names: names) else { continue }
            if made.kind == "table", !fits(scratch.columnCount(of: made.name), row.rootPage) {
                scratch.takeBack()
                continue
            }
            entries.append(
                Entry(kind: made.kind, name: made.name, table: made.table, rootPage: row.rootPage, sql: candidate))
            if made.kind != "view", made.kind != "trigger" { definitions.append((candidate, row.rootPage)) }
            let kind = made.kind == "virtual" ? "virtual table" : made.kind
            repairs.append("The definition of the \(kind) \"\(made.name)\" is damaged.")
            return true
        }
        return false
    }

    /// How the tables that SQLite would make for a virtual table fit those that the file has for it.
    private struct Fit {
        /// Whether all have the same columns.
        var isExact = true
        /// Whether the rows have as many columns as the tables that SQLite would make.
        var isPossible = true
        /// The tables whose definition in the file has more or fewer columns.
        var misread: [String] = []
    }

    /// Makes a virtual table, alone, and compares its tables with those of the file; nil if it cannot be made.
    private mutating func fit(of sql: String, _ names: [String]) -> Fit? {
        guard var alone = try? ScratchSchema(), case .made(let made) = alone.verdict(on: sql, names: names),
            made.kind == "virtual", var stated = try? ScratchSchema()
        else { return nil }
        var fit = Fit()
        for name in alone.madeTables {
            guard let table = stored[name], let own = alone.columns(of: name) else { continue }
            let declared = stated.columns(of: name, madeBy: table.sql ?? "")
            if declared == own { continue }
            fit.isExact = false
            guard declared?.count != own.count else { continue }
            fit.misread.append(name)
            if let stored = columns(ofTableAt: table.rootPage), stored != own.count { fit.isPossible = false }
        }
        return fit
    }

    /// Whether the rows at a page can be those of a table with so many columns.
    private mutating func fits(_ columns: Int, _ rootPage: Int) -> Bool {
        self.columns(ofTableAt: rootPage).map { $0 <= columns } ?? true
    }

    /// The number of columns of the rows at a page; nil if there are none that can be read.
    private mutating func columns(ofTableAt rootPage: Int) -> Int? {
        pages = pages ?? findPages()
        return pages.flatMap { RecordReader($0).columns(ofTableAt: rootPage) }
    }

    /// Returns the texts that differ in one bit, unless there are too many to try.
    private static func neighbours(of bytes: [UInt8]) -> some Sequence<String> {
        let bits = bytes.count <= 2_000 ? bytes.count * 8 : 0
        return (0..<bits).lazy.compactMap { bit in
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return String(validating: changed, as: UTF8.self)
        }
    }
}

extension Store {
    /// Whether the file was opened in spite of a damaged schema.
    func isSchemaDamaged() throws -> Bool { try first("PRAGMA writable_schema") { $0.int64(at: 0) } == 1 }
}
