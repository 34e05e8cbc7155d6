import SQLiteBridge

/// The text of a column in the row that was read last. Rows that are read together are mostly of one collection, whose name need
/// not be made again for each.
struct LastText {
    private var text = ""

    mutating func read(_ statement: SQLiteStatement, at column: Int) -> String {
        if !statement.holds(text, at: column) { text = statement.text(at: column) ?? "" }
        return text
    }
}
