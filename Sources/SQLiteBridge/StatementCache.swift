/// The prepared statements of one handle, by their SQL text.
struct StatementCache {
    /// The most texts. The library itself has a few dozen; the rest is for extensions, whose texts contain a table's
    /// name.
    private static let textLimit = 256
    /// The most idle statements of one text. Only nested enumerations need more than one.
    private static let twinLimit = 8

    /// The number of most recently used statements that are compared before the text is hashed. Loops use the same few
    /// texts again and again, at the same address, so that a comparison is one instruction.
    private static let recentLimit = 4

    private var statements: [String: [SQLiteStatement]] = [:]
    private var recent: [SQLiteStatement] = []
    private var nextRecent = 0

    /// Returns an idle statement of a text and marks it as in use; nil if there is none.
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
        // A duplicate over the limit is not kept: it is finalized when its user releases it.
        if statements[statement.sql, default: []].count < Self.twinLimit {
            statements[statement.sql, default: []].append(statement)
        }
    }

    /// Removes the statements of a text. One that is in use ends with its use.
    mutating func remove(_ sql: String) {
        recent.removeAll { $0.sql == sql }
        nextRecent = 0
        statements[sql] = nil
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
