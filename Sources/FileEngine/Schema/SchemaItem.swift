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
    static func all(_ store: Store) throws -> [SchemaItem] {
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
        // By scalars, as SQLite reads it: a quotation mark with a combining mark behind it is one, too.
        var remaining = sql.unicodeScalars[...]
        while let first = remaining.first {
            if let end = Self.closing[first] {
                let body = remaining.dropFirst().prefix { $0 != end }
                quoted.insert(String(body))
                remaining = remaining.dropFirst(body.count + 2)
            } else if remaining.starts(with: "--".unicodeScalars) {
                remaining = remaining.drop { $0 != "\n" }
            } else if remaining.starts(with: "/*".unicodeScalars) {
                remaining = remaining.dropFirst(2)
                while !remaining.isEmpty, !remaining.starts(with: "*/".unicodeScalars) { remaining.removeFirst() }
                remaining = remaining.dropFirst(2)
            } else if Self.isWord(first), first != "$" {
                let word = remaining.prefix(while: Self.isWord)
                plain.insert(String(word).uppercased())
                remaining = remaining.dropFirst(word.count)
            } else {
                remaining = remaining.dropFirst()
            }
        }
        return (plain, quoted)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: scalar.value >= 0x80
        }
    }

    private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
