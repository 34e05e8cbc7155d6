import SQLiteBridge

/// A table, index, trigger or view in the schema of a file.
package struct SchemaItem: Hashable {
    /// `table`, `index`, `trigger` or `view`.
    package let type: String
    package let name: String
    /// The table that the item belongs to; a table's own name.
    package let table: String
    package let sql: String

    package init(type: String, name: String, table: String, sql: String) {
        (self.type, self.name, self.table, self.sql) = (type, name, table, sql)
    }

    /// Returns every item except SQLite's own.
    package static func all(_ store: Store) throws -> [SchemaItem] {
        try store.all("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
            SchemaItem(
                type: $0.text(at: 0) ?? "", name: $0.text(at: 1) ?? "", table: $0.text(at: 2) ?? "",
                sql: $0.text(at: 3) ?? "")
        }.filter { !$0.name.lowercased().hasPrefix("sqlite_") }
    }

    /// The SQL without white space outside quotes, for comparing items that different programs created.
    package var packed: String {
        var isQuoted = false
        let bytes = sql.utf8.filter { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return isQuoted || byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\n")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The words of the SQL in capitals, and quoted names unchanged.
    package var words: (plain: Set<String>, quoted: Set<String>) {
        var (plain, quoted): (Set<String>, Set<String>) = ([], [])
        var remaining = Substring(sql)
        while let first = remaining.first {
            if let end = Self.closing[first] {
                let body = remaining.dropFirst().prefix { $0 != end }
                quoted.insert(String(body))
                remaining = remaining.dropFirst(body.count + 2)
            } else if remaining.hasPrefix("--") {
                remaining = remaining.drop { $0 != "\n" }
            } else if remaining.hasPrefix("/*") {
                remaining = remaining.range(of: "*/").map { remaining[$0.upperBound...] } ?? ""
            } else if first == "_" || first.isLetter || first.isNumber {
                let word = remaining.prefix { $0 == "_" || $0 == "$" || $0.isLetter || $0.isNumber }
                plain.insert(word.uppercased())
                remaining = remaining.dropFirst(word.count)
            } else {
                remaining = remaining.dropFirst()
            }
        }
        return (plain, quoted)
    }

    private static let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
