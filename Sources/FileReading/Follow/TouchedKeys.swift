import SQLiteBridge
import FileEngine

/// Where commits may have changed the index of collections and keys: around the entries of the pages that were written.
///
/// For every entry that was inserted or removed, some page on the path to its place in the newer state was written;
/// otherwise that path, and what it leads to, would be unchanged. So only rows between the neighbours of written pages
/// need to be counted again.
struct TouchedKeys: Sendable {
    struct Entry: Hashable, Sendable {
        var collection: StoredText
        var key: StoredText
    }

    /// A page of any index of the same shape as that of the keys.
    struct Page: Hashable, Sendable {
        var first: Entry
        var last: Entry
        /// The most entries that may lie before the first and after the last one, in pages that were not written; 0 for
        /// a leaf.
        var margin: Int
    }

    var pages: [Page]
}

extension FileSnapshot {
    /// Whether the entries of an index determine the rows: it has all of them, in the order of their bytes.
    func hasKeyIndex() throws -> Bool {
        let table = try rowTable().name
        return try read { store in
            guard try store.first("PRAGMA encoding", read: { $0.text(at: 0) }) == "UTF-8" else { return false }
            let sql = """
                SELECT 1 FROM pragma_index_list(?1) AS list WHERE list.partial = 0 AND ( \
                SELECT group_concat(name || coll || "desc") FROM pragma_index_xinfo(list.name) WHERE "key" = 1) \
                = 'collectionBINARY0,keyBINARY0'
                """
            return try store.first(sql, bind: { try $0.bind(table, at: 1) }, read: { _ in true }) ?? false
        }
    }
}
