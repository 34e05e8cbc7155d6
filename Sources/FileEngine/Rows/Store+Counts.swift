import ListChanges
import SQLiteBridge

/// Counts and lists rows and collections, from the index.
extension Store {
    /// - Throws: ``YapDatabaseError`` with code `corrupt` if a name is not text: no collection is silently omitted.
    package func collections() throws -> [String] {
        var names: [String] = []
        try eachCollection { name, flaw in
            if let flaw { throw YapDatabaseError(.corrupt, "\(flaw) `yap browse` shows its rows.") }
            names.append(name)
        }
        return names
    }

    /// The first problems with names of collections.
    func flawsOfCollections() throws -> [String] {
        var flaws: [String] = []
        try eachCollection { _, flaw in
            if let flaw, flaws.count < Self.flawLimit { flaws.append(flaw) }
        }
        return flaws
    }

    private static let flawLimit = 20

    /// Each step searches for the next greater name, so the cost depends on the number of collections, not of rows. SQLite
    /// compares the stored names: a damaged name changes when it is read as text, and a search for the result might never
    /// end.
    private func eachCollection(_ body: (_ name: String, _ flaw: String?) throws -> Void) throws {
        let statement = try handle.statement(Self.collectionWalk)
        defer { statement.reset() }
        while try statement.step() {
            let bytes = statement.bytes(at: 0)
            let name = String(decoding: bytes, as: UTF8.self)
            guard statement.int64(at: 1) != 0 else {
                throw YapDatabaseError(
                    .corrupt, "The index of the keys is damaged: the order is wrong after the collection \"\(name)\".")
            }
            var flaw: String?
            if statement.type(at: 0) != .text {
                flaw = "The name of the collection \"\(name)\" is damaged: it is not text."
            } else if !name.utf8.elementsEqual(bytes) {
                flaw = "The name of the collection \"\(name)\" is damaged: its bytes are not UTF-8."
            }
            try body(name, flaw)
        }
    }

    /// Yields each name and whether it is greater than the one before, and ends at the first that is not.
    private static let collectionWalk = """
        WITH RECURSIVE "walk"("name", "previous") AS (SELECT min("collection"), NULL FROM "database2" UNION ALL \
        SELECT (SELECT min("collection") FROM "database2" WHERE "collection" > "walk"."name"), "walk"."name" FROM "walk" \
        WHERE "walk"."name" IS NOT NULL AND ("walk"."previous" IS NULL OR "walk"."name" > "walk"."previous")) \
        SELECT "name", "previous" IS NULL OR "name" > "previous" FROM "walk" WHERE "name" IS NOT NULL
        """

    package func count(inCollection collection: String) throws -> Int {
        guard let table = try table(isDerived: RowTable.isDerived(collection)) else { return 0 }
        return try first(
            table.count, bind: { try $0.bind(collection, at: 1) }, read: { Int($0.int64(at: 0)) }) ?? 0
    }

    /// Whether a collection has a row. O(log n).
    package func hasRows(inCollection collection: String) throws -> Bool {
        guard let table = try table(isDerived: RowTable.isDerived(collection)) else { return false }
        return try first(table.any, bind: { try $0.bind(collection, at: 1) }, read: { _ in true }) ?? false
    }

    package func countOfAllRows() throws -> Int {
        try first(#"SELECT COUNT(*) FROM "database2""#) { Int($0.int64(at: 0)) } ?? 0
    }

    /// Counts collections with valid and damaged names. O(n).
    func countOfCollections() throws -> Int {
        try first(#"SELECT COUNT(DISTINCT "collection") FROM "database2""#) { Int($0.int64(at: 0)) } ?? 0
    }

    package func hasRows() throws -> Bool {
        try first(#"SELECT 1 FROM "database2" LIMIT 1"#) { _ in true } ?? false
    }

    /// The collections that hold a row with this key.
    package func collections(forKey key: String) throws -> [String] {
        try collections().filter { collection in
            try rowid(forKey: RowKey(collection: collection, key: key)) != nil
        }
    }
}
