import FileEngine
import ListChanges
import SQLiteBridge

/// The table of the entries of one extension with derived rows, `derived_NAME`: for each source row, by its rowid, what it contributes.
///
///     rowid   of the source row
///     key     its key
///     place   the derived row to which it contributes, or what the derivation finds it by
///     v0 ...  the values of the entry
final class DerivedTable {
    private let store: Store
    private let values: [EntryValue]
    private let findsPlaces: Bool
    private let sql: SQL
    private var name: String { sql.name }
    private var table: String { sql.table }

    /// - Parameter findsPlaces: whether ``forEachKey(ofPlace:_:)`` is used, so that there is an index.
    init(_ store: Store, name: String, values: [EntryValue], findsPlaces: Bool) {
        (self.store, self.values, self.findsPlaces) = (store, values, findsPlaces)
        sql = SQL.of(name, values: values.count, in: store)
    }

    /// Names and statements, kept with a handle: to make the texts takes longer than to run one of them.
    private final class SQL {
        let name, table: String
        let select, insert, remove: String
        private let values: Int

        private init(_ name: String, _ values: Int) {
            self.values = values
            self.name = TableOwner.Kind.derived.table(of: name)
            table = Store.quoted(self.name)
            let columns = (0..<values).map { ", \"v\($0)\"" }.joined()
            select = #"SELECT "key", "place"\#(columns) FROM \#(table) WHERE "rowid" = ?"#
            let parameters = String(repeating: ", ?", count: values)
            insert =
                #"INSERT OR REPLACE INTO \#(table) ("rowid", "key", "place"\#(columns)) VALUES (?, ?, ?\#(parameters))"#
            remove = #"DELETE FROM \#(table) WHERE "rowid" = ?"#
        }

        static func of(_ name: String, values: Int, in store: Store) -> SQL {
            let known = store.kept { Known() }
            // Another declaration may have the name of one that was unregistered.
            if let sql = known.all[name], sql.values == values { return sql }
            let sql = SQL(name, values)
            known.all[name] = sql
            return sql
        }

        private final class Known {
            var all = ExactDictionary<SQL>()
        }
    }

    func exists() throws -> Bool { try store.hasTable(name) }

    /// Makes the table, empty.
    func create() throws {
        try store.execute("DROP TABLE IF EXISTS \(table)")
        let columns = values.indices.map { ", \"v\($0)\"" }.joined()
        try store.execute(
            #"CREATE TABLE \#(table) ("rowid" INTEGER PRIMARY KEY, "key" CHAR NOT NULL, "place" CHAR NOT NULL\#(columns))"#
        )
    }

    /// Makes the indexes, once the table is filled.
    func createIndexes() throws {
        for (number, value) in values.enumerated() where value.isSearched {
            let index = Store.quoted("\(name)_v\(number)")
            try store.execute(#"CREATE INDEX IF NOT EXISTS \#(index) ON \#(table) ("place", "v\#(number)")"#)
        }
        if findsPlaces {
            let index = Store.quoted("\(name)_place")
            try store.execute(#"CREATE INDEX IF NOT EXISTS \#(index) ON \#(table) ("place")"#)
        }
    }

    func entry(_ rowid: Int64) throws -> DerivedEntry? {
        try store.first(sql.select, bind: { try $0.bind(rowid, at: 1) }) { row in
            DerivedEntry(
                key: row.text(at: 0) ?? "", place: row.text(at: 1) ?? "",
                values: values.indices.map { row.value(at: $0 + 2) })
        }
    }

    func set(_ entry: DerivedEntry?, _ rowid: Int64) throws {
        guard let entry else { return try store.run(sql.remove) { try $0.bind(rowid, at: 1) } }
        try set(rowid, key: entry.key, place: entry.place, entry.values)
    }

    func set(_ rowid: Int64, key: String, place: String, _ values: some Collection<SQLValue>) throws {
        let statement = try store.handle.statement(sql.insert)
        defer { statement.reset() }
        try statement.bind(rowid, at: 1)
        var parameter = 4
        for value in values {
            try statement.bind(value, at: parameter)
            parameter += 1
        }
        try statement.withText(key, at: 2) { try statement.withText(place, at: 3) { try statement.run() } }
    }

    func removeAll() throws { try store.execute("DELETE FROM \(table)") }

    /// The least or the greatest value of a place, without those that are missing; nil if there is none. O(log n).
    func extreme(_ number: Int, of place: String, isGreatest: Bool) throws -> SQLValue? {
        try store.first(
            #"""
            SELECT "v\#(number)" FROM \#(table) WHERE "place" = ? AND "v\#(number)" IS NOT NULL \#
            ORDER BY "v\#(number)" \#(isGreatest ? "DESC" : "ASC") LIMIT 1
            """#, bind: { try $0.bind(place, at: 1) }, read: { $0.value(at: 0) })
    }

    /// The first of the rows whose value is at most, or more than, a number: at most 1,024. O(log n) and these.
    func rowids(whereValue number: Int, isMoreThan: Bool, _ bound: Double) throws -> [Int64] {
        try rowids(where: #""v\#(number)" \#(isMoreThan ? ">" : "<=") ?"#) { try $0.bind(bound, at: 1) }
    }

    /// The first of the rows whose value is no number, though not NULL: at most 1,024. O(log n) and these.
    func rowidsWithoutNumber(_ number: Int) throws -> [Int64] {
        // Texts and blobs are more than any number.
        try rowids(where: #""v\#(number)" >= ''"#) { _ in }
    }

    private func rowids(where condition: String, bind: (SQLiteStatement) throws -> Void) throws -> [Int64] {
        let statement = try store.handle.statement(
            #"SELECT "rowid" FROM \#(table) WHERE "place" = '' AND \#(condition) LIMIT 1024"#)
        defer { statement.reset() }
        try bind(statement)
        var rowids: [Int64] = []
        while try statement.step() { rowids.append(statement.int64(at: 0)) }
        return rowids
    }

    /// Calls the body with the keys of the entries of a place. The body may change the table. O(log n) and the entries.
    func forEachKey(ofPlace place: String, _ body: (String) throws -> Void) throws {
        var last: Int64? = .min
        while let after = last {
            let some = try keys(ofPlace: place, after: after)
            for (_, key) in some { try body(key) }
            last = some.last?.rowid
        }
    }

    /// Calls the body with the values of each entry of a place. The body must not change the table. O(entries) without an index of places.
    func forEachValues(ofPlace place: String, _ body: ([SQLValue]) throws -> Void) throws {
        let columns = values.indices.map { "\"v\($0)\"" }.joined(separator: ", ")
        if columns.isEmpty { return }
        let statement = try store.handle.statement(#"SELECT \#(columns) FROM \#(table) WHERE "place" = ?"#)
        defer { statement.reset() }
        try statement.bind(place, at: 1)
        while try statement.step() { try body(values.indices.map { statement.value(at: $0) }) }
    }

    /// The next 256.
    private func keys(ofPlace place: String, after rowid: Int64) throws -> [(rowid: Int64, key: String)] {
        let statement = try store.handle.statement(
            #"SELECT "rowid", "key" FROM \#(table) WHERE "place" = ? AND "rowid" > ? ORDER BY "rowid" LIMIT 256"#)
        defer { statement.reset() }
        try statement.bind(place, at: 1)
        try statement.bind(rowid, at: 2)
        var keys: [(rowid: Int64, key: String)] = []
        while try statement.step() { keys.append((statement.int64(at: 0), statement.text(at: 1) ?? "")) }
        return keys
    }

    /// Calls the body with the rowids of all entries, in ascending order.
    func forEachRowid(_ body: (Int64) throws -> Void) throws {
        let statement = try store.handle.statement(#"SELECT "rowid" FROM \#(table) ORDER BY "rowid""#)
        defer { statement.reset() }
        while try statement.step() { try body(statement.int64(at: 0)) }
    }
}

/// One of the values that each entry has.
struct EntryValue {
    /// Whether the least or the greatest value of a place is asked for, so that there is an index.
    let isSearched: Bool
}

/// What a row contributes to derived rows.
struct DerivedEntry: Equatable {
    /// The key of the row in its collection; empty where the derivation does not need it.
    let key: String
    /// Which derived row it contributes to.
    let place: String
    let values: [SQLValue]

    /// As they are stored: texts that are equal for Swift may be different keys and groups.
    static func == (a: DerivedEntry, b: DerivedEntry) -> Bool {
        a.key.hasSameBytes(as: b.key) && a.place.hasSameBytes(as: b.place)
            && a.values.elementsEqual(b.values) { a, b in
                if case .text(let a) = a, case .text(let b) = b { a.hasSameBytes(as: b) } else { a == b }
            }
    }
}
