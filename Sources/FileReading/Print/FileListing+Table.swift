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
