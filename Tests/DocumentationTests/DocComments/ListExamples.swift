import LiveTable

/// The examples in the doc comments of lists, change-sets and tables.
private struct ListExamples {
    let key = RowKey(collection: "buddies", key: "bob")

    func mappings() {
        var mappings = Mappings(groups: ["available", "away"])
        mappings.setIsDynamicSection(true, forGroup: "away")
        mappings.update(counts: ["available": 3, "away": 0])
        print(mappings.visibleGroups)  // ["available"]
    }

    func advanced(_ before: Mappings) throws {
        let (after, outcome) = try before.advanced(by: [
            .insertSection(group: "away"), .insertRow(group: "away", index: 0, key: key),
        ])
        _ = (after, outcome)
    }

    func counts() {
        let log = [RawOperation.insertRow(group: "A", index: 0, key: key)]
        let counts = log.counts(from: ["A": 2])  // ["A": 3]
        _ = counts
    }

    func search(count: Int, selected: Int, pattern: String, texts: [String]) throws {
        func text(ofRow row: Int) throws -> String { texts[row] }
        var search = RowSearch(rows: count, from: selected + 1)
        // In each pass of the loop, while `search.state` is `.searching`:
        try search.look(at: 500) { try text(ofRow: $0).contains(pattern) }
    }

    func table(
        theme: Theme, rows: any TableSource, changes: ChangeSet, rowsAfter: any TableSource, at now: Double,
        _ grid: inout Grid
    ) {
        func log(_ misfit: Misfit) { print(misfit) }
        var table = Table(options: TableOptions(theme: theme))
        table.resize(width: 40, height: 20, source: rows, at: now)
        if let misfit = table.apply(changes, source: rowsAfter, at: now) { log(misfit) }
        table.draw(into: &grid, in: Rect(x: 0, y: 2, width: 40, height: 20), at: now)
        let wakeUp = table.nextFrame(after: now)  // nil: sleep until something happens
        _ = wakeUp
    }

    func liveTable(_ mappings: YapDatabaseViewMappings, _ database: YapDatabase) throws {
        struct Buddy {
            var name: String
        }
        let roster = LiveTable(mappings: mappings) { row in
            RowCell([Line(text: (try row.object() as? Buddy)?.name ?? "")])
        }
        let tables = try LiveTables(connection: database.newConnection())
        try tables.add(roster)
    }
}
