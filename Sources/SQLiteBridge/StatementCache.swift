/// The prepared statements of one handle, by their SQL text.
struct StatementCache {
    /// The most texts. The library itself has a few dozen; the rest is for extensions, whose texts contain a table's
    /// name.
    private static let textLimit = 256
    /// The most idle statements of one text. Only nested enumerations need more than one.
    private static let twinLimit = 8

    /// How many statements are found by the address of their text: a power of two. Transactions use the same few dozen texts again and
    /// again, at the same addresses, so that one comparison finds most of them, and no text is hashed. Of thirty texts in 128 slots six share one with
    /// another, in 512 two.
    private static let recentLimit = 512

    private var statements: [StatementText: [SQLiteStatement]] = [:]
    /// Statements that were asked for lately, each at the slot of its text's place.
    private var recent = [SQLiteStatement?](repeating: nil, count: recentLimit)
    /// The place of the text of each of `recent`.
    private var places = [TextPlace?](repeating: nil, count: recentLimit)
    /// The text by which each of them was asked for. Kept, so that no other text gets its place.
    private var texts = [String?](repeating: nil, count: recentLimit)

    /// Returns an idle statement of a text and marks it as in use; nil if there is none.
    mutating func checkOut(_ sql: String) -> SQLiteStatement? {
        let place = TextPlace(sql)
        let slot = place.slot(of: Self.recentLimit)
        if places[slot] == place, let statement = recent[slot], !statement.isInUse {
            statement.markInUse()
            return statement
        }
        guard let idle = statements[StatementText(sql)]?.first(where: { !$0.isInUse }) else { return nil }
        idle.markInUse()
        (recent[slot], places[slot], texts[slot]) = (idle, place, sql)
        return idle
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

    private mutating func forgetRecent() {
        for slot in recent.indices { (recent[slot], places[slot], texts[slot]) = (nil, nil, nil) }
    }

    mutating func removeAll() { self = StatementCache() }
}

/// The text of a statement, by its bytes: a name or a literal in it may differ from another one in its Unicode form alone.
private struct StatementText: Hashable {
    private var text: String

    init(_ text: String) {
        self.text = text
        self.text.makeContiguousUTF8()
    }

    static func == (one: StatementText, other: StatementText) -> Bool {
        var (one, other) = (one.text, other.text)
        return one.withUTF8 { one in
            // By place: `elementsEqual` of texts costs several times as much.
            other.withUTF8 { other in one.count == other.count && one.indices.allSatisfy { one[$0] == other[$0] } }
        }
    }

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

    /// One of `count` slots, a power of two.
    func slot(of count: Int) -> Int {
        // The upper bits of a product depend on all bits of the address.
        let mixed = (words.1 ^ words.0) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (count - 1)
    }
}
