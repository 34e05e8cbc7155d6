/// The prepared statements of one handle, by the text of their SQL.
struct StatementCache {
    /// Texts to remember. The library itself has a fixed few dozen; the rest is room for extensions, whose texts carry
    /// a table's name.
    private static let textLimit = 256
    /// Idle statements of one text to remember; more than one is needed only by nested enumerations.
    private static let twinLimit = 8

    private var statements: [String: [SQLiteStatement]] = [:]

    /// A statement of that text which nobody uses, marked as in use; nil when there is none.
    func take(_ sql: String) -> SQLiteStatement? {
        guard let idle = statements[sql]?.first(where: { !$0.isInUse }) else { return nil }
        idle.take()
        return idle
    }

    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= Self.textLimit, statements[statement.sql] == nil { removeIdle() }
        // A twin over the limit is not kept: it is finalized when its user lets go of it.
        if statements[statement.sql, default: []].count < Self.twinLimit {
            statements[statement.sql, default: []].append(statement)
        }
    }

    mutating func removeIdle() {
        statements = statements.compactMapValues { twins in
            let used = twins.filter(\.isInUse)
            return used.isEmpty ? nil : used
        }
    }

    mutating func removeAll() { statements = [:] }
}
