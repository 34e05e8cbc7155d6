import SQLiteBridge
import ViewPageKeys
import FileEngine

extension FileSnapshot {
    /// The most collections that a tree shows. Each costs one search in the index.
    package static let collectionLimit = 10_000
    /// The most rows to read in search of collections; this takes some milliseconds.
    private static let rowLimit = 20_000

    /// Returns what the file contains.
    ///
    /// The catalog's `damage` names each part that cannot be read; the other parts are present.
    package func catalog() throws -> Catalog {
        try read { store in
            var catalog = Catalog(facts: try FileFacts(store, self))
            var extensions: [String: [String: String]] = [:]
            catalog.attempt("The table of small values") { extensions = try self.extensions(store, &$0) }
            let isSound = catalog.attempt("The collections") { try self.findCollections(store, &$0) }
            if !isSound { self.findCollectionsOfRows(store, &catalog) }
            self.addTables(extensions, &catalog)
            self.addOrphans(extensions, &catalog)
            self.addOtherTables(&catalog)
            catalog.attempt("The views of SQL") { catalog in
                catalog.sqlViews = try store.all(
                    "SELECT name FROM sqlite_master WHERE type = 'view' LIMIT \(Self.collectionLimit)"
                ) { $0.text(at: 0) ?? "" }
            }
            catalog.sort()
            return catalog
        }
    }

    /// Returns the values of each extension in `yap2`, by key.
    private func extensions(_ store: Store, _ catalog: inout Catalog) throws -> [String: [String: String]] {
        guard let table = schema.smallValues else { return [:] }
        var found: [String: [String: String]] = [:]
        var count = 0
        // Blobs are summaries of pages, of megabytes.
        let sql = """
            SELECT "extension", "key", CASE typeof("data") WHEN 'blob' THEN '' ELSE "data" END \
            FROM \(table.name.quotedSQL) LIMIT \(Self.collectionLimit)
            """
        _ = try store.all(sql) { statement in
            count += 1
            found[statement.text(at: 0) ?? "", default: [:]][statement.text(at: 1) ?? ""] = statement.text(at: 2) ?? ""
        }
        catalog.smallValues = count
        found[""] = nil
        return found
    }

    /// Finds collections with a recursive query. Each step is one search for the next greater name, so the cost grows
    /// with the number of collections.
    private func findCollections(_ store: Store, _ catalog: inout Catalog) throws {
        guard let rows = schema.rows else { return }
        let table = rows.name.quotedSQL
        let statement = try store.handle.statement(
            """
            WITH RECURSIVE c(name, previous) AS (SELECT min("collection"), NULL FROM \(table) UNION ALL \
            SELECT (SELECT min("collection") FROM \(table) WHERE "collection" > c.name), c.name FROM c \
            WHERE c.name IS NOT NULL) \
            SELECT name, previous IS NULL OR name > previous FROM c WHERE name IS NOT NULL \
            LIMIT \(Self.collectionLimit + 1)
            """)
        defer { statement.reset() }
        while try statement.step() {
            if catalog.collections.count == Self.collectionLimit { return catalog.hasMoreCollections = true }
            if statement.int64(at: 1) == 0 { throw YapDatabaseError.endlessIndex }
            catalog.collections.append(StoredText(statement, at: 0))
        }
    }

    /// Collects the collections of the first readable rows. Used if the index is damaged.
    private func findCollectionsOfRows(_ store: Store, _ catalog: inout Catalog) {
        guard let rows = schema.rows else { return }
        var found = Set(catalog.collections)
        var (walk, visited) = (TableWalk(), 0)
        while visited < Self.rowLimit, !walk.isOver {
            let step: ()? = try? walk.visit(Self.rowLimit, of: rows.name.quotedSQL, ", \"collection\"", store) {
                visited += 1
                if found.count < Self.collectionLimit { found.insert(StoredText($0, at: 1)) }
            }
            if step == nil { break }
        }
        catalog.collections = found.sorted()
        catalog.hasMoreCollections = true
    }

    private func addTables(_ extensions: [String: [String: String]], _ catalog: inout Catalog) {
        let tables = Set(schema.tables.names)
        for table in schema.tables.values {
            guard case .extension(let kind, let name) = TableOwner(table: table.name, among: tables) else { continue }
            let values = extensions[name] ?? [:]
            let tag = values["versionTag"]
            // The view's map, and the tables that SQLite keeps for a virtual table, belong to the first table.
            switch kind {
            case .view where table.name == "view_\(name)_page":
                catalog.views.append(view(name, values))
            case .secondaryIndex:
                let columns = table.columns.filter { $0 != "rowid" }
                catalog.indexes.append(.init(name: name, table: table.name, columns: columns, versionTag: tag))
            case .fts where table.name == "fts_\(name)":
                catalog.fullText.append(
                    .init(
                        name: name, table: table.name, columns: table.columns, version: values["ftsVersion"],
                        versionTag: tag))
            case .rTreeIndex where table.name == "rTreeIndex_\(name)":
                catalog.rTrees.append(.init(name: name, table: table.name, columns: table.columns, versionTag: tag))
                guard table.columns.isEmpty else { continue }
                catalog.damage.append(
                    "The boxes of the R-tree \"\(name)\" cannot be read: it is damaged, or SQLite has no R-trees here.")
            case .relationship:
                catalog.relationships.append(.init(name: name, table: table.name, versionTag: tag))
            default: break
            }
        }
    }

    /// Adds the tables that are in no other part of the catalog. Those that SQLite keeps for a virtual table belong to it.
    private func addOtherTables(_ catalog: inout Catalog) {
        let names = Set(schema.tables.names)
        let virtual = schema.tables.values.filter(\.isVirtual).map(\.name)
        for table in schema.tables.values where TableOwner(table: table.name, among: names) == .unknown {
            guard !table.name.hasPrefix("sqlite_"),
                !virtual.contains(where: { TableOwner.isShadow(table.name, of: $0) })
            else { continue }
            catalog.tables.append(
                .init(
                    name: table.name, columns: table.columns, hasRowid: table.hasRowid, isVirtual: table.isVirtual))
        }
    }

    private func view(_ name: String, _ values: [String: String]) -> Catalog.View {
        var view = Catalog.View(name: name, className: values["class"], versionTag: values["versionTag"])
        if values.isEmpty { view.damage.append("The view \"\(name)\" has tables, but no entry in yap2.") }
        if schema.tables["view_\(name)_map"] == nil { view.damage.append("The view \"\(name)\" has no map table.") }
        if schema.tables["view_\(name)_page"]?.has("pageKey", "group", "prevPageKey", "count", "data") != true {
            view.damage.append("The page table of the view \"\(name)\" lacks columns.")
            view.hasPages = false
        }
        return view
    }

    /// Adds extensions that `yap2` records but that have no table.
    private func addOrphans(_ extensions: [String: [String: String]], _ catalog: inout Catalog) {
        let found = Set(
            catalog.views.map(\.name) + catalog.indexes.map(\.name) + catalog.fullText.map(\.name)
                + catalog.relationships.map(\.name) + catalog.rTrees.map(\.name))
        for (name, values) in extensions where !found.contains(name) {
            guard let className = values["class"] else { continue }
            if TableOwner.Kind.view.classes.contains(className) {
                catalog.views.append(
                    .init(
                        name: name, className: className, versionTag: values["versionTag"],
                        damage: ["yap2 names the view \"\(name)\", but it has no page table."], hasPages: false))
            } else {
                catalog.others[name] = className
                if TableOwner.Kind.derived.classes.contains(className) { catalog.derivations[name] = .init(values) }
            }
        }
    }
}

extension Catalog {
    /// Reads one part. If that fails, records the damage and returns false.
    @discardableResult
    fileprivate mutating func attempt(_ part: String, _ body: (inout Catalog) throws -> Void) -> Bool {
        do {
            try body(&self)
            return true
        } catch {
            damage.append("\(part) cannot be read: \(error)")
            return false
        }
    }

    fileprivate mutating func sort() {
        views.sort { $0.name < $1.name }
        indexes.sort { $0.name < $1.name }
        fullText.sort { $0.name < $1.name }
        relationships.sort { $0.name < $1.name }
        rTrees.sort { $0.name < $1.name }
        tables.sort { $0.name < $1.name }
        sqlViews.sort()
    }
}
