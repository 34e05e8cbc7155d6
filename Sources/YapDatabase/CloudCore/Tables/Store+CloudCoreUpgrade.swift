import FileEngine
import SQLiteBridge

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
