import FileEngine
import SQLiteBridge

/// A stored operation.
struct CloudQueueRow: Hashable, Sendable {
    let rowid: Int64
    /// The rowid of its pipeline; nil for the default one.
    let pipeline: Int64?
    /// The number of its graph.
    let graph: Int64
    let bytes: [UInt8]

    init(rowid: Int64, pipeline: Int64?, graph: Int64, bytes: [UInt8]) {
        self.rowid = rowid
        self.pipeline = pipeline
        self.graph = graph
        self.bytes = bytes
    }
}

/// A stored pipeline.
struct CloudPipelineRow: Hashable, Sendable {
    let rowid: Int64
    var name: String
    var algorithm: Int
}

/// The tables of a CloudCore extension (``CloudCoreTable``).
final class CloudCoreTables {
    let store: Store
    let name: String
    private let pipelineTable: String
    private let queueTable: String
    let tagTable: String
    let mappingTable: String

    init(_ store: Store, extension name: String) {
        self.store = store
        self.name = name
        func quoted(_ table: CloudCoreTable) -> String { Store.quoted(table.name(ofExtension: name)) }
        pipelineTable = quoted(.pipelines)
        queueTable = quoted(.queue)
        tagTable = quoted(.tags)
        mappingTable = quoted(.mapping)
    }

    /// The largest size of an operation in bytes.
    var valueLimit: Int { store.valueLimit }

    func has(_ table: CloudCoreTable) throws -> Bool { try store.hasTable(table.name(ofExtension: name)) }

    /// Creates a table that does not exist.
    ///
    /// The names of indexes are unique in a file. If another table has an index with the original's name, ours has the table's
    /// name before it.
    func create(_ table: CloudCoreTable) throws {
        let full = table.name(ofExtension: name)
        try store.execute("CREATE TABLE \(Store.quoted(full)) (\(table.definition))")
        for column in table.indexed {
            let isTaken = try store.tableOfIndex(column).map { $0 != full } ?? false
            let index = Store.quoted(isTaken ? "\(full)_\(column)" : column)
            try store.execute("CREATE INDEX IF NOT EXISTS \(index) ON \(Store.quoted(full)) (\(Store.quoted(column)))")
        }
    }

    /// - Throws: ``YapDatabaseError`` with code `corrupt` if the table lacks a column.
    func checkColumns(_ table: CloudCoreTable) throws {
        let full = table.name(ofExtension: name)
        guard let missing = try table.columns.subtracting(store.columns(ofTable: full)).min() else { return }
        throw YapDatabaseError(
            .corrupt,
            "The table \"\(full)\" has no column \"\(missing)\", so the operations of \"\(name)\" cannot be read. Restore a "
                + "backup, or drop them with unregisterExtension(withName: \"\(name)\").")
    }
}

// MARK: Pipelines

extension CloudCoreTables {
    /// The pipelines, in the order of their rowids.
    func pipelines() throws -> [CloudPipelineRow] {
        try store.all(#"SELECT "rowid", "name", "algorithm" FROM \#(pipelineTable) ORDER BY "rowid""#) {
            CloudPipelineRow(
                rowid: $0.int64(at: 0), name: $0.text(at: 1) ?? "", algorithm: Int(truncatingIfNeeded: $0.int64(at: 2)))
        }
    }

    /// - Returns: the rowid.
    func insertPipeline(_ name: String, algorithm: Int) throws -> Int64 {
        try store.first(
            #"INSERT INTO \#(pipelineTable) ("name", "algorithm") VALUES (?, ?) RETURNING "rowid""#,
            bind: {
                try $0.bind(name, at: 1)
                try $0.bind(Int64(algorithm), at: 2)
            }, read: { $0.int64(at: 0) }) ?? 0
    }

    func update(_ pipeline: CloudPipelineRow) throws {
        try store.run(#"UPDATE \#(pipelineTable) SET "name" = ?, "algorithm" = ? WHERE "rowid" = ?"#) {
            try $0.bind(pipeline.name, at: 1)
            try $0.bind(Int64(pipeline.algorithm), at: 2)
            try $0.bind(pipeline.rowid, at: 3)
        }
    }

    /// Removes a pipeline. Its operations go to another one, because its rowid may be used again.
    func removePipeline(_ rowid: Int64, movingOperationsTo other: Int64?) throws {
        try store.run(#"UPDATE \#(queueTable) SET "pipelineID" = ? WHERE "pipelineID" = ?"#) {
            if let other { try $0.bind(other, at: 1) } else { try $0.bind(nil, at: 1) }
            try $0.bind(rowid, at: 2)
        }
        try store.run(#"DELETE FROM \#(pipelineTable) WHERE "rowid" = ?"#) { try $0.bind(rowid, at: 1) }
    }
}

// MARK: Operations

extension CloudCoreTables {
    /// All operations, in the order of their rowids: new ones come last.
    func operations() throws -> [CloudQueueRow] {
        let sql = #"SELECT "rowid", "pipelineID", "graphID", "operation" FROM \#(queueTable) ORDER BY "rowid""#
        return try store.all(sql) {
            CloudQueueRow(
                rowid: $0.int64(at: 0), pipeline: $0.isNull(at: 1) ? nil : $0.int64(at: 1), graph: $0.int64(at: 2),
                bytes: $0.bytes(at: 3))
        }
    }

    func insertOperation(_ bytes: [UInt8], pipeline: Int64?, graph: Int64) throws -> CloudQueueRow {
        let rowid = try store.first(
            #"INSERT INTO \#(queueTable) ("pipelineID", "graphID", "operation") VALUES (?, ?, ?) RETURNING "rowid""#,
            bind: {
                if let pipeline { try $0.bind(pipeline, at: 1) } else { try $0.bind(nil, at: 1) }
                try $0.bind(graph, at: 2)
                try $0.bind(bytes, at: 3)
            }, read: { $0.int64(at: 0) })
        return CloudQueueRow(rowid: rowid ?? 0, pipeline: pipeline, graph: graph, bytes: bytes)
    }

    func setOperation(_ bytes: [UInt8], rowid: Int64) throws {
        try store.run(#"UPDATE \#(queueTable) SET "operation" = ? WHERE "rowid" = ?"#) {
            try $0.bind(bytes, at: 1)
            try $0.bind(rowid, at: 2)
        }
    }

    func removeOperation(_ rowid: Int64) throws {
        try store.run(#"DELETE FROM \#(queueTable) WHERE "rowid" = ?"#) { try $0.bind(rowid, at: 1) }
    }

    func removeAllOperations() throws { try store.execute("DELETE FROM \(queueTable)") }
}
