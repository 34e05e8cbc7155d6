import ObjectDecoding
import SQLiteBridge
import FileEngine

/// A look at every value of the rows: whether it still is the property list, archive, JSON text or compressed value that it
/// was, in collections where most are one.
///
/// The file's own structure knows nothing of what its values hold, so a damaged byte in one is found nowhere else.
package struct ValueCheck {
    /// Values of a collection that are not what most of its values are.
    package struct Finding: Sendable {
        package var collection: StoredText
        /// `object` or `metadata`.
        package var part: String
        /// The first row, by rowid.
        package var key: StoredText
        package var sentence: String
        /// How many values.
        package var count: Int
        /// How many values the collection has.
        package var values: Int
    }

    /// What is known of one column of one collection.
    fileprivate struct Tally {
        var values = 0
        /// Values that were meant to be of each kind.
        var meant: [ContainerKind: Int] = [:]
        var damaged: [ContainerKind: (count: Int, key: StoredText, sentence: String)] = [:]
        /// Values that nothing tells anything of.
        var unknown: (count: Int, key: StoredText)?
    }

    fileprivate struct Place: Hashable {
        var collection: StoredText
        var part: String
    }

    /// Collections that are told apart; of more, none is judged.
    private static let collectionLimit = 100_000
    private static let portion = 5_000
    /// Of larger values only that they are there is checked.
    private static let valueLimit = 64 << 20
    /// Where this many of a hundred are of a kind, one that is of none was one, too.
    private static let almostAll = 95

    private var tallies: [Place: Tally] = [:]

    package init() {}

    /// Reads all values.
    /// - Parameter progress: called with the number of rows looked at so far; false ends the check.
    package mutating func run(_ snapshot: FileSnapshot, progress: (Int) -> Bool = { _ in true }) throws -> [Finding] {
        let table = try snapshot.rowTable()
        let parts = [("data", "object"), ("metadata", "metadata")].filter { table.has($0.0) }
        let columns = parts.map {
            ", CASE WHEN typeof(\($0.0.quotedSQL)) IN ('blob', 'text') THEN \($0.0.quotedSQL) END"
        }
        var (walk, rows) = (TableWalk(), 0)
        while !walk.isOver {
            try snapshot.work { store in
                try walk.visit(
                    Self.portion, of: table.name.quotedSQL, ", \"collection\", \"key\"" + columns.joined(), store
                ) { statement in
                    rows += 1
                    for (place, part) in parts.enumerated() where !statement.isNull(at: 3 + place) {
                        statement.withBytes(at: 3 + place) { look(at: $0, part.1, statement) }
                    }
                }
            }
            if !progress(rows) { break }
        }
        return findings
    }

    private mutating func look(at bytes: UnsafeRawBufferPointer, _ part: String, _ statement: SQLiteStatement) {
        guard !bytes.isEmpty, bytes.count <= Self.valueLimit else { return }
        let place = Place(collection: StoredText(statement, at: 1), part: part)
        if tallies[place] == nil, tallies.count >= Self.collectionLimit { return }
        let kind = ObjectDecoder.meant(bytes)
        let problem = kind.flatMap { ObjectDecoder().problem(bytes, meantAs: $0) }
        let key = kind == nil || problem != nil ? StoredText(statement, at: 2) : StoredText("")
        tallies[place, default: Tally()].add(kind, problem, key)
    }

    private var findings: [Finding] {
        tallies.flatMap { place, tally in
            tally.findings(Self.almostAll).map { key, sentence, count in
                Finding(
                    collection: place.collection, part: place.part, key: key, sentence: sentence, count: count,
                    values: tally.values)
            }
        }.sorted { ($0.collection, $0.part) < ($1.collection, $1.part) }
    }
}

extension ValueCheck.Tally {
    fileprivate mutating func add(_ kind: ContainerKind?, _ problem: String?, _ key: StoredText) {
        values += 1
        guard let kind else {
            unknown = (unknown.map(\.count).map { $0 + 1 } ?? 1, unknown?.key ?? key)
            return
        }
        meant[kind, default: 0] += 1
        guard let problem else { return }
        let known = damaged[kind]
        damaged[kind] = ((known?.count ?? 0) + 1, known?.key ?? key, known?.sentence ?? problem)
    }

    /// Where most values are of one kind: those of it that are damaged, and where nearly all are, those that are of none.
    fileprivate func findings(_ almostAll: Int) -> [(key: StoredText, sentence: String, count: Int)] {
        guard let (kind, count) = meant.max(by: { $0.value < $1.value }), 2 * count > values else { return [] }
        // Text in brackets need not be JSON; where most of it is, the rest was, too.
        if kind == .json, 2 * (count - (damaged[kind]?.count ?? 0)) <= values { return [] }
        var found: [(key: StoredText, sentence: String, count: Int)] = []
        if let damaged = damaged[kind] { found.append((damaged.key, damaged.sentence, damaged.count)) }
        if let unknown, 100 * count >= almostAll * values {
            found.append((unknown.key, "The bytes are no \(kind.rawValue).", unknown.count))
        }
        return found
    }
}
