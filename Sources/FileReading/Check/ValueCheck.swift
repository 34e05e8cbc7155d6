import ObjectDecoding
import SQLiteBridge
import FileEngine

/// Checks every value of the rows: in a collection where most values are property lists, archives, JSON or compressed,
/// a value that cannot be read as such is damaged.
///
/// The file's structure does not describe its values, so no other check finds a damaged byte in one.
package struct ValueCheck {
    /// The values of a collection that differ in kind from most of its values.
    package struct Finding: Sendable {
        package var collection: StoredText
        /// `object` or `metadata`.
        package var part: String
        /// The first row found, by rowid.
        package var key: StoredText
        package var sentence: String
        /// The number of such values.
        package var count: Int
        /// The number of all values in the collection.
        package var values: Int
    }

    /// What is known of one column of one collection.
    fileprivate struct Tally {
        var values = 0
        /// The number of values that look like each kind, whole or damaged.
        var meant: [ContainerKind: Int] = [:]
        var damaged: [ContainerKind: (count: Int, key: StoredText, sentence: String)] = [:]
        /// Values without any sign of their kind.
        var unknown: (count: Int, key: StoredText)?
    }

    fileprivate struct Place: Hashable {
        var collection: StoredText
        var part: String
    }

    /// The most collections that are judged. If there are more, none is.
    private static let collectionLimit = 100_000
    private static let portion = 5_000
    /// A larger value is checked only for being readable.
    private static let valueLimit = 64 << 20
    /// If this percentage of the values is of one kind, a value of no kind counts as damaged.
    private static let almostAll = 95

    private var tallies: [Place: Tally] = [:]

    package init() {}

    /// Checks all values.
    /// - Parameter progress: called with the number of rows checked so far; returning false ends the check.
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

    /// The values of a file that differ in kind from most of their collection. None of a file that cannot be opened, which other checks report.
    /// - Parameter progress: as for ``run(_:progress:)``.
    package static func problems(
        ofFile path: String, progress: (Int) -> Bool = { _ in true }
    ) throws -> [YapDatabaseProblem] {
        guard let file = try? BrowsedFile(path: path), file.snapshot.schema.rows != nil else { return [] }
        var check = ValueCheck()
        return try check.run(file.snapshot, progress: progress).map { finding in
            let number = finding.count == 1 ? "1 value is" : "\(RowCount(finding.count)) values are"
            return .inValues(
                "collection \"\(finding.collection)\": of \(RowCount(finding.values)) \(finding.part) values, \(number) damaged, the "
                    + "first of the key \"\(finding.key)\": \(finding.sentence)")
        }
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

    /// Returns the damaged values of the kind that most values have and, if nearly all values have it, those of no
    /// kind.
    fileprivate func findings(_ almostAll: Int) -> [(key: StoredText, sentence: String, count: Int)] {
        guard let (kind, count) = meant.max(by: { $0.value < $1.value }), 2 * count > values else { return [] }
        // Text in brackets need not be JSON; if most of it is, the rest counts as JSON too.
        if kind == .json, 2 * (count - (damaged[kind]?.count ?? 0)) <= values { return [] }
        var found: [(key: StoredText, sentence: String, count: Int)] = []
        if let damaged = damaged[kind] { found.append((damaged.key, damaged.sentence, damaged.count)) }
        if let unknown, 100 * count >= almostAll * values {
            found.append((unknown.key, "The bytes are not valid \(kind.rawValue).", unknown.count))
        }
        return found
    }
}
