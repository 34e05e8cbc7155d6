import SeededRandom
import YapDatabase

/// Tasks of people, and everything that a file can derive from them: joined rows, rows in several groups, lists of groups, indexes over derived
/// rows. Any state of it says by itself what must follow from its rows.
public enum RelatedRows {
    public struct Chore: Codable, Hashable, Sendable, Identifiable {
        public var id: Int
        var title: String
        var person: Int
        var points: Int
        var tags: [String]
    }

    public struct Person: Codable, Hashable, Sendable, Identifiable {
        public var id: Int
        var name: String
        var team: String
    }

    private static let chores = YapCollection("chores", of: Chore.self)
    private static let people = YapCollection("people", of: Person.self)
    private static let assigned = YapJoin("assigned", of: chores, joining: \.person, to: people)
    public static let board = YapList(
        "board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name),
        .ascending(\.row.id))
    private static let points = YapFigure<YapJoinedRow<Chore, Person>, Int?>.sum(\.row.points)
    private static let most = YapFigure<YapJoinedRow<Chore, Person>, Int?>.maximum(\.row.points)
    private static let teams = YapList(
        "teams", groupsOf: board, figures: [points, most], sortedBy: .descending(points), .ascending(\.name))
    private static let tagged = YapList(
        "tagged", of: chores, groupedByEach: \.tags, sortedBy: .descending(\.row.points), .ascending(\.row.id))
    private static let tags = YapList("tags", groupsOf: tagged, sortedBy: .ascending(\.name))
    private static let byPoints = YapIndex("points", of: assigned.rows, on: \.row.points)
    private static let titles = YapTextIndex("titles", of: assigned.rows, on: \.row.title)

    public static let teamNames = (0..<3).map { "team \($0)" }

    /// - Parameter isReplaced: whether the joined rows are declared in another way, so that all is filled again.
    public static func register(_ database: YapDatabase, isReplaced: Bool = false) throws {
        let join =
            isReplaced ? YapJoin("assigned", of: chores, joining: \.person, to: people, versionTag: "2") : assigned
        try database.register(
            join, board, teams, tagged, tags, byPoints, titles, replacing: isReplaced)
    }

    /// Saves eight persons, and tasks of which some are of none.
    public static func fill(_ count: Int, in transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction[people].save(
            (0..<8).map { Person(id: $0, name: "name \($0 % 5)", team: teamNames[$0 % 3]) })
        for id in 0..<count {
            try transaction[chores].save(
                Chore(
                    id: id, title: "word\(id % 4) of \(id), in words that fill some bytes of a page",
                    person: id % 11, points: id % 20, tags: Array(["a", "b", "c"].prefix(id % 4))))
        }
    }

    /// Changes one to three rows.
    package static func change(_ random: inout SplitMix64, in transaction: YapDatabaseReadWriteTransaction) throws {
        for _ in 0...random.below(3) {
            switch random.below(8) {
            case 0: try transaction[chores].remove(random.below(40))
            case 1: try transaction[people].remove(random.below(8))
            case 2, 3:
                let id = random.below(8)
                try transaction[people].save(
                    Person(id: id, name: "name \(random.below(5))", team: teamNames[random.below(3)]))
            default:
                let id = random.below(40)
                try transaction[chores].save(
                    Chore(
                        id: id, title: "word\(random.below(4)) of \(id)", person: random.below(8),
                        points: random.below(20), tags: ["a", "b", "c"].filter { _ in random.percent(50) }))
            }
        }
    }

    /// - Throws: ``Broken`` if something is not what follows from the rows.
    public static func check(in transaction: YapDatabaseReadTransaction) throws {
        let all = try transaction[chores].values()
        let persons = Dictionary(uniqueKeysWithValues: try transaction[people].values().map { ($0.id, $0) })
        let joined = all.compactMap { chore in persons[chore.person].map { (row: chore, other: $0) } }
        let board = Dictionary(grouping: joined, by: \.other.team).mapValues { rows in
            rows.sorted { ($0.other.name, $0.row.id) < ($1.other.name, $1.row.id) }.map(\.row)
        }
        let shown = try transaction[self.board].groups.map {
            ($0, try transaction[self.board].values(in: $0).map(\.row))
        }
        try require(Dictionary(uniqueKeysWithValues: shown) == board, "the board is \(shown), not \(board)")
        let sums = Dictionary(grouping: joined, by: \.other.team).mapValues { rows in
            [rows.count, rows.reduce(0) { $0 + $1.row.points }, rows.map(\.row.points).max() ?? 0]
        }
        let figures = try transaction[teams].values().map { ($0.name, [$0.count, $0[points] ?? 0, $0[most] ?? 0]) }
        try require(Dictionary(uniqueKeysWithValues: figures) == sums, "the figures are \(figures), not \(sums)")
        for tag in ["a", "b", "c"] {
            let rows = all.filter { $0.tags.contains(tag) }.sorted { (-$0.points, $0.id) < (-$1.points, $1.id) }
            try require(try transaction[tagged].values(in: tag).map(\.row) == rows, "the rows tagged \(tag) are others")
        }
        let counts = Dictionary(all.flatMap(\.tags).map { ($0, 1) }, uniquingKeysWith: +)
        let groups = try transaction[tags].values().map { ($0.name, $0.count) }
        try require(Dictionary(uniqueKeysWithValues: groups) == counts, "the tags are \(groups), not \(counts)")
        let found = try transaction[assigned.rows.where(\.row.points >= 10)].keys()
        try require(
            Set(found) == Set(joined.filter { $0.row.points >= 10 }.map(\.row.id)), "the index finds other rows")
        for word in (0..<4).map({ "word\($0)" }) {
            let found = try transaction[titles].keys(matching: .words(in: word))
            let ids = joined.filter { $0.row.title.hasPrefix(word + " ") }.map(\.row.id)
            try require(Set(found) == Set(ids), "the search for \(word) finds others")
        }
    }
}
