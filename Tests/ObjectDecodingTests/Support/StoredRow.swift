import SQLiteBridge

/// A row of a file that the original wrote.
struct StoredRow {
    let collection: String
    let key: String
    let object: [UInt8]
    /// Empty if there is none.
    let metadata: [UInt8]

    static func all(ofFile name: String) throws -> [StoredRow] {
        let handle = try SQLiteHandle(path: originalFile(name).path, mode: .readOnlyAlone)
        let statement = try handle.statement(#"SELECT collection, key, data, metadata FROM "database2" ORDER BY rowid"#)
        var rows: [StoredRow] = []
        while try statement.step() {
            rows.append(
                StoredRow(
                    collection: statement.text(at: 0) ?? "", key: statement.text(at: 1) ?? "",
                    object: statement.bytes(at: 2), metadata: statement.bytes(at: 3)))
        }
        return rows
    }
}
