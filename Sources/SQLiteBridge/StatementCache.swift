/// The prepared statements of one handle, by the text of their SQL.
struct StatementCache {
    /// Texts to remember. The library itself has a fixed few dozen; the rest is room for extensions, whose texts carry
    /// a table's name.
    private static let textLimit = 256
    /// Idle statements of one text to remember; more than one is needed only by nested enumerations.
    private static let twinLimit = 8

    /// Statements that were taken last, looked at before the text is hashed: loops use the same few again and again, by
    /// the same text in memory, which makes comparing it one instruction.
    private static let recentLimit = 4

    private var statements: [String: [SQLiteStatement]] = [:]
    private var recent: [SQLiteStatement] = []
    private var nextRecent = 0

    /// A statement of that text which nobody uses, marked as in use; nil when there is none.
    mutating func checkOut(_ sql: String) -> SQLiteStatement? {
        if let idle = recent.first(where: { !$0.isInUse && $0.sql == sql }) {
            idle.markInUse()
            return idle
        }
        guard let idle = statements[sql]?.first(where: { !$0.isInUse }) else { return nil }
        idle.markInUse()
        remember(idle)
        return idle
    }

    private mutating func remember(_ statement: SQLiteStatement) {
        guard !recent.contains(where: { $0 === statement }) else { return }
        if recent.count < Self.recentLimit { return recent.append(statement) }
        recent[nextRecent] = statement
        nextRecent = (nextRecent + 1) % Self.recentLimit
    }

    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= Self.textLimit, statements[statement.sql] == nil { removeIdle() }
        // A twin over the limit is not kept: it is finalized when its user lets go of it.
        if statements[statement.sql, default: []].count < Self.twinLimit {
            statements[statement.sql, default: []].append(statement)
        }
    }

    mutating func removeIdle() {
        recent = []
        nextRecent = 0
        statements = statements.compactMapValues { twins in
            let used = twins.filter(\.isInUse)
            return used.isEmpty ? nil : used
        }
    }

    mutating func removeAll() { self = StatementCache() }
}
