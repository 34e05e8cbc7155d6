import SQLiteBridge

/// Whether a file's schema is a YapDatabase's, and which parts of it the layout does not have.
///
/// Read before the first byte is written, because a file of another program may have any version and tables of any name.
struct FileLayout {
    let version: Int
    private let items: [SchemaItem]
    private let store: Store
    private let path: String

    /// - Throws: also when a newer release wrote the file.
    init(_ store: Store, path: String) throws {
        self.store = store
        self.path = path
        version = try Schema.userVersion(store)
        try Schema.checkVersion(version, path: path)
        items = try SchemaItem.all(store)
    }

    /// Whether the file has everything that today's layout has.
    var isComplete: Bool {
        version == Schema.version && has("database2") && has("yap2") && has(Schema.keyIndexName)
    }

    func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// Whether the rows of an old layout have no collections, as the original's first database class wrote them.
    func hasRowsWithoutCollections() throws -> Bool {
        try item("database").map { try TableShape.oldKeyedRows.matches($0, store) } ?? false
    }

    /// - Throws: ``YapDatabaseError`` with code `notAYapDatabase` unless the library may write to the file.
    func checkIsOurs() throws {
        guard let reason = try reasonToRefuse() else { return }
        throw YapDatabaseError(
            .notAYapDatabase,
            "\(path) is an SQLite database of another program: \(reason). It was left as it is; choose another file.")
    }

    /// Returns nil if the file has the tables that its version requires. It may then have other tables too.
    private func reasonToRefuse() throws -> String? {
        if items.isEmpty {
            let application = try store.pragma("application_id")
            return application == 0 ? nil : "its application_id is \(application)"
        }
        let encoding = try store.first("PRAGMA encoding") { $0.text(at: 0) ?? "" } ?? ""
        guard encoding == "UTF-8" else { return "its texts are \(encoding)" }
        for (name, shapes) in known {
            guard let item = item(name) else { continue }
            guard try shapes.contains(where: { try $0.matches(item, store) }) else {
                return "its \(item.type) \"\(name)\" is not that of a YapDatabase of version \(version)"
            }
        }
        if let foreignItem, let missing = requiredTables.first(where: { !has($0) }) {
            return "it has \"\(foreignItem.name)\" but no table \"\(missing)\""
        }
        if let needed = neededAlways, !has(needed), !has("database2") { return "it has no table \"\(needed)\"" }
        return try foreignParts().first { $0.runs }?.description
    }

    /// The tables of this layout version, in every shape that releases gave them.
    private var known: [(name: String, shapes: [TableShape])] {
        let today = [("database2", [TableShape.rows]), ("yap2", [TableShape.smallValues])]
        let oldRows = ("database", [TableShape.oldRows, .oldKeyedRows])
        return switch version {
        case 1: today + [oldRows, ("yap", [.oldSmallValues])]
        case 2: today + [oldRows]
        default: today
        }
    }

    private var requiredTables: [String] {
        switch version {
        case 1: ["database", "yap"]
        case 2: ["database", "yap2"]
        default: ["yap2", "database2"]
        }
    }

    /// The table that even a partly created file of this version has.
    private var neededAlways: String? {
        switch version {
        case 0: nil
        case Schema.version: "yap2"
        default: "database"
        }
    }

    /// The first item of the schema that no release creates.
    private var foreignItem: SchemaItem? {
        let names = known.map(\.name) + [Schema.keyIndexName]
        return items.first { !names.contains($0.name) }
    }

    private func item(_ name: String) -> SchemaItem? { items.first { $0.name.lowercased() == name } }
}

// MARK: Additions to our tables

extension FileLayout {
    /// A part of the schema that the layout does not have.
    struct ForeignPart {
        /// Such as `the table "database2" has a CHECK`.
        let description: String
        /// Whether SQLite would run it when rows are written.
        let runs: Bool
    }

    /// Lists the additions to our tables. SQLite would run them when rows are written, except triggers and views, which are
    /// disabled.
    func foreignParts() throws -> [ForeignPart] {
        let own = items.filter { $0.type == "table" && isWrittenByRow($0.name) }
        let names = Set(own.map { $0.name.lowercased() })
        var parts: [ForeignPart] = []
        for table in own {
            if let what = additions(to: table) { parts.append(ForeignPart(description: what, runs: true)) }
        }
        for item in items where item.type != "table" {
            switch item.type {
            case "index":
                guard names.contains(item.table.lowercased()), let what = try flaw(ofIndex: item) else { continue }
                parts.append(ForeignPart(description: what, runs: true))
            default:
                let (plain, quoted) = item.words
                let mentioned = plain.union(quoted.map { $0.uppercased() }).union([item.table.uppercased()])
                guard names.contains(where: { mentioned.contains($0.uppercased()) }) || isWrittenByRow(item.name) else {
                    continue
                }
                let what = "there is a \(item.type) \"\(item.name)\", which YapDatabase never runs"
                parts.append(ForeignPart(description: what, runs: false))
            }
        }
        return parts
    }

    /// Whether the library writes rows to the table.
    private func isWrittenByRow(_ table: String) -> Bool {
        known.contains { $0.name == table.lowercased() } || TableOwner.isViewContent(table)
            || TableOwner.isEdges(table) || CloudCoreTable(table: table) != nil
    }

    /// Words that may occur in the SQL of the layout's tables.
    private static let words: Set = [
        "CREATE", "TABLE", "NOT", "NULL", "PRIMARY", "KEY", "CHAR", "VARCHAR", "TEXT", "BLOB", "INTEGER", "EXTENSION",
        "DATA", "ROWID", "COLLECTION", "METADATA", "PAGEKEY", "PREVPAGEKEY", "COUNT", "NAME", "SRC", "DST", "RULES",
        "MANUAL", "ALGORITHM", "PIPELINEID", "GRAPHID", "OPERATION", "IDENTIFIER", "TAG", "DATABASE_ROWID", "CLOUDURI",
    ]

    private func additions(to table: SchemaItem) -> String? {
        if TableShape.isMadeByLayout(table) { return nil }
        let extra = table.words.plain.filter { word in
            !Self.words.contains(word) && Int(word) == nil && word != table.name.uppercased()
        }
        guard let word = extra.min() else { return nil }
        return "the table \"\(table.name)\" has \(word), which YapDatabase's does not have"
    }

    private func flaw(ofIndex index: SchemaItem) throws -> String? {
        if index.name == Schema.keyIndexName, index.packed == Schema.packedKeyIndex { return nil }
        let found = try store.all(
            """
            SELECT l."unique", l.partial, x.cid, x.name, x.coll, x."desc" FROM pragma_index_list(?1) AS l, \
            pragma_index_xinfo(?2) AS x WHERE l.name = ?2 AND x.key = 1 ORDER BY x.seqno
            """,
            bind: {
                try $0.bind(index.table, at: 1)
                try $0.bind(index.name, at: 2)
            },
            read: {
                (
                    isUnique: $0.int64(at: 0) != 0, isPartial: $0.int64(at: 1) != 0,
                    isExpression: $0.int64(at: 2) == -2,
                    name: $0.text(at: 3) ?? "", order: $0.text(at: 4) ?? "", isFalling: $0.int64(at: 5) != 0
                )
            })
        func flaw(_ what: String) -> String {
            "the index \"\(index.name)\" on the table \"\(index.table)\" \(what), as no index of YapDatabase does"
        }
        if index.name == Schema.keyIndexName {
            let isRight =
                found.map { $0.name.lowercased() } == ["collection", "key"] && index.table == "database2"
                && found.allSatisfy { $0.isUnique && !$0.isFalling }
            if !isRight { return flaw("is not over collection and key") }
        } else if found.contains(where: \.isUnique) {
            return flaw("forbids equal values")
        }
        if found.contains(where: \.isExpression) { return flaw("is over an expression") }
        if found.contains(where: \.isPartial) { return flaw("has a condition") }
        if let order = found.first(where: { $0.order != "BINARY" })?.order { return flaw("has the order \(order)") }
        return nil
    }
}
