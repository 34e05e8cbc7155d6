import FileEngine
import SQLiteBridge

/// The tables of CloudCore extensions. Operations are kept whatever becomes of the rows; what is attached to a row goes with it.
struct CloudCoreKind: ExtensionKind {
    var classNames: Set<String> { ["YapDatabaseCloudCore"] }

    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        try CloudCoreTables(store, extension: name).has(.mapping) ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try CloudCoreTables(store, extension: name).removeMappings(of: rows)
    }

    func removeAllRows(of name: String, _ store: Store) throws {
        try CloudCoreTables(store, extension: name).removeAllMappings()
    }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        for name in try CloudCoreCheck.names(check.store) {
            check.progress("the cloud core \"\(name)\"")
            try check.checking("cloud core", name, &report) { store, report in
                report.problems += try CloudCoreCheck(store, name).problems()
            }
        }
    }
}

/// Checks the tables of a CloudCore extension: each operation has bytes, a graph and a pipeline that exists, no two pipelines
/// share a name, and what is attached are rows that exist.
///
/// What the bytes of an operation mean only its class can tell.
struct CloudCoreCheck {
    private let store: Store
    private let name: String
    private let tables: CloudCoreTables
    private var notes = ProblemNotes()
    private var leftovers = ProblemNotes()

    init(_ store: Store, _ name: String) {
        self.store = store
        self.name = name
        tables = CloudCoreTables(store, extension: name)
    }

    /// Every CloudCore extension that has tables or an entry in `yap2`.
    static func names(_ store: Store) throws -> [String] {
        let registered = try store.yapExtensionNames().filter {
            try store.registeredExtension($0)?.className == "YapDatabaseCloudCore"
        }
        let tables = try store.all("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(at: 0) ?? "" }
        let withTables = tables.compactMap { table in
            CloudCoreTable(table: table).map { String(table.dropFirst($0.rawValue.count)) }
        }
        return Set(registered + withTables).sorted()
    }

    func problems() throws -> [YapDatabaseProblem] {
        var check = self
        try check.run()
        func text(_ problem: String) -> String { "cloud core \"\(name)\": \(problem)" }
        return check.notes.all.map { .inExtension(name, text($0), followsFromRows: false) }
            + check.leftovers.all.map { .leftByOriginal(name, text($0)) }
    }

    private mutating func run() throws {
        guard let registered = try store.registeredExtension(name) else {
            return notes.add("has tables, but no entry in yap2")
        }
        // Apps had subclasses of the original's class, whose tables are these too.
        let isOwn = registered.className == "YapDatabaseCloudCore" && registered.classVersion == 3
        for table in [CloudCoreTable.pipelines, .queue] where isOwn {
            if try !tables.has(table) { notes.add("has no table \"\(table.rawValue)\(name)\"") }
        }
        if try tables.has(.pipelines) { try checkPipelines() }
        if try tables.has(.queue) { try checkQueue() }
        if try tables.has(.mapping) { try checkMapping(isStale: registered.isStale) }
    }

    private mutating func checkPipelines() throws {
        let table = quoted(.pipelines)
        let doubled = try store.all(
            #"SELECT "name" FROM \#(table) GROUP BY "name" HAVING count(*) > 1 ORDER BY "name" LIMIT 1000"#
        ) { $0.text(at: 0) ?? "" }
        for pipeline in doubled { notes.add("has the pipeline \"\(pipeline)\" more than once") }
    }

    private mutating func checkQueue() throws {
        let hasPipelines = try tables.has(.pipelines)
        let isKnown =
            hasPipelines ? #"EXISTS (SELECT 1 FROM \#(quoted(.pipelines)) WHERE "rowid" = q."pipelineID")"# : "0"
        let rows = try store.handle.statement(
            #"""
            SELECT q."rowid", q."pipelineID", q."pipelineID" IS NULL OR \#(isKnown), typeof(q."graphID"), \#
            typeof(q."operation") = 'blob' AND length(q."operation") > 0 FROM \#(quoted(.queue)) AS q ORDER BY q."rowid"
            """#)
        defer { rows.reset() }
        var order = CursorOrder(.rowid)
        while try rows.step() {
            try order.advance(to: rows)
            let operation = "operation \(rows.int64(at: 0))"
            if rows.int64(at: 2) == 0 {
                notes.add("\(operation) is in pipeline \(rows.int64(at: 1)), which does not exist")
            }
            if rows.text(at: 3) != "integer" { notes.add("\(operation) has a graph that is no number") }
            if rows.int64(at: 4) == 0 { notes.add("\(operation) has no bytes") }
        }
    }

    private mutating func checkMapping(isStale: Bool) throws {
        let table = quoted(.mapping)
        if !isStale {
            let lost = try store.all(
                #"""
                SELECT m."database_rowid", m."cloudURI" FROM \#(table) AS m WHERE NOT EXISTS \#
                (SELECT 1 FROM "database2" AS d WHERE d."rowid" = m."database_rowid") LIMIT 10000
                """#
            ) { ($0.int64(at: 0), $0.text(at: 1) ?? "") }
            for (row, uri) in lost { leftovers.add("row \(row), which does not exist, is attached to \"\(uri)\"") }
        }
        let doubled = try store.all(
            #"""
            SELECT "database_rowid", "cloudURI" FROM \#(table) GROUP BY "database_rowid", "cloudURI" \#
            HAVING count(*) > 1 LIMIT 10000
            """#
        ) { ($0.int64(at: 0), $0.text(at: 1) ?? "") }
        for (row, uri) in doubled { notes.add("row \(row) is attached to \"\(uri)\" more than once") }
    }

    private func quoted(_ table: CloudCoreTable) -> String { Store.quoted(table.name(ofExtension: name)) }
}

extension YapDatabaseProblem {
    /// What the original leaves behind when it removes a row.
    fileprivate static func leftByOriginal(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, kind: .rebuildable,
            remedy: "Register \"\(name)\" once with this library, which removes it. Nothing is lost.")
    }
}
