/// The prepared statements of one handle, by their SQL text.
struct StatementCache {
    /// The most texts. The library itself has a few dozen; the rest is for extensions, whose texts contain a table's
    /// name.
    private static let textLimit = 256
    /// The most idle statements of one text. Only nested enumerations need more than one.
    private static let twinLimit = 8

    /// The number of most recently used statements that are compared before the text is hashed. Transactions use the same texts
    /// again and again, at the same addresses, so that a comparison takes two instructions.
    private static let recentLimit = 16

    private var statements: [StatementText: [SQLiteStatement]] = [:]
    private var recent: [Recent] = []
    /// The place of the text of each of `recent`.
    private var places: [TextPlace] = []
    private var nextRecent = 0

    private struct Recent {
        /// The text by which the statement was asked for. Kept, so that no other text gets its place.
        let text: String
        let statement: SQLiteStatement
    }

    /// Returns an idle statement of a text and marks it as in use; nil if there is none.
    mutating func checkOut(_ sql: String) -> SQLiteStatement? {
        let place = TextPlace(sql)
        for index in places.indices where places[index] == place {
            let statement = recent[index].statement
            guard !statement.isInUse else { continue }
            statement.markInUse()
            return statement
        }
        guard let idle = statements[StatementText(sql)]?.first(where: { !$0.isInUse }) else { return nil }
        idle.markInUse()
        remember(Recent(text: sql, statement: idle), at: place)
        return idle
    }

    private mutating func remember(_ entry: Recent, at place: TextPlace) {
        var index = recent.firstIndex { $0.statement === entry.statement } ?? recent.count
        if index == Self.recentLimit {
            index = nextRecent
            nextRecent = (nextRecent + 1) % Self.recentLimit
        }
        recent.replaceSubrange(index..<min(index + 1, recent.count), with: [entry])
        places.replaceSubrange(index..<min(index + 1, places.count), with: [place])
    }

    mutating func insert(_ statement: SQLiteStatement) {
        let text = StatementText(statement.sql)
        if statements.count >= Self.textLimit, statements[text] == nil { removeIdle() }
        // A duplicate over the limit is not kept: it is finalized when its user releases it.
        if statements[text, default: []].count < Self.twinLimit { statements[text, default: []].append(statement) }
    }

    /// Removes the statements of a text. One that is in use ends with its use.
    mutating func remove(_ sql: String) {
        forgetRecent()
        statements[StatementText(sql)] = nil
    }

    mutating func removeIdle() {
        forgetRecent()
        statements = statements.compactMapValues { twins in
            let used = twins.filter(\.isInUse)
            return used.isEmpty ? nil : used
        }
    }

    private mutating func forgetRecent() { (recent, places, nextRecent) = ([], [], 0) }

    mutating func removeAll() { self = StatementCache() }
}

/// The text of a statement, by its bytes: a name or a literal in it may differ from another one in its Unicode form alone.
private struct StatementText: Hashable {
    private var text: String

    init(_ text: String) {
        self.text = text
        self.text.makeContiguousUTF8()
    }

    static func == (one: StatementText, other: StatementText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Where a text is in memory. Two texts at the same place are equal while one of them lives.
private struct TextPlace: Equatable {
    private let words: (UInt64, UInt64)

    init(_ text: String) {
        // The two words of a string: its address and its length, or its bytes if these are few.
        words = unsafeBitCast(text, to: (UInt64, UInt64).self)
    }

    static func == (one: TextPlace, other: TextPlace) -> Bool { one.words == other.words }
}
