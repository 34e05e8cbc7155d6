import SQLiteBridge
import FileEngine
import ListChanges

/// The rows of the library's own tables in a file that SQLite cannot open because its first page is damaged.
///
/// Views and indexes are left out: their definitions were on the first page, and they can be derived from the rows. Edges are found if the file
/// has only one relationship, because edges that were added by hand cannot be derived.
package struct SalvagedFile {
    private let store: Store
    private let pages: FilePages

    /// - Returns: nil if the file has no page with rows.
    package init?(_ path: String) throws {
        let path = TracelessRead.target(of: path)
        // SQLite opens nothing of the file: it only lends its descriptor.
        store = try Store(path: path, mode: .readOnlyAlone, busyTimeout: 0)
        guard let pages = FilePages(store) else { return nil }
        self.pages = pages
        guard try RowRescue(pages, roots: ExactDictionary(), isCancelled: { false }).hasRows() else { return nil }
    }

    /// Whether a file has rows in pages that can be read.
    package static func hasRows(_ path: String) -> Bool { (try? SalvagedFile(path)) ?? nil != nil }

    /// As ``FileExport/report(isCancelled:_:)``.
    package func report(
        isCancelled: @escaping @Sendable () -> Bool = { false }, hasMeaning: Bool = true,
        _ write: (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> ExportReport {
        try withoutActuallyEscaping(write) { write in try export(isCancelled, hasMeaning, write) }
    }

    private func export(
        _ isCancelled: @escaping () -> Bool, _ hasMeaning: Bool,
        _ write: @escaping (_ table: String?, _ lines: [UInt8]) throws -> Void
    ) throws -> ExportReport {
        let rescue = try RowRescue(pages, roots: ExactDictionary(), isCancelled: isCancelled)
        // The entries of the index of the small values look like keys of rows.
        let values = try rescue.smallValues()
        var plan = ExportPlan()
        let relationships = values.filter { $0.isClass("YapDatabaseRelationship") }.map { $0.names[0] }
        let relationship = relationships.count == 1 ? relationships.first : nil
        let edges = try relationship.flatMap { try plan.addEdges(of: String(decoding: $0.bytes, as: UTF8.self)) }
        return try plan.export(ExportHead(pageSize: pages.pageSize), to: write) { table, report in
            let isRows = table.name == Schema.rowTable
            let shape = LineShape(table, hasMeaning: isRows && hasMeaning)
            let rows = RowExport(shape, fileBytes: pages.count * pages.pageSize) { try write(table.name, $0) }
            var count = 0
            func add(_ record: StoredRecord) throws {
                count += 1
                try rows.add(record)
            }
            if isRows {
                let found = try rescue.run(besides: RowidRanges(), others: Set(values.map(\.names)), add)
                if let sentence = report.add(found, nil) { report.note(sentence, table: table.name) }
            } else if let edges, table.name == edges.name {
                let found = try rescue.run(edges, among: [edges], besides: RowidRanges(), add)
                report.notes += found.sentences(table.name)
            } else {
                for value in values where value.names[0].bytes.isEmpty || value.names[0] == relationship {
                    try add(value.record)
                }
            }
            try rows.end()
            return count
        }
    }
}
