import FileEngine
import SQLiteBridge

/// Removes what does not fit together in the tables of a CloudCore extension.
struct CloudRepair {
    static let className = "YapDatabaseCloudCore"
    private static let classVersion = 3

    private let store: Store
    private let name: String

    init(_ store: Store, _ name: String) { (self.store, self.name) = (store, name) }

    /// - Returns: what was removed that follows from no row, in words.
    func run() throws -> [String] {
        if try store.registeredExtension(name) == nil {
            let entry = RegisteredExtension(className: Self.className, classVersion: Self.classVersion, versionTag: "")
            try store.setRegisteredExtension(entry, name: name)
        }
        // Apps had classes of their own with some of these tables.
        if try store.registeredExtension(name)?.className == Self.className {
            for table in [CloudCoreTable.pipelines, .queue] where try !has(table) {
                try store.execute("CREATE TABLE \(quoted(table)) (\(table.definition))")
            }
        }
        try removeAttachments()
        guard try has(.pipelines), try has(.queue) else { return [] }
        try joinPipelines()
        return try store.remove(
            from: CloudCoreTable.queue.name(ofExtension: name),
            where: #"""
                "pipelineID" IS NOT NULL AND "pipelineID" NOT IN (SELECT "rowid" FROM \#(quoted(.pipelines))) \#
                OR typeof("graphID") <> 'integer' OR typeof("operation") <> 'blob' OR length("operation") = 0
                """#, saying: #"'operation ' || "rowid""#)
    }

    /// Gives the operations of pipelines of one name to the first of them.
    private func joinPipelines() throws {
        let (queue, pipelines) = (quoted(.queue), quoted(.pipelines))
        try store.execute(
            #"""
            UPDATE \#(queue) SET "pipelineID" = (SELECT min(b."rowid") FROM \#(pipelines) AS a JOIN \#(pipelines) AS b \#
            ON a."name" = b."name" WHERE a."rowid" = "pipelineID") WHERE "pipelineID" IN (SELECT "rowid" FROM \#(pipelines))
            """#)
        try store.execute(
            #"DELETE FROM \#(pipelines) WHERE "rowid" NOT IN (SELECT min("rowid") FROM \#(pipelines) GROUP BY "name")"#)
    }

    private func removeAttachments() throws {
        guard try has(.mapping) else { return }
        let mapping = quoted(.mapping)
        try store.execute(
            #"""
            DELETE FROM \#(mapping) WHERE "database_rowid" NOT IN (SELECT "rowid" FROM "database2") OR rowid NOT IN \#
            (SELECT min(rowid) FROM \#(mapping) GROUP BY "database_rowid", "cloudURI")
            """#)
    }

    private func has(_ table: CloudCoreTable) throws -> Bool { try store.hasTable(table.name(ofExtension: name)) }
    private func quoted(_ table: CloudCoreTable) -> String { Store.quoted(table.name(ofExtension: name)) }
}
