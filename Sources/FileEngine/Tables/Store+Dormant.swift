import SQLiteBridge

/// The tables of an extension that this process has not registered and whose content is the user's own, so that nothing could
/// rebuild them.
package struct DormantContent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case edges, manualView, cloudMapping
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

    /// Called before the first change of rows in a transaction, for each dormant extension.
    ///
    /// An extension that follows from the rows is marked as stale. So is a relationship: the next registration asks the objects
    /// for their edges again, and keeps those that were added by hand.
    /// - Returns: the tables from which removed rows must be taken.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the extension would need its own code to follow the rows.
    package func noteRowsChange(besideDormant name: String) throws -> DormantContent? {
        let className = try registeredExtension(name)?.className ?? ""
        switch className {
        case "YapDatabaseRelationship":
            try markStale(extension: name)
            return try EdgeTable(self, extension: name).exists ? DormantContent(name: name, kind: .edges) : nil
        case "YapDatabaseManualView":
            return try hasViewTables(view: name) ? DormantContent(name: name, kind: .manualView) : nil
        case "YapDatabaseCloudCore":
            return try CloudCoreTables(self, extension: name).has(.mapping)
                ? DormantContent(name: name, kind: .cloudMapping) : nil
        case let name where Self.classesWithoutContent.contains(name): return nil
        default:
            guard try followsFromRows(extension: name) else { throw cannotFollow(name, className) }
            try markStale(extension: name)
            return nil
        }
    }

    /// Takes removed rows from the tables, so that the next rows with these rowids have no part in them.
    package func removeRows(_ rows: [Int64], from content: DormantContent) throws {
        try keeping(content) {
            switch content.kind {
            case .edges: try EdgeTable(self, extension: content.name).dropEdges(of: rows)
            case .manualView: try removeRows(rows, fromPagesOf: content.name)
            case .cloudMapping: try CloudCoreTables(self, extension: content.name).removeMappings(of: rows)
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
            }
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
