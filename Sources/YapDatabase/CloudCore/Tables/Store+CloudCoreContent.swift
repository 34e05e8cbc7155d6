import FileEngine
import SQLiteBridge

// MARK: Tags

extension CloudCoreTables {
    /// The tag of a key and identifier; nil if there is none.
    func tag(_ key: String, _ identifier: String) throws -> SQLValue? {
        try store.first(
            #"SELECT "tag" FROM \#(tagTable) WHERE "key" = ? AND "identifier" = ?"#,
            bind: {
                try $0.bind(key, at: 1)
                try $0.bind(identifier, at: 2)
            }, read: { $0.value(at: 0) })
    }

    /// All tags of a key, in the order of the identifiers.
    func tags(_ key: String) throws -> [(identifier: String, tag: SQLValue)] {
        try store.all(
            #"SELECT "identifier", "tag" FROM \#(tagTable) WHERE "key" = ? ORDER BY "identifier""#,
            bind: { try $0.bind(key, at: 1) }, read: { ($0.text(at: 0) ?? "", $0.value(at: 1)) })
    }

    func setTag(_ tag: SQLValue, _ key: String, _ identifier: String) throws {
        try store.run(#"INSERT OR REPLACE INTO \#(tagTable) ("key", "identifier", "tag") VALUES (?, ?, ?)"#) {
            try $0.bind(key, at: 1)
            try $0.bind(identifier, at: 2)
            try $0.bind(tag, at: 3)
        }
    }

    func removeTag(_ key: String, _ identifier: String) throws {
        try store.run(#"DELETE FROM \#(tagTable) WHERE "key" = ? AND "identifier" = ?"#) {
            try $0.bind(key, at: 1)
            try $0.bind(identifier, at: 2)
        }
    }

    func removeTags(_ key: String) throws {
        try store.run(#"DELETE FROM \#(tagTable) WHERE "key" = ?"#) { try $0.bind(key, at: 1) }
    }

    func removeAllTags() throws { try store.execute("DELETE FROM \(tagTable)") }
}

// MARK: Attached rows

extension CloudCoreTables {
    /// Does nothing if the row is attached to the URI already.
    func attach(_ uri: String, to row: Int64) throws {
        try store.run(
            #"""
            INSERT INTO \#(mappingTable) ("database_rowid", "cloudURI") SELECT ?1, ?2 WHERE NOT EXISTS \#
            (SELECT 1 FROM \#(mappingTable) WHERE "database_rowid" = ?1 AND "cloudURI" = ?2)
            """#
        ) {
            try $0.bind(row, at: 1)
            try $0.bind(uri, at: 2)
        }
    }

    func detach(_ uri: String, from row: Int64) throws {
        try store.run(#"DELETE FROM \#(mappingTable) WHERE "database_rowid" = ? AND "cloudURI" = ?"#) {
            try $0.bind(row, at: 1)
            try $0.bind(uri, at: 2)
        }
    }

    /// The rows that are attached to a URI, in the order of their rowids.
    func rows(attachedTo uri: String) throws -> [Int64] {
        try store.all(
            #"SELECT DISTINCT "database_rowid" FROM \#(mappingTable) WHERE "cloudURI" = ? ORDER BY "database_rowid""#,
            bind: { try $0.bind(uri, at: 1) }, read: { $0.int64(at: 0) })
    }

    /// The URIs to which a row is attached, sorted.
    func uris(of row: Int64) throws -> [String] {
        try store.all(
            #"SELECT DISTINCT "cloudURI" FROM \#(mappingTable) WHERE "database_rowid" = ? ORDER BY "cloudURI""#,
            bind: { try $0.bind(row, at: 1) }, read: { $0.text(at: 0) ?? "" })
    }

    /// Detaches removed rows, so that the next rows with these rowids are attached to nothing.
    func removeMappings(of rows: [Int64]) throws {
        let sql = #"DELETE FROM \#(mappingTable) WHERE "database_rowid" = ?"#
        for row in rows { try store.run(sql) { try $0.bind(row, at: 1) } }
    }

    /// Detaches rows that do not exist. Reads every entry.
    func removeMappingsWithoutRows() throws {
        try store.execute(
            #"DELETE FROM \#(mappingTable) WHERE "database_rowid" NOT IN (SELECT "rowid" FROM "database2")"#)
    }

    func removeAllMappings() throws { try store.execute("DELETE FROM \(mappingTable)") }
}

/// Upgrades older layouts of the original.
///
/// Version 1 had the table `cloudcore_queue_<name>`, whose graphs were UUIDs that each named the one before. Versions 1 and 2
/// had `cloudcore_pipeline_<name>`, without algorithms: all pipelines were commit graphs, and the default one was left out.
extension CloudCoreTables {
    func upgrade(from version: Int) throws {
        if version < 2 { try upgradeQueue() }
        if version < 3 { try upgradePipelines() }
    }

    private func upgradeQueue() throws {
        if try !has(.queue) { try create(.queue) }
        let old = "cloudcore_queue_\(name)"
        guard try store.hasTable(old) else { return }
        let rows = try store.all("SELECT * FROM \(Store.quoted(old)) ORDER BY rowid") { statement -> OldRow in
            guard statement.columnCount == 5 else {
                throw YapDatabaseError(
                    .corrupt,
                    "The table \"\(old)\" is not one of YapDatabase's, so its operations cannot be moved to today's. Restore a "
                        + "backup, or drop them with unregisterExtension(withName: \"\(name)\").")
            }
            return OldRow(
                pipeline: statement.isNull(at: 1) ? nil : statement.int64(at: 1), graph: statement.bytes(at: 2),
                previous: statement.isNull(at: 3) ? nil : statement.bytes(at: 3), bytes: statement.bytes(at: 4))
        }
        let numbers = Dictionary(grouping: rows, by: \.pipeline).mapValues(Self.numbers)
        for row in rows {
            let number = numbers[row.pipeline]?[row.graph] ?? 0
            _ = try insertOperation(row.bytes, pipeline: row.pipeline, graph: number)
        }
        try store.execute("DROP TABLE \(Store.quoted(old))")
    }

    private struct OldRow {
        let pipeline: Int64?
        let graph: [UInt8]
        let previous: [UInt8]?
        let bytes: [UInt8]
    }

    /// Numbers the graphs of one pipeline in the order of their chain. What no chain reaches, in a damaged table, comes last.
    private static func numbers(_ rows: [OldRow]) -> [[UInt8]: Int64] {
        let graphs = Set(rows.map(\.graph))
        var next: [[UInt8]: [[UInt8]]] = [:]
        var heads: [[UInt8]] = []
        for row in rows {
            if let previous = row.previous, graphs.contains(previous) {
                next[previous, default: []].append(row.graph)
            } else {
                heads.append(row.graph)
            }
        }
        var numbers: [[UInt8]: Int64] = [:]
        for start in heads + rows.map(\.graph) {
            var waiting = [start]
            while let graph = waiting.popLast() {
                guard numbers[graph] == nil else { continue }
                numbers[graph] = Int64(numbers.count)
                waiting += (next[graph] ?? []).reversed()
            }
        }
        return numbers
    }

    private func upgradePipelines() throws {
        if try !has(.pipelines) { try create(.pipelines) }
        let old = "cloudcore_pipeline_\(name)"
        guard try store.hasTable(old) else { return }
        let new = Store.quoted(CloudCoreTable.pipelines.name(ofExtension: name))
        // The rowids stay, because the operations name them.
        try store.execute(
            #"INSERT INTO \#(new) ("rowid", "name", "algorithm") SELECT "rowid", "name", 0 FROM \#(Store.quoted(old))"#)
        try store.execute("DROP TABLE \(Store.quoted(old))")
    }
}
