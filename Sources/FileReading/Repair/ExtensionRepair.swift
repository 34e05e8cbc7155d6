import FileEngine
import ListChanges
import SQLiteBridge

/// Makes the extensions of a copied file agree with its rows.
///
/// An extension that is derived from the rows is dropped, and the next program that registers it fills it. A full-text index is rebuilt from
/// the texts that it keeps. Entries that were added by hand stay, unless they name lost rows.
struct ExtensionRepair {
    /// The tables that lack rows, each with the reason.
    let torn: [String: String]
    private(set) var parts: [RepairReport.Part] = []
    /// The tables whose missing rows do not matter, because their extension is filled again.
    private(set) var refilledTables: Set<String> = []
    /// The problems that the check of the file found in its pages. If a page was used by two tables, the texts of an index may be another
    /// table's.
    private var structural: [YapDatabaseProblem] = []
    /// How often each extension was mended.
    private var attempts: [String: Int] = [:]
    private static let attemptLimit = 2

    /// Whether a table belongs to an extension that is filled again, so that its missing rows are no loss.
    func isFilledAgain(_ table: String) -> Bool {
        if table == TableOwner.derivedRowsTable { return refilledTables.contains(table) }
        return parts.contains { part in
            part.action != .mended
                && TableOwner.Kind.allCases.contains { kind in
                    table.startsWithBytes(of: kind.table(of: part.name))
                        && TableOwner(table: table, among: [table, kind.table(of: part.name)])
                            == .extension(kind, name: part.name)
                }
        }
    }

    init(torn: [String: String]) { self.torn = torn }

    /// Mends the extensions that were damaged in the original file. A check of the copy may not find this damage.
    /// - Parameter dropsDerived: whether rows may be older than the extensions that were derived from them.
    mutating func begin(_ path: String, _ problems: [YapDatabaseProblem], dropsDerived: Bool) throws {
        structural = problems.filter {
            $0.kind != .foreign && ($0.extensionName == nil || $0.description.hasPrefix("table \""))
        }
        try Self.inTransaction(path) { store in
            // The table of extensions may have been lost with the schema.
            if try !store.hasTable("yap2"), let known = KnownDefinition.all([]).first(where: { $0.name == "yap2" }) {
                try store.execute(known.sql)
            }
            if try store.hasTable(TableOwner.commitRecordsTable) {
                try store.execute("DROP TABLE \(Store.quoted(TableOwner.commitRecordsTable))")
            }
            if !problems.isEmpty || !torn.isEmpty || dropsDerived { try dropDerivedRows(store) }
            for problem in problems {
                if let name = problem.extensionName { try mend(name, problem.description, store) }
            }
            for (table, reason) in torn.sorted(by: { $0.key < $1.key }) {
                let tables = Set(torn.keys).union(try store.tables())
                guard case .extension(_, let name) = TableOwner(table: table, among: tables) else { continue }
                try mend(name, reason, store)
            }
            // SQLite's integrity check includes full-text indexes only since version 3.44.
            for name in try store.names(.fts) where !store.isFullTextSound(name) {
                try mend(name, "The full-text index does not fit the texts that it keeps.", store)
            }
            if dropsDerived {
                for name in try store.yapExtensionNames() where try store.followsFromRows(extension: name) {
                    try drop(name, "Rows are from older copies of their pages.", store)
                }
            }
        }
        endRound()
    }

    /// Mends what the check finds in the copy.
    /// - Returns: whether anything was changed.
    mutating func mend(_ path: String, _ problems: [YapDatabaseProblem]) throws -> Bool {
        var isChanged = false
        try Self.inTransaction(path) { store in
            for problem in problems {
                guard let name = problem.extensionName, attempts[name, default: 0] < Self.attemptLimit else { continue }
                if try mend(name, problem.description, store) { isChanged = true }
            }
        }
        endRound()
        return isChanged
    }

    private mutating func endRound() {
        for name in mended { attempts[name, default: 0] += 1 }
        mended = []
    }

    /// The extensions that this round has mended. An extension with several problems is mended once.
    private var mended: Set<String> = []

    private static func inTransaction(_ path: String, _ body: (Store) throws -> Void) throws {
        let store = try Store(path: path, mode: .readWrite, busyTimeout: 0)
        try store.execute("BEGIN IMMEDIATE")
        try body(store)
        try store.execute("COMMIT")
    }

    /// Mends an extension, unless this round has done so.
    /// - Returns: whether anything of the extension was changed.
    @discardableResult
    private mutating func mend(_ name: String, _ reason: String, _ store: Store) throws -> Bool {
        guard mended.insert(name).inserted else { return false }
        let className = try store.registeredExtension(name)?.className
        if try store.hasDerivedRows(extension: name) {
            try dropDerivedRows(store)
            return true
        }
        switch try store.content(of: name, className) {
        case .cloud: return note(name, className, reason, try CloudRepair(store, name).run())
        case .edges: return note(name, className, reason, try EdgeRepair(store, name).run())
        case .places:
            guard try ManualViewRepair(store, name).canRun else { break }
            return note(name, className, reason, try ManualViewRepair(store, name).run())
        case .texts:
            let isFirst = attempts[name, default: 0] == 0 && structural.allSatisfy { isIndexOfTexts($0, name) }
            guard try isFirst && isContentWhole(name, store), (try? store.rebuildFullText(name)) != nil else { break }
            try noteFilledAgain(name, .rebuilt, className, reason, store)
            return true
        case .derived: break
        case .unknown:
            guard try !store.leftOutRows(extension: name).isEmpty else { return false }
            try store.endLeavingOutRows(extension: name)
            return note(name, className, reason, [])
        }
        try drop(name, reason, store)
        return true
    }

    /// Whether a problem concerns a full-text index, but not the table of its texts.
    private func isIndexOfTexts(_ problem: YapDatabaseProblem, _ name: String) -> Bool {
        problem.extensionName == name && !problem.description.contains("fts_\(name)_content")
    }

    /// Whether the table that holds the texts of a full-text index lacks no rows.
    private func isContentWhole(_ name: String, _ store: Store) throws -> Bool {
        let table = "fts_\(name)_content"
        guard try torn[table] == nil && store.hasTable(table) else { return false }
        // FTS4 stores the length of each text in another table.
        let sizes = "fts_\(name)_docsize"
        guard try store.hasTable(sizes) else { return true }
        func count(_ table: String) throws -> Int {
            try store.first("SELECT count(*) FROM \(Store.quoted(table))") { Int($0.int64(at: 0)) } ?? 0
        }
        return try count(table) >= count(sizes)
    }

    private mutating func note(_ name: String, _ className: String?, _ reason: String, _ removed: [String]) -> Bool {
        if let place = parts.firstIndex(where: { $0.name == name && $0.action == .mended }) {
            parts[place].removed += removed
        } else {
            parts.append(.init(name: name, className: className, action: .mended, reason: reason, removed: removed))
        }
        return true
    }

    /// Reports that an extension was rebuilt, or dropped and will be filled again. Then the missing rows of its tables are no loss.
    private mutating func noteFilledAgain(
        _ name: String, _ action: RepairReport.Part.Action, _ className: String?, _ reason: String, _ store: Store
    ) throws {
        parts.removeAll { $0.name == name }
        parts.append(.init(name: name, className: className, action: action, reason: reason))
        let tables = Set(torn.keys).union(try store.tables())
        for table in torn.keys {
            if case .extension(_, name) = TableOwner(table: table, among: tables) { refilledTables.insert(table) }
        }
    }

    /// Drops all derived rows and the extensions over them. Only the program that derives the rows can say whether they are complete, and it
    /// fills them again.
    private mutating func dropDerivedRows(_ store: Store) throws {
        for name in try store.yapExtensionNames() where try store.hasDerivedRows(extension: name) {
            try drop(name, "It follows from rows by a rule that only its program knows.", store)
            mended.insert(name)
        }
        guard try store.hasTable(TableOwner.derivedRowsTable) else { return }
        // Mutations are not derived: nothing can fill them again.
        try store.execute(
            "DELETE FROM \(Store.quoted(TableOwner.derivedRowsTable)) WHERE \"collection\" != '\(RowTable.mutations)'")
        // The table also holds the mutations of a file that had some. Its missing rows may be mutations, which are a loss.
        let hasMutations = try store.yapText(extension: "", key: OutboxState.key) != nil
        if !hasMutations { refilledTables.insert(TableOwner.derivedRowsTable) }
        // Their summary may be what is damaged.
        guard let state = try store.countOfMutations()?.state else { return }
        try store.setYapValue(.text(state.text), extension: "", key: OutboxState.key)
    }

    private mutating func drop(_ name: String, _ reason: String, _ store: Store) throws {
        let className = try store.registeredExtension(name)?.className
        try noteFilledAgain(name, .dropped, className, reason, store)
        try store.dropTables(ofExtension: name)
        try store.removeYapValues(extension: name)
        let isFollowed = [TableOwner.Kind.view, .fts].contains { $0.classes.contains(className ?? "") }
        guard isFollowed || className == nil else { return }
        for other in try store.yapExtensionNames() where try store.followsExtension(other) {
            try store.markStale(extension: other)
            guard !parts.contains(where: { $0.name == other }) else { continue }
            let otherClass = try store.registeredExtension(other)?.className
            parts.append(
                .init(name: other, className: otherClass, action: .marked, reason: "It may follow from \"\(name)\"."))
        }
    }
}
