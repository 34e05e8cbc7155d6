import SQLiteBridge

/// What a file holds, in the form in which the document pictures it.
func pictured(_ connection: YapDatabaseConnection) throws -> Picture {
    try connection.read { transaction in
        var rows: [String: [String: String]] = [:]
        try transaction.iterateKeysAndObjectsInAllCollections { collection, key, object, _ in
            rows[collection, default: [:]][key] = (object as? Post)?.text ?? object as? String
        }
        let view = transaction.ext("all") as? YapDatabaseViewTransaction
        return Picture(
            rows: rows, snapshot: connection.snapshot, versionTag: view?.versionTag(), view: try view?.dictionary(),
            tables: try tables(ofFile: connection.database.databaseURL))
    }
}

private func tables(ofFile url: URL) throws -> [String] {
    let handle = try SQLiteHandle(path: url.path, mode: .readOnly)
    let statement = try handle.statement("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { if let name = statement.text(at: 0) { names.append(name) } }
    return names
}
