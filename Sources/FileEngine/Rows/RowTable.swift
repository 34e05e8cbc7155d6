import ListChanges

/// A table of rows, with the text of each statement over it: complete, because these are the most frequent, and statements are cached by text.
///
/// There are two. `database2` has the rows that programs write. `yap_derived` has rows that lists derive from these, such as one for each group
/// of another list: connections and lists read them as they read any row, but other programs, the original among them, see a table that
/// is not theirs, and leave it alone. Key and rowid of a row say which table it is in.
package final class RowTable: Sendable {
    package let name: String
    let rowidOfKey: String
    let keyOfRowid: String
    let rowOfRowid, rowOfKey: String
    let insert: String
    let update: String
    let updateObject: String
    let updateMetadata: String
    let removeKey: String
    let removeRowid: String
    let removeCollection: String
    let count: String
    let any: String
    let lastKey: String
    private let objectOfKey, metadataOfKey, bothOfKey, objectOfRowid, metadataOfRowid, bothOfRowid: String

    /// The rows that programs write.
    package static let rows = RowTable(
        "database2", insert: #"("collection", "key", "data", "metadata") VALUES (?, ?, ?, ?)"#)
    /// The rows that lists derive. Their rowids descend from ``lowestRowid``, far below those that SQLite gives by itself, which ascend from 1.
    package static let derived = RowTable(
        derivedName,
        insert: """
            ("rowid", "collection", "key", "data", "metadata") VALUES ((\(nextDerivedRowid)), ?, ?, ?, ?)
            """)

    /// One less than the least rowid. Where that is the least of all numbers, which only damage gives, one less than the next one, and at last
    /// any, as SQLite does after the greatest number.
    private static let nextDerivedRowid = """
        SELECT CASE WHEN "least" > \(Int64.min) THEN "least" - 1 ELSE coalesce(\
        (SELECT nullif("rowid" - 1, "least") FROM "\(derivedName)" \
        WHERE "rowid" > "least" AND "rowid" <= \(lowestRowid) ORDER BY "rowid" LIMIT 1), \
        \(lowestRowid) - 1 - (random() & \(Int64.max >> 1))) END \
        FROM (SELECT \(leastDerived) AS "least" FROM "\(derivedName)")
        """
    private static let leastDerived = #"min(coalesce(min("rowid"), \#(lowestRowid)), \#(lowestRowid))"#

    /// An expression of SQL: the next new row gets a greater rowid.
    package static let lastRowid = #"(SELECT coalesce(max("rowid"), 0) FROM "database2")"#
    /// The next new derived row gets a smaller rowid, where the file has the table.
    package static let leastDerivedRowid = #"(SELECT \#(leastDerived) FROM "\#(derivedName)")"#

    package static let derivedName = TableOwner.derivedRowsTable
    /// ``/ListChanges/RowKey/derivedMark``: begins the names of collections of derived rows.
    package static let derivedMark = RowKey.derivedMark
    /// A collection of that table that no list derives: the mutations of a file. In it, no space has them, no extension of all collections
    /// hears of them, and the original does not see them.
    package static let mutations = derivedMark + "yap.mutations"
    /// The rowids of derived rows are less.
    package static let lowestRowid: Int64 = -1 << 62

    static let createDerived = [
        """
        CREATE TABLE IF NOT EXISTS "\(derivedName)" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, \
        "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)
        """,
        #"CREATE UNIQUE INDEX IF NOT EXISTS "yap_derived_key" ON "\#(derivedName)" ("collection","key")"#,
    ]

    var isDerived: Bool { name == Self.derivedName }

    private init(_ name: String, insert: String) {
        self.name = name
        func select(_ columns: String, _ condition: String) -> String {
            #"SELECT \#(columns) FROM "\#(name)" WHERE \#(condition)"#
        }
        let (key, rowid) = (#""collection" = ? AND "key" = ?"#, #""rowid" = ?"#)
        rowidOfKey = select(#""rowid""#, key)
        keyOfRowid = select(#""collection", "key""#, rowid)
        rowOfRowid = select(#""collection", "key", "data", "metadata""#, rowid)
        rowOfKey = select(#""rowid", "data", "metadata""#, key)
        (objectOfKey, objectOfRowid) = (select(#""data""#, key), select(#""data""#, rowid))
        (metadataOfKey, metadataOfRowid) = (select(#""metadata""#, key), select(#""metadata""#, rowid))
        (bothOfKey, bothOfRowid) = (select(#""data", "metadata""#, key), select(#""data", "metadata""#, rowid))
        self.insert = #"INSERT OR IGNORE INTO "\#(name)" \#(insert)"#
        update = #"UPDATE "\#(name)" SET "data" = ?, "metadata" = ? WHERE "rowid" = ?"#
        updateObject = #"UPDATE "\#(name)" SET "data" = ? WHERE "rowid" = ?"#
        updateMetadata = #"UPDATE "\#(name)" SET "metadata" = ? WHERE "rowid" = ?"#
        removeKey = #"DELETE FROM "\#(name)" WHERE "collection" = ? AND "key" = ? RETURNING "rowid""#
        removeRowid = #"DELETE FROM "\#(name)" WHERE "rowid" = ?"#
        removeCollection = #"DELETE FROM "\#(name)" WHERE "collection" = ? RETURNING "rowid", "key""#
        count = #"SELECT COUNT(*) FROM "\#(name)" WHERE "collection" = ?"#
        lastKey = select(#""key""#, #""collection" = ? AND "key" < ? ORDER BY "key" DESC LIMIT 1"#)
        any = #"SELECT 1 FROM "\#(name)" WHERE "collection" = ? LIMIT 1"#
    }

    func select(_ columns: RowColumns, _ address: RowAddress) -> String {
        switch (columns, address) {
        case (.object, .key): objectOfKey
        case (.metadata, .key): metadataOfKey
        case (.both, .key): bothOfKey
        case (.object, .rowid): objectOfRowid
        case (.metadata, .rowid): metadataOfRowid
        case (.both, .rowid): bothOfRowid
        }
    }

    /// Whether a collection is one of derived rows.
    @inline(__always) package static func isDerived(_ collection: String) -> Bool {
        // For most names the first byte tells.
        collection.utf8.first == 0xF4 && collection.startsWithBytes(of: derivedMark)
    }

    /// The extension that derives the rows of a collection; nil if programs write them.
    package static func derivingExtension(ofCollection collection: String) -> String? {
        isDerived(collection) && !collection.hasSameBytes(as: mutations)
            ? collection.dropping(prefix: derivedMark).map(derivingExtension(ofList:)) : nil
    }

    /// The name of the extension that derives the rows of a list.
    package static func derivingExtension(ofList list: String) -> String { list + derivingEnding }
    private static let derivingEnding = ".rows"

    /// The collection of the rows that an extension derives; nil if no extension of this name derives rows.
    package static func collection(derivedBy name: String) -> String? { list(derivedBy: name).map { derivedMark + $0 } }

    /// The list or join whose rows an extension derives, as it is declared; nil if no extension of this name derives rows.
    package static func list(derivedBy name: String) -> String? {
        guard name.endsWithBytes(of: derivingEnding) else { return nil }
        return String(decoding: name.utf8.dropLast(derivingEnding.utf8.count), as: UTF8.self)
    }

    @inline(__always) package static func isDerived(_ rowid: Int64) -> Bool { rowid < lowestRowid }
}

extension RowAddress {
    var isDerived: Bool {
        switch self {
        case .key(let key): RowTable.isDerived(key.collection)
        case .rowid(let rowid): RowTable.isDerived(rowid)
        }
    }
}

extension Store {
    /// The table of a row to read; nil for a derived row of a file that has none.
    func table(isDerived: Bool) throws -> RowTable? {
        guard isDerived else { return .rows }
        if !hasDerivedRows {
            guard try hasTable(RowTable.derivedName) else { return nil }
            hasDerivedRows = true
        }
        return .derived
    }

    /// The table of a row to write, which is made for the first derived row.
    func tableToWrite(isDerived: Bool) throws -> RowTable {
        if let table = try table(isDerived: isDerived) { return table }
        for statement in RowTable.createDerived { try execute(statement) }
        return .derived
    }
}
