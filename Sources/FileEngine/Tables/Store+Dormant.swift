import SQLiteBridge

/// The tables of an extension that this process has not registered and that must not keep a row that is removed: content of the user's
/// own, which nothing could rebuild, and columns, which are searched while they are behind.
package struct DormantContent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case edges, manualView, cloudMapping
        case columns(TableOwner.Kind)
    }

    package let name: String
    let kind: Kind
}

/// Keeps the tables of dormant extensions right while rows change.
extension Store {
    /// Classes without tables of their own.
    private static let classesWithoutContent: Set<String> = [
        "YapDatabaseHooks", "YapDatabaseActionManager", "YapDatabaseCrossProcessNotification",
    ]

    /// What becomes of a dormant extension when rows of a collection change.
    package enum DormantChange {
        /// Its content has no part in that collection, so it stays right.
        case none
        /// It is marked as stale, or has nothing that could become wrong.
        case settled
        /// Removed rows must be taken from these tables.
        case follows(DormantContent)
    }

    /// Called before rows of a collection change, for each dormant extension.
    ///
    /// An extension that follows from the rows is marked as stale if it may have rows of that collection. So is a relationship: the next
    /// registration asks the objects for their edges again, and keeps those that were added by hand.
    /// - Parameter collection: nil for all.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the extension would need its own code to follow the rows.
    package func noteRowsChange(besideDormant name: String, in collection: String?) throws -> DormantChange {
        let registered = try registeredExtension(name)
        let className = registered?.className ?? ""
        func follows(_ kind: DormantContent.Kind, if exists: Bool) -> DormantChange {
            exists ? .follows(DormantContent(name: name, kind: kind)) : .settled
        }
        switch className {
        case "YapDatabaseRelationship":
            let edges = EdgeTable(self, extension: name)
            // A row of any collection may be the destination that an object waits for.
            if try !excludes(collection, registered, name) || edges.lacksEdges { try markStale(extension: name) }
            return try follows(.edges, if: edges.exists)
        case "YapDatabaseManualView": return try follows(.manualView, if: hasViewTables(view: name))
        case "YapDatabaseCloudCore":
            return try follows(.cloudMapping, if: CloudCoreTables(self, extension: name).has(.mapping))
        case let name where Self.classesWithoutContent.contains(name): return .settled
        default:
            guard try followsFromRows(extension: name) else { throw cannotFollow(name, className) }
            if try excludes(collection, registered, name) { return .none }
            try markStale(extension: name)
            let kind = TableOwner.Kind.indexes.first { $0.classes.contains(className) }
            return try kind.map { try follows(.columns($0), if: hasDormantTable("\($0.rawValue)_\(name)")) } ?? .settled
        }
    }

    /// Whether an extension says that it has no rows of a collection.
    private func excludes(
        _ collection: String?, _ registered: RegisteredExtension?, _ name: String
    ) throws -> Bool {
        guard let collection, let tag = registered?.withoutStaleMark.versionTag else { return false }
        return try collectionRule(ofExtension: name, tag: tag)?.allows(collection) == false
    }

    /// Takes removed rows from the tables, so that the next rows with these rowids have no part in them.
    package func removeRows(_ rows: [Int64], from content: DormantContent) throws {
        try keeping(content) {
            switch content.kind {
            case .edges: try EdgeTable(self, extension: content.name).dropEdges(of: rows)
            case .manualView: try removeRows(rows, fromPagesOf: content.name)
            case .cloudMapping: try CloudCoreTables(self, extension: content.name).removeMappings(of: rows)
            case .columns(let kind): try removeColumns(of: rows, kind, content.name)
            }
        }
    }

    /// Empties the tables when all rows are removed.
    package func removeAllRows(from content: DormantContent) throws {
        try keeping(content) {
            switch content.kind {
            case .edges: try EdgeTable(self, extension: content.name).removeAll()
            case .manualView: try removeAllPages(view: content.name)
            case .cloudMapping: try CloudCoreTables(self, extension: content.name).removeAllMappings()
            case .columns(let kind): try removeColumns(of: nil, kind, content.name)
            }
        }
    }

    private func hasDormantTable(_ name: String) throws -> Bool {
        try first(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", bind: { try $0.bind(name, at: 1) },
            read: { _ in true }) ?? false
    }

    /// Takes rows from the table of an index that is marked as stale already; nil for all. One that SQLite cannot change stays as it is.
    private func removeColumns(of rows: [Int64]?, _ kind: TableOwner.Kind, _ name: String) throws {
        let table = Self.quoted("\(kind.rawValue)_\(name)")
        do {
            guard let rows else { return try execute("DELETE FROM \(table)") }
            for row in rows { try run(#"DELETE FROM \#(table) WHERE "rowid" = ?"#) { try $0.bind(row, at: 1) } }
        } catch {
            try handle.checkTransaction()
        }
    }

    /// Takes rows from the pages of a view, and drops pages that become empty.
    private func removeRows(_ rows: [Int64], fromPagesOf view: String) throws {
        try endPageSummary(ofView: view)
        var gone: [String: Set<Int64>] = [:]
        for row in rows {
            guard let page = try pageKey(ofRowid: row, view: view) else { continue }
            gone[page, default: []].insert(row)
            try setPage(nil, ofRowid: row, view: view)
        }
        let table = Self.quoted("view_\(view)_page")
        for (page, gone) in gone.sorted(by: { $0.key < $1.key }) {
            let found = try first(
                #"SELECT "count", "prevPageKey" FROM \#(table) WHERE "pageKey" = ?"#,
                bind: { try $0.bind(page, at: 1) }, read: { (Int($0.int64(at: 0)), $0.text(at: 1)) })
            guard let (count, previous) = found else {
                throw YapDatabaseError.damagedView(view, "page \(page) is missing")
            }
            let (rows, record) = try self.rows(ofPage: PageKey(page), count: count, view: view)
            let kept = rows.filter { !gone.contains($0) }
            if !kept.isEmpty {
                try setRows(kept, ofPage: PageKey(page), at: record, view: view)
                continue
            }
            try run(#"UPDATE \#(table) SET "prevPageKey" = ? WHERE "prevPageKey" = ?"#) {
                if let previous { try $0.bind(previous, at: 1) }
                try $0.bind(page, at: 2)
            }
            try removePage(page, view: view)
        }
    }

    /// Reports damaged tables as what they are to the caller: an extension that it does not use.
    private func keeping(_ content: DormantContent, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as YapDatabaseError where error.code == .corrupt || error.code == .sqlite {
            throw YapDatabaseError(
                .badExtension,
                "The file has the extension \"\(content.name)\", which this program has not registered and whose tables "
                    + "are damaged, so that a removed row cannot be taken from them. Unregister \"\(content.name)\", which "
                    + "drops its tables, or restore a backup.", underlying: error)
        }
    }

    private func cannotFollow(_ name: String, _ className: String) -> YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "The file has the extension \"\(name)\" of the class \(className), which only that class can keep in step with "
                + "the rows, and this program has not registered it. Nothing was written. Register it before you write, or "
                + "drop it with unregisterExtension(withName: \"\(name)\").")
    }
}
