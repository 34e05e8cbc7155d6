import ListChanges
import ViewPageKeys

/// A definition that the format prescribes, as the probable original of a damaged text.
struct KnownDefinition {
    var name: String
    var table: String
    /// The text as the library writes it.
    var sql: String
    var isIndex = false
    /// Whether the examined text is equivalent to it.
    private(set) var isExact = false

    /// The definition for reading the table, without the constraints for which SQLite keeps an index, because that may
    /// be missing.
    var readingSQL: String {
        sql.replacing(#", PRIMARY KEY ("extension","key")"#, with: "").replacing(
            "CHAR NOT NULL PRIMARY KEY", with: "CHAR NOT NULL")
    }

    /// The most bytes that may differ, white space aside.
    private static let tolerance = 3

    /// Finds the definition that is closest to a text.
    /// - Parameter names: the names beside the text in the schema; one of them may be damaged as well.
    static func nearest(to sql: String, names: [String]) -> KnownDefinition? {
        let text = plain(sql)
        var (best, least): (KnownDefinition?, Int) = (nil, tolerance + 1)
        for known in all(names) {
            guard let distance = distance(text, plain(known.sql), below: least) else { continue }
            (best, least) = (known, distance)
            best?.isExact = distance == 0
        }
        return best
    }

    /// Whether a row of the schema may have been this one. A row that gives another name in all three places is that of
    /// another table, however similar.
    func isMeant(by row: SchemaRepair.Entry) -> Bool {
        if isExact || row.name == name { return true }
        let isOther =
            (isIndex || row.table == row.name) && row.sql?.contains(row.name) == true
            && row.sql?.contains(row.table) == true
        return !isOther
    }

    /// The definitions of the library's own tables, and of views' tables of these names.
    static func all(_ names: [String]) -> [KnownDefinition] {
        var all = [
            KnownDefinition(
                name: "yap2", table: "yap2",
                sql:
                    #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#
            ),
            KnownDefinition(
                name: "database2", table: "database2",
                sql: """
                    CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, \
                    "data" BLOB, "metadata" BLOB)
                    """),
            KnownDefinition(
                name: "true_primary_key", table: "database2",
                sql: #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#, isIndex: true),
        ]
        for name in Set(names) where name.startsWithBytes(of: "view_") {
            let quoted = name.quotedSQL
            if name.endsWithBytes(of: "_map") {
                let sql = #"CREATE TABLE \#(quoted) ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#
                all.append(KnownDefinition(name: name, table: name, sql: sql))
            } else if name.endsWithBytes(of: "_page") {
                let sql = """
                    CREATE TABLE \(quoted) ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, "prevPageKey" CHAR, \
                    "count" INTEGER, "data" BLOB)
                    """
                all.append(KnownDefinition(name: name, table: name, sql: sql))
            }
        }
        return all
    }

    private static func plain(_ sql: String) -> [UInt8] {
        sql.utf8.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }

    /// Returns the number of bytes inserted, removed or changed; nil unless it is less than the limit.
    private static func distance(_ a: [UInt8], _ b: [UInt8], below limit: Int) -> Int? {
        if a == b { return limit > 0 ? 0 : nil }
        guard abs(a.count - b.count) < limit else { return nil }
        var row = Array(0...b.count)
        for (i, byte) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let change = diagonal + (byte == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, diagonal + 1, row[j] + 1)
            }
            if row.min()! >= limit { return nil }
        }
        return row[b.count] < limit ? row[b.count] : nil
    }
}
