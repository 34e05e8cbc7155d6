import FileEngine
import ListChanges

/// The catalog with all counts: what `--list` prints.
package struct FileListing: Sendable {
    package struct View: Sendable {
        package var view: Catalog.View
        package var groups: [(name: String, count: Int)] = []
        /// The damage, in sentences.
        package var damage: [String] = []
    }

    package var path: String
    package var catalog: Catalog
    /// The number of rows of each collection; nil if they cannot be counted.
    package var collections: [(name: StoredText, count: Int?)] = []
    package var views: [View] = []
    /// The number of rows of each table of an index or relationship.
    package var rows = ExactDictionary<Int>()
    /// The bytes of each part; nil if the pages cannot be told apart.
    package var space: FileSpace?
    /// What is unusual or damaged, in sentences.
    package var notes: [String]

    /// Whether something is missing because it could not be read.
    package private(set) var isPartial = false

    /// Counts everything: walks over the index of the rows and over the headers of the views' pages.
    package init(_ file: BrowsedFile) throws {
        path = file.path
        notes = file.notes
        catalog = try file.snapshot.catalog()
        notes += catalog.damage
        if catalog.collections.count == FileSnapshot.collectionLimit {
            isPartial = true
            notes.append("The file has more than \(FileSnapshot.collectionLimit) collections; the first are listed.")
        }
        countCollections(file.snapshot)
        countRows(file.snapshot)
        try readViews(file.snapshot)
        countTables(file.snapshot)
        do {
            space = try FileSpace(file.snapshot)
        } catch let error as YapDatabaseError where error.code != .reloadNeeded {
            notes.append("The bytes of each part cannot be found: \(error)")
        }
        if !catalog.damage.isEmpty || collections.contains(where: { $0.count == nil }) { isPartial = true }
        if views.contains(where: { !$0.damage.isEmpty }) || rows.count < countedTables.count { isPartial = true }
    }

    private mutating func countCollections(_ snapshot: FileSnapshot) {
        for name in catalog.collections {
            do {
                collections.append((name, try snapshot.count(ofCollection: name)))
            } catch {
                collections.append((name, nil))
                notes.append("The collection \"\(name)\" cannot be counted: \(error)")
            }
        }
    }

    /// The index of the keys, which the collections are counted by, may name rows that are lost.
    private mutating func countRows(_ snapshot: FileSnapshot) {
        guard let table = snapshot.schema.rows else { return }
        let named = collections.compactMap(\.count)
        do {
            let rows = try snapshot.count(ofTable: table.name)
            guard named.count == collections.count, !catalog.hasMoreCollections else { return }
            let missing = named.reduce(0, +) - rows
            guard missing > 0 else { return }
            notes.append(
                "\(RowCount(missing)) rows that the index of the keys names cannot be reached. Run `yap check` on the file."
            )
        } catch {
            notes.append("Some rows cannot be read. Run `yap check` on the file. \(error)")
        }
        isPartial = true
    }

    private mutating func readViews(_ snapshot: FileSnapshot) throws {
        for view in catalog.views {
            var listed = View(view: view, damage: view.damage)
            do {
                if view.hasPages {
                    let pages = try snapshot.pages(ofView: view.name)
                    listed.groups = pages.groups.map { ($0.name, $0.count) }
                    listed.damage += pages.damage
                }
            } catch let error as YapDatabaseError where error.code != .reloadNeeded {
                listed.damage.append("The pages of the view \"\(view.name)\" cannot be read: \(error)")
            }
            views.append(listed)
        }
    }

    private var countedTables: Set<ExactString> {
        let tables =
            catalog.indexes.map(\.table) + catalog.fullText.map(\.table) + catalog.relationships.map(\.table)
            + catalog.rTrees.map(\.table) + catalog.tables.filter { !$0.columns.isEmpty }.map(\.name)
        return Set(tables.map { ExactString($0) })
    }

    private mutating func countTables(_ snapshot: FileSnapshot) {
        for table in countedTables.map(\.text) {
            do {
                rows[table] = try snapshot.count(ofTable: table)
            } catch {
                notes.append("The table \"\(table)\" cannot be counted: \(error)")
            }
        }
    }
}

extension FileSnapshot {
    /// O(n) over the index, about 50 nanoseconds a row.
    package func count(ofCollection collection: StoredText) throws -> Int {
        let table = try rowTable().name.quotedSQL
        return try work { store in
            try store.first(
                #"SELECT count(*) FROM \#(table) WHERE "collection" = ?"#, bind: { try collection.bind(to: $0, at: 1) },
                read: { Int($0.int64(at: 0)) }) ?? 0
        }
    }

    /// The number of rows of a table, not of entries in an index of it. O(n), some 50 nanoseconds a row.
    package func count(ofTable table: String) throws -> Int {
        // In a crafted tree the same page may follow itself without end.
        let isVirtual = schema.tables[table]?.isVirtual ?? false
        let sql = """
            SELECT count(*) FROM (SELECT 1 FROM \(table.quotedSQL) \(isVirtual ? "" : "NOT INDEXED") LIMIT \(maxEntries))
            """
        return try work { try $0.first(sql) { Int($0.int64(at: 0)) } ?? 0 }
    }
}

extension FileListing {
    /// Returns the whole listing in a format, with line breaks.
    /// - Parameter isForTerminal: whether the output is a terminal; then control characters are escaped in every
    ///   format.
    package func text(_ format: PrintFormat, isForTerminal: Bool = false) -> [UInt8] {
        switch format {
        case .json: return json + [UInt8(ascii: "\n")]
        case .csv:
            let names = ["kind", "name", "group", "count", "detail", "bytes"]
            return CSV.line(names) + table.flatMap { CSV.line($0.fields, isForTerminal: isForTerminal) }
        case .markdown:
            let names = ["kind", "name", "group", "count", "detail", "bytes"]
            return Markdown.head(names) + table.flatMap { Markdown.line($0.fields) }
        case .plain: return plain
        }
    }

    private var plain: [UInt8] {
        let rows = table.map { line in
            [line.kind, line.name, line.group, line.count, line.bytesText, line.detail].map(TerminalSafe.line)
        }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.flatMap { row -> [UInt8] in
            var line = ""
            for (column, field) in row.enumerated() {
                let padding = column < 5 ? String(repeating: " ", count: widths[column] - field.count) : ""
                // Numbers are at the right.
                line += [3, 4].contains(column) ? padding + field + "  " : field + padding + (column < 5 ? "  " : "")
            }
            while line.last == " " { line.removeLast() }
            return Array((line + "\n").utf8)
        }
    }
}

extension FileListing {
    /// A line of the listing.
    package struct Line {
        package var kind: String
        package var name: String
        /// A group of a view.
        package var group = ""
        /// The number of rows.
        package var count = ""
        package var bytes: Int?
        /// Remarks.
        package var detail = ""

        var bytesText: String { bytes.map(String.init) ?? "" }
        /// The fields in the order of the columns of a table.
        fileprivate var fields: [String] { [kind, name, group, count, detail, bytesText] }
    }

    /// The listing as lines.
    package var table: [Line] {
        var lines = collections.map {
            Line(
                kind: "collection", name: $0.name.text, count: $0.count.map(String.init) ?? "?",
                bytes: space?.collections[$0.name]?.bytes)
        }
        for view in views { lines += view.lines(bytes(.view, view.view.name)) }
        for index in catalog.indexes {
            let detail = index.columns.joined(separator: " ")
            lines.append(line("index", index.name, index.table, bytes(.secondaryIndex, index.name), detail))
        }
        for index in catalog.fullText {
            let detail = "\(index.version ?? "") \(index.columns.joined(separator: " "))"
            lines.append(line("full text", index.name, index.table, bytes(.fts, index.name), detail))
        }
        for edges in catalog.relationships {
            lines.append(line("relationship", edges.name, edges.table, bytes(.relationship, edges.name), ""))
        }
        for index in catalog.rTrees {
            let detail = index.columns.joined(separator: " ")
            lines.append(line("R-tree", index.name, index.table, bytes(.rTreeIndex, index.name), detail))
        }
        for (name, className) in catalog.others.sorted(by: { $0.key < $1.key }) {
            lines.append(Line(kind: "extension", name: name, detail: className))
        }
        for table in catalog.tables {
            let detail = table.columns.joined(separator: " ")
            lines.append(line("table", table.name, table.name, space?.bytes[.table(ExactString(table.name))], detail))
        }
        lines += catalog.sqlViews.map { Line(kind: "SQL view", name: $0, detail: "not run") }
        if catalog.smallValues > 0 || catalog.tables.isEmpty {
            lines.append(
                Line(kind: "yap2", name: "", count: String(catalog.smallValues), bytes: space?.bytes[.smallValues]))
        }
        return lines + facts
    }

    /// The bytes of an extension's tables.
    func bytes(_ kind: TableOwner.Kind, _ name: String) -> Int? { space?.bytes[.extension(kind, name)] }

    private var facts: [Line] {
        let facts = catalog.facts
        let numbers = [
            ("size", facts.size), ("WAL size", facts.logSize), ("page size", facts.pageSize), ("pages", facts.pages),
            ("free pages", facts.freePages), ("snapshot", facts.snapshot ?? 0), ("user_version", facts.userVersion),
        ].map { Line(kind: "file", name: $0.0, count: String($0.1)) }
        let parts = space.map { space in
            [
                ("rows", space.bytes[.rows]), ("index of the keys", space.bytes[.keys]),
                ("schema", space.bytes[.schema]),
                ("free space", space.free), ("other pages", space.rest),
            ].map { Line(kind: "file", name: $0.0, bytes: $0.1 ?? 0) }
        }
        return numbers + [Line(kind: "file", name: "encoding", detail: facts.encoding)] + (parts ?? [])
            + (facts.followed.map { [Line(kind: "file", name: "follows", group: $0.name, count: String($0.number))] }
                ?? [])
    }

    private func line(_ kind: String, _ name: String, _ table: String, _ bytes: Int?, _ detail: String) -> Line {
        Line(kind: kind, name: name, count: rows[table].map(String.init) ?? "?", bytes: bytes, detail: detail)
    }
}

extension FileListing.View {
    fileprivate func lines(_ bytes: Int?) -> [FileListing.Line] {
        let tag = view.versionTag.map { " \"\($0)\"" } ?? ""
        let damage = damage.isEmpty ? "" : " DAMAGED: \(damage.joined(separator: " "))"
        let head = FileListing.Line(
            kind: "view", name: view.name, bytes: bytes, detail: (view.className ?? "") + tag + damage)
        return [head] + groups.map { .init(kind: "group", name: view.name, group: $0.name, count: String($0.count)) }
    }
}
