import ListChanges
import SQLiteBridge

/// Counting and listing, all from the index.
extension Store {
    func collections() throws -> [String] {
        var names: [String] = []
        // Each step is one search for the next greater name, so the cost follows the collections, not the rows.
        var next = try first(#"SELECT MIN("collection") FROM "database2""#) { $0.text(at: 0) } ?? nil
        while let name = next {
            // A name of damaged bytes is read as another one, after which SQLite finds the same bytes again.
            guard names.last?.hasSameBytes(as: name) != true else {
                throw YapDatabaseError(
                    .corrupt,
                    "The name of the collection \"\(name)\" is damaged: its bytes are no UTF-8. `yap browse` shows its rows."
                )
            }
            names.append(name)
            next =
                try first(
                    #"SELECT MIN("collection") FROM "database2" WHERE "collection" > ?"#,
                    bind: { try $0.bind(name, at: 1) }, read: { $0.text(at: 0) }) ?? nil
        }
        return names
    }

    func count(inCollection collection: String) throws -> Int {
        try first(
            #"SELECT COUNT(*) FROM "database2" WHERE "collection" = ?"#,
            bind: { try $0.bind(collection, at: 1) }, read: { Int($0.int64(at: 0)) }) ?? 0
    }

    func countOfAllRows() throws -> Int {
        try first(#"SELECT COUNT(*) FROM "database2""#) { Int($0.int64(at: 0)) } ?? 0
    }

    /// Whatever the bytes of their names. O(n).
    func countOfCollections() throws -> Int {
        try first(#"SELECT COUNT(DISTINCT "collection") FROM "database2""#) { Int($0.int64(at: 0)) } ?? 0
    }

    func hasRows() throws -> Bool {
        try first(#"SELECT 1 FROM "database2" LIMIT 1"#) { _ in true } ?? false
    }

    /// The collections that hold a row with this key.
    func collections(forKey key: String) throws -> [String] {
        try collections().filter { collection in
            try rowid(forKey: RowKey(collection: collection, key: key)) != nil
        }
    }
}
