import SQLiteBridge

/// Something that the schema of a file makes: a table, an index, a trigger or a view.
struct SchemaItem: Hashable {
    /// `table`, `index`, `trigger` or `view`.
    let type: String
    let name: String
    /// The table that it stands on; its own name for a table.
    let table: String
    let sql: String

    /// All but what SQLite makes for itself.
    static func all(_ store: Store) throws -> [SchemaItem] {
        try store.all("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
            SchemaItem(
                type: $0.text(at: 0) ?? "", name: $0.text(at: 1) ?? "", table: $0.text(at: 2) ?? "",
                sql: $0.text(at: 3) ?? "")
        }.filter { !$0.name.lowercased().hasPrefix("sqlite_") }
    }

    /// The text without white space between its words, which is the same for all programs that make the same thing.
    var packed: String {
        var isQuoted = false
        let bytes = sql.utf8.filter { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return isQuoted || byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\n")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Words of the text in capitals, and names in quotes as they are.
    var words: (plain: Set<String>, quoted: Set<String>) {
        var (plain, quoted): (Set<String>, Set<String>) = ([], [])
        var rest = Substring(sql)
        while let first = rest.first {
            if let end = Self.closing[first] {
                let body = rest.dropFirst().prefix { $0 != end }
                quoted.insert(String(body))
                rest = rest.dropFirst(body.count + 2)
            } else if rest.hasPrefix("--") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("/*") {
                rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? ""
            } else if first == "_" || first.isLetter || first.isNumber {
                let word = rest.prefix { $0 == "_" || $0 == "$" || $0.isLetter || $0.isNumber }
                plain.insert(word.uppercased())
                rest = rest.dropFirst(word.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return (plain, quoted)
    }

    private static let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
}
