import FileEngine
import ListChanges
import SQLiteBridge

/// Makes the extensions of a copied file agree with its rows.
///
/// What follows from the rows is dropped, so that the next program that registers it fills it; a full-text index is made again from
/// the texts that it keeps. Of what was added by hand, only that is removed which leads to rows that are lost.
struct ExtensionRepair {
    /// The tables of which rows are missing, each with the reason.
    let torn: [String: String]
    private(set) var parts: [RepairReport.Part] = []
    /// The tables of which missing rows do not matter.
    private(set) var settledTables: Set<String> = []
    /// What the check of the file says of its pages. Where a page is another table's, texts may be those of that one.
    private var structural: [YapDatabaseProblem] = []
    /// How often each extension was mended.
    private var attempts: [String: Int] = [:]
    private static let attemptLimit = 2

    /// Whether a table is one of an extension that is filled again, so that nothing is lost with its rows.
    func isFilledAgain(_ table: String) -> Bool {
        if table == TableOwner.derivedRowsTable { return settledTables.contains(table) }
        return parts.contains { part in
            part.action != .mended
                && TableOwner.Kind.allCases.contains { kind in
                    table.startsWithBytes(of: "\(kind.rawValue)_\(part.name)")
                        && TableOwner(table: table, among: [table, "\(kind.rawValue)_\(part.name)"])
                            == .extension(kind, name: part.name)
                }
        }
    }

    init(torn: [String: String]) { self.torn = torn }

    /// Mends what was damaged in the file itself, of which the check of the copy need not find anything.
    /// - Parameter dropsDerived: whether rows may be older than what follows from them.
    mutating func begin(_ path: String, _ problems: [YapDatabaseProblem], dropsDerived: Bool) throws {
        structural = problems.filter {
            $0.kind != .foreign && ($0.extensionName == nil || $0.description.hasPrefix("table \""))
        }
        try Self.inTransaction(path) { store in
            // What the schema has lost of it is in no entry.
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
            // SQLite's own check looks into these since version 3.44 only.
            for name in try store.names(.fts) where !store.isFullTextSound(name) {
                try mend(name, "The full-text index does not fit the texts that it keeps.", store)
            }
            if dropsDerived {
                for name in try store.yapExtensionNames() where try store.followsFromRows(extension: name) {
                    try drop(name, "Rows are from older copies of their pages.", store)
                }
            }
        }
        try endRound(path)
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
        try endRound(path)
        return isChanged
    }

    private mutating func endRound(_ path: String) throws {
        for name in mended { attempts[name, default: 0] += 1 }
        mended = []
        try forgetVirtual(path)
    }

    /// The extensions that this round has mended: once is enough for all their problems.
    private var mended: Set<String> = []
    /// Virtual tables that SQLite cannot open, not even to drop them.
    private var unopenable: [String] = []

    private static func inTransaction(_ path: String, _ body: (Store) throws -> Void) throws {
        let store = try Store(path: path, mode: .readWrite, busyTimeout: 0)
        try store.execute("BEGIN IMMEDIATE")
        try body(store)
        try store.execute("COMMIT")
    }

    /// - Returns: whether the extension is another one now.
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
            try settle(name, .rebuilt, className, reason, store)
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

    /// Whether a problem is one of a full-text index, and none of its texts.
    private func isIndexOfTexts(_ problem: YapDatabaseProblem, _ name: String) -> Bool {
        problem.extensionName == name && !problem.description.contains("fts_\(name)_content")
    }

    /// The texts of a full-text index are in a table of their own.
    private func isContentWhole(_ name: String, _ store: Store) throws -> Bool {
        let table = "fts_\(name)_content"
        guard try torn[table] == nil && store.hasTable(table) else { return false }
        // FTS4 has the length of each text beside it.
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

    private mutating func settle(
        _ name: String, _ action: RepairReport.Part.Action, _ className: String?, _ reason: String, _ store: Store
    ) throws {
        parts.removeAll { $0.name == name }
        parts.append(.init(name: name, className: className, action: action, reason: reason))
        let tables = Set(torn.keys).union(try store.tables())
        for table in torn.keys {
            if case .extension(_, name) = TableOwner(table: table, among: tables) { settledTables.insert(table) }
        }
    }

    /// Drops rows that follow from others, and all that stands over them: whether they are all there, only the program can say that derives
    /// them, and it fills them again.
    private mutating func dropDerivedRows(_ store: Store) throws {
        for name in try store.yapExtensionNames() where try store.hasDerivedRows(extension: name) {
            try drop(name, "It follows from rows by a rule that only its program knows.", store)
            mended.insert(name)
        }
        guard try store.hasTable(TableOwner.derivedRowsTable) else { return }
        // Mutations follow from nothing.
        try store.execute(
            "DELETE FROM \(Store.quoted(TableOwner.derivedRowsTable)) WHERE \"collection\" != '\(RowTable.mutations)'")
        // What is lost of the mutations that a file had is lost.
        let hasMutations = try store.yapText(extension: "", key: "server-mutations") != nil
        if !hasMutations { settledTables.insert(TableOwner.derivedRowsTable) }
    }

    private mutating func drop(_ name: String, _ reason: String, _ store: Store) throws {
        let className = try store.registeredExtension(name)?.className
        try settle(name, .dropped, className, reason, store)
        let virtual = try store.virtualTables(of: name)
        for table in virtual where (try? store.execute("DROP TABLE \(Store.quoted(table))")) == nil {
            unopenable.append(table)
        }
        if !unopenable.contains(where: virtual.contains) { try store.dropTables(ofExtension: name) }
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

    /// Takes virtual tables out of the schema, and drops what was theirs.
    private mutating func forgetVirtual(_ path: String) throws {
        guard !unopenable.isEmpty else { return }
        var rules = SQLiteRules { _ in true }
        rules.isDefensive = false
        do {
            let store = try Store(path: path, mode: .readWrite, rules: rules, busyTimeout: 0)
            try store.execute("PRAGMA writable_schema = ON")
            for table in unopenable {
                try store.run("DELETE FROM sqlite_master WHERE type = 'table' AND rootpage = 0 AND name = ?") {
                    try $0.bind(table, at: 1)
                }
            }
        }
        let tables = unopenable
        unopenable = []
        let store = try Store(path: path, mode: .readWrite, busyTimeout: 0)
        let all = try store.tables()
        for own in all where tables.contains(where: { TableOwner.isShadow(own, of: $0) }) {
            try store.execute("DROP TABLE \(Store.quoted(own))")
        }
    }
}
