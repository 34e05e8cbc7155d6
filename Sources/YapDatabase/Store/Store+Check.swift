import SQLiteBridge

extension Store {
    /// Everything that is wrong in one snapshot.
    func problems() throws -> [YapDatabaseProblem] {
        _ = try beginRead()
        defer { try? rollback() }
        var problems: [YapDatabaseProblem] = []
        do {
            let damage = try all("PRAGMA integrity_check") { $0.text(at: 0) ?? "" }.filter { $0 != "ok" }
            problems = damage.map { YapDatabaseProblem(extensionName: nil, description: $0, canBeRebuilt: false) }
            for name in try viewNames() { problems += try ViewCheck(self, name).problems() }
        } catch let error as YapDatabaseError where error.code == .corrupt {
            // SQLite itself gets no further.
            problems.append(
                YapDatabaseProblem(extensionName: nil, description: error.description, canBeRebuilt: false))
        }
        return problems
    }

    /// Every view that has tables or a class in `yap2`.
    private func viewNames() throws -> [String] {
        let tables = try all("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'view\\_%' ESCAPE '\\'")
        {
            $0.text(at: 0) ?? ""
        }
        let names = tables.compactMap { table in
            ["_page", "_map"].first(where: table.hasSuffix).map { String(table.dropFirst(5).dropLast($0.count)) }
        }
        return Set(names).sorted()
    }
}
