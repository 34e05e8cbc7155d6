import SQLiteBridge
import FileEngine

/// Where commits may have changed the index of collections and keys: around the entries of the pages that were written.
///
/// Whatever entry came or went: on the way to its place in the newer state is a page that was written, for otherwise all
/// of that way, and what it ends in, is as it was. So only rows between the neighbours of such a page are to be counted.
struct TouchedKeys: Sendable {
    struct Entry: Hashable, Sendable {
        var collection: StoredText
        var key: StoredText
    }

    /// A page of some index like that of the keys.
    struct Page: Hashable, Sendable {
        var first: Entry
        var last: Entry
        /// Entries that may stand in front of the first and behind the last, in pages that were not written; 0 for a leaf.
        var margin: Int
    }

    var pages: [Page]
}

extension FileSnapshot {
    /// Whether the entries of an index say which rows there are: it has all of them, in the order of their bytes.
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
