import FileEngine
import ListChanges
import SQLiteBridge

/// How many bytes of a file each part of it takes.
///
/// The space of a table or an index is all its pages, including the free part of each page. The space of a collection is the records of its
/// rows and the pages of long values.
package struct FileSpace: Sendable {
    /// What pages belong to.
    package enum Owner: Hashable, Sendable {
        /// The rows of all collections.
        case rows
        /// The index of their keys.
        case keys
        case smallValues
        case `extension`(TableOwner.Kind, String)
        /// Another table, with its indexes.
        case table(ExactString)
        case schema
    }

    package struct Collection: Hashable, Sendable {
        package var rows = 0
        package var bytes = 0
    }

    package private(set) var collections: [StoredText: Collection] = [:]
    package private(set) var bytes: [Owner: Int] = [:]
    /// The bytes of the whole state, without a log.
    package let total: Int
    package let free: Int

    /// The bytes of pages that are neither free nor of a tree: the pointer map, and what is lost of a damaged file.
    package var rest: Int { max(0, total - free - bytes.values.reduce(0, +)) }

    /// Reads the whole file, in less time than SQLite needs for its rows.
    /// - Returns: nil if its pages cannot be told apart.
    /// - Throws: ``YapDatabaseError`` if it is cancelled, or another program has written.
    package init?(_ snapshot: FileSnapshot, isCancelled: () -> Bool = { false }) throws {
        let found = try snapshot.work { store -> (Trees, FilePages, Int, Int)? in
            guard let pages = FilePages(store, maxFrames: snapshot.log?.frames) else { return nil }
            let free = try store.first("PRAGMA freelist_count") { Int($0.int64(at: 0)) } ?? 0
            let count = try store.first("PRAGMA page_count") { Int($0.int64(at: 0)) } ?? pages.count
            return (try Trees(store, snapshot.schema), pages, free, count)
        }
        guard let (trees, pages, freePages, pageCount) = found else { return nil }
        total = pageCount * pages.pageSize
        free = freePages * pages.pageSize
        // The pages are read by the file's own descriptor; SQLite is asked nothing meanwhile.
        let measured = try snapshot.work { _ in
            try PageMeasure(pages, trees.roots, rows: trees.rows, isCancelled: isCancelled)
        }
        for (place, count) in measured.pages.enumerated() where count > 0 {
            bytes[trees.owners[place], default: 0] += count * pages.pageSize
        }
        collections = measured.collections
    }

    /// The trees of the schema, each with its owner.
    private struct Trees {
        var roots: [Int] = [1]
        var owners: [Owner] = [.schema]
        /// The root of the rows.
        var rows: Int?

        init(_ store: Store, _ schema: FileSchema) throws {
            let names = Set(schema.tables.names)
            let found = try store.all("SELECT name, tbl_name, rootpage FROM sqlite_master WHERE rootpage > 1") {
                ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "", Int($0.int64(at: 2)))
            }
            for (name, table, root) in found {
                roots.append(root)
                owners.append(Self.owner(name, table, names, schema))
                if name == schema.rows?.name { rows = root }
            }
        }

        private static func owner(_ name: String, _ table: String, _ names: Set<String>, _ schema: FileSchema) -> Owner
        {
            if table == schema.rows?.name { return name == table ? .rows : .keys }
            switch TableOwner(table: table, among: names) {
            case .extension(let kind, let owner): return .extension(kind, owner)
            case .smallValues: return .smallValues
            case .rows, .derivedRows, .replacedRows, .commitRecords: return .table(ExactString(table))
            case .unknown:
                // What SQLite keeps for a virtual table is that one's.
                let virtual = schema.tables.values.first { $0.isVirtual && TableOwner.isShadow(table, of: $0.name) }
                return .table(ExactString(virtual?.name ?? table))
            }
        }
    }
}
