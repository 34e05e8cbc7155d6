import FileEngine

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
    package var rows: [String: Int] = [:]
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

    private var countedTables: Set<String> {
        Set(
            catalog.indexes.map(\.table) + catalog.fullText.map(\.table) + catalog.relationships.map(\.table)
                + catalog.rTrees.map(\.table))
    }

    private mutating func countTables(_ snapshot: FileSnapshot) {
        for table in countedTables {
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
            let names = ["kind", "name", "group", "count", "detail"]
            return CSV.line(names) + table.flatMap { CSV.line($0, isForTerminal: isForTerminal) }
        case .markdown:
            return Markdown.head(["kind", "name", "group", "count", "detail"]) + table.flatMap(Markdown.line)
        case .plain: return plain
        }
    }

    private var plain: [UInt8] {
        let rows = table.map { $0.map(TerminalSafe.line) }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.flatMap { row -> [UInt8] in
            var line = ""
            for (column, field) in row.enumerated() {
                let padding = column < 4 ? String(repeating: " ", count: widths[column] - field.count) : ""
                line += column == 3 ? padding + field + "  " : field + padding + (column < 4 ? "  " : "")
            }
            while line.last == " " { line.removeLast() }
            return Array((line + "\n").utf8)
        }
    }
}

extension FileListing {
    /// The listing as lines: kind, name, group or column, number of rows, and remarks.
    package var table: [[String]] {
        collections.map { ["collection", $0.name.text, "", $0.count.map(String.init) ?? "?", ""] }
            + views.flatMap(\.table)
            + catalog.indexes.map { row("index", $0.name, $0.table, $0.columns.joined(separator: " ")) }
            + catalog.fullText.map {
                row("full text", $0.name, $0.table, "\($0.version ?? "") \($0.columns.joined(separator: " "))")
            }
            + catalog.relationships.map { row("relationship", $0.name, $0.table, "") }
            + catalog.rTrees.map { row("R-tree", $0.name, $0.table, $0.columns.joined(separator: " ")) }
            + catalog.others.sorted { $0.key < $1.key }.map { ["extension", $0.key, "", "", $0.value] }
            + [["yap2", "", "", String(catalog.smallValues), ""]] + facts
    }

    private var facts: [[String]] {
        let facts = catalog.facts
        return [
            ("size", facts.size), ("WAL size", facts.logSize), ("page size", facts.pageSize), ("pages", facts.pages),
            ("free pages", facts.freePages), ("snapshot", facts.snapshot ?? 0), ("user_version", facts.userVersion),
        ].map { ["file", $0.0, "", String($0.1), ""] } + [["file", "encoding", "", "", facts.encoding]]
            + (facts.followed.map { [["file", "follows", $0.name, String($0.number), ""]] } ?? [])
    }

    private func row(_ kind: String, _ name: String, _ table: String, _ detail: String) -> [String] {
        [kind, name, "", rows[table].map(String.init) ?? "?", detail]
    }
}

extension FileListing.View {
    fileprivate var table: [[String]] {
        let tag = view.versionTag.map { " \"\($0)\"" } ?? ""
        let damage = damage.isEmpty ? "" : " DAMAGED: \(damage.joined(separator: " "))"
        let head = ["view", view.name, "", "", (view.className ?? "") + tag + damage]
        return [head] + groups.map { ["group", view.name, $0.name, String($0.count), ""] }
    }
}
