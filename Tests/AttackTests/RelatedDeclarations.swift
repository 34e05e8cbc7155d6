import YapDatabase

/// Lists over related rows, and lists over these, each declared in one of two ways.
struct RelatedDeclarations: CustomStringConvertible {
    struct Chore: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var title: String
        var person: Int
        var helper: Int
        var points: Int
        var tags: [String]
    }

    struct Person: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var name: String
        var team: String
    }

    enum Item: String, CaseIterable {
        case assigned, board, teams, few, tagged, tags, byPoints, titles

        /// What it reads from.
        var source: Item? {
            switch self {
            case .assigned, .tagged: nil
            case .board, .byPoints, .titles: .assigned
            case .teams, .few: .board
            case .tags: .tagged
            }
        }
    }

    static let chores = YapCollection("chores", of: Chore.self)
    static let people = YapCollection("people", of: Person.self)
    static let teamNames = (0..<3).map { "team \($0)" }
    static let tagNames = ["a", "b", "c"]
    /// The groups that the board has in either form.
    static let boardGroups = teamNames + (0..<4).map { "\($0)" }

    /// The items that are declared, and whether in the second way.
    var ways: [Item: Bool] = [:]

    var description: String {
        Item.allCases.filter { ways[$0] != nil }.map { "\($0) \(isSecond($0) ? 2 : 1)" }.joined(separator: ", ")
    }

    /// Whether an item is declared and all that it reads from.
    func hasSources(of item: Item) -> Bool {
        ways[item] != nil && (item.source.map(hasSources) ?? true)
    }

    private func isSecond(_ item: Item) -> Bool { ways[item] ?? false }

    var assigned: YapJoin<Chore, Int, Never, Person> {
        isSecond(.assigned)
            ? YapJoin("assigned", of: Self.chores, joining: \.helper, to: Self.people)
            : YapJoin("assigned", of: Self.chores, joining: \.person, to: Self.people)
    }

    var board: YapList<YapJoinedRow<Chore, Person>, Int, Never> {
        isSecond(.board)
            ? YapList(
                "board", of: assigned.rows, groupedBy: \.row.helper, sortedBy: .descending(\.row.points),
                .ascending(\.row.id), where: \.row.points >= 5)
            : YapList(
                "board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name),
                .ascending(\.row.id))
    }

    private static let points = YapFigure<YapJoinedRow<Chore, Person>, Int?>.sum(\.row.points)

    var teams: YapList<YapGroupRow<YapJoinedRow<Chore, Person>>, String, Never> {
        isSecond(.teams)
            ? YapList(
                "teams", groupsOf: board, figures: [Self.points], sortedBy: .descending(\.count), .ascending(\.name),
                where: \.count >= 2)
            : YapList("teams", groupsOf: board, figures: [Self.points], sortedBy: .ascending(\.name))
    }

    var few: YapList<YapJoinedRow<Chore, Person>, Int, Never> {
        YapList("few", filtering: board, where: isSecond(.few) ? \.row.points < 8 : \.row.points < 14)
    }

    var tagged: YapList<YapPlacedRow<Chore, String>, YapPlacedKey<Int>, Never> {
        isSecond(.tagged)
            ? YapList("tagged", of: Self.chores, groupedByEach: \.tags, sortedBy: .ascending(\.row.id))
            : YapList(
                "tagged", of: Self.chores, groupedByEach: \.tags, sortedBy: .descending(\.row.points),
                .ascending(\.row.id))
    }

    var tags: YapList<YapGroupRow<YapPlacedRow<Chore, String>>, String, Never> {
        isSecond(.tags)
            ? YapList("tags", groupsOf: tagged, sortedBy: .descending(\.name))
            : YapList("tags", groupsOf: tagged, sortedBy: .ascending(\.name))
    }

    var byPoints: YapIndex<YapJoinedRow<Chore, Person>, Int, Never> {
        isSecond(.byPoints)
            ? YapIndex("byPoints", of: assigned.rows, on: \.row.points, \.row.person)
            : YapIndex("byPoints", of: assigned.rows, on: \.row.points)
    }

    var titles: YapTextIndex<YapJoinedRow<Chore, Person>, Int, Never> {
        isSecond(.titles)
            ? YapTextIndex("titles", of: assigned.rows, on: \.row.title, \.other.name)
            : YapTextIndex("titles", of: assigned.rows, on: \.row.title)
    }

    func declaration(_ item: Item) -> any YapDeclaration {
        switch item {
        case .assigned: assigned
        case .board: board
        case .teams: teams
        case .few: few
        case .tagged: tagged
        case .tags: tags
        case .byPoints: byPoints
        case .titles: titles
        }
    }

    /// Something else under the name of an item.
    static func stranger(_ item: Item) -> any YapDeclaration {
        switch item {
        case .assigned: YapIndex("assigned", of: chores, on: \.points)
        case .board: YapList("board", of: chores, groupedByEach: \.tags)
        case .teams: YapTextIndex("teams", of: chores, on: \.title)
        case .few: YapJoin("few", of: chores, joining: \.person, to: people)
        case .tagged: YapList("tagged", of: chores, groupedBy: \.person, sortedBy: .ascending(\.id))
        case .tags: YapIndex("tags", of: people, on: \.team)
        case .byPoints: YapList("byPoints", of: chores, sortedBy: .ascending(\.points))
        case .titles: YapJoin("titles", of: chores, joining: \.helper, to: people)
        }
    }

    /// Compares an item with what follows from the rows.
    /// - Returns: what is wrong with it; nil if it is right.
    /// - Throws: what reading the item throws.
    func difference(_ item: Item, in transaction: YapDatabaseReadTransaction) throws -> String? {
        let chores = try transaction[Self.chores].values()
        let persons = Dictionary(uniqueKeysWithValues: try transaction[Self.people].values().map { ($0.id, $0) })
        let joined = chores.compactMap { chore in
            persons[isSecond(.assigned) ? chore.helper : chore.person].map { (row: chore, other: $0) }
        }
        func told(_ got: [String: [String]], _ wanted: [String: [String]]) -> String? {
            got == wanted ? nil : "\(item) is \(got), not \(wanted)"
        }
        func text(_ row: Chore, _ other: Person) -> String { "\(row) of \(other)" }
        func onBoard(_ isShown: (Chore) -> Bool) -> [String: [String]] {
            let rows = joined.filter { isShown($0.row) && (!isSecond(.board) || $0.row.points >= 5) }
            return Dictionary(grouping: rows) { isSecond(.board) ? "\($0.row.helper)" : $0.other.team }.mapValues {
                $0.sorted { one, other in
                    isSecond(.board)
                        ? (-one.row.points, one.row.id) < (-other.row.points, other.row.id)
                        : (one.other.name, one.row.id) < (other.other.name, other.row.id)
                }.map { text($0.row, $0.other) }
            }
        }
        func shown(_ list: YapList<YapJoinedRow<Chore, Person>, Int, Never>) throws -> [String: [String]] {
            let rows = try transaction[list]
            return Dictionary(
                uniqueKeysWithValues: try rows.groups.map { group in
                    (group, try rows.values(in: group).map { text($0.row, $0.other) })
                })
        }
        switch item {
        case .assigned:
            let rows = try transaction[assigned.rows].values().map { text($0.row, $0.other) }
            return told(["": rows.sorted()], ["": joined.map { text($0.row, $0.other) }.sorted()])
        case .board: return told(try shown(board), onBoard { _ in true })
        case .few: return told(try shown(few), onBoard { $0.points < (isSecond(.few) ? 8 : 14) })
        case .teams:
            let rows = try transaction[teams].values().map { "\($0.name) \($0.count)" }
            let all = onBoard { _ in true }.map { (name: $0.key, count: $0.value.count) }
            let wanted = all.filter { !isSecond(.teams) || $0.count >= 2 }.sorted {
                isSecond(.teams) ? (-$0.count, $0.name) < (-$1.count, $1.name) : $0.name < $1.name
            }
            return told(["": rows], ["": wanted.map { "\($0.name) \($0.count)" }])
        case .tagged:
            let rows = try transaction[tagged]
            let got = try Self.tagNames.map { ($0, try rows.values(in: $0).map { "\($0.row)" }) }
            let wanted = Self.tagNames.map { tag in
                let all = chores.filter { $0.tags.contains(tag) }.sorted {
                    isSecond(.tagged) ? $0.id < $1.id : (-$0.points, $0.id) < (-$1.points, $1.id)
                }
                return (tag, all.map { "\($0)" })
            }
            return told(Dictionary(uniqueKeysWithValues: got), Dictionary(uniqueKeysWithValues: wanted))
        case .tags:
            let rows = try transaction[tags].values().map { "\($0.name) \($0.count)" }
            let counts = Dictionary(chores.flatMap(\.tags).map { ($0, 1) }, uniquingKeysWith: +)
            let wanted = counts.sorted { isSecond(.tags) ? $0.key > $1.key : $0.key < $1.key }
            return told(["": rows], ["": wanted.map { "\($0.key) \($0.value)" }])
        case .byPoints:
            let found = try transaction[assigned.rows.where(\.row.points >= 10)].keys()
            let wanted = joined.filter { $0.row.points >= 10 }.map(\.row.id).sorted()
            return told(["": found.sorted().map { "\($0)" }], ["": wanted.map { "\($0)" }])
        case .titles:
            let found = try transaction[titles].keys(matching: .words(in: "word1"))
            let wanted = joined.filter { $0.row.title.hasPrefix("word1 ") }.map(\.row.id).sorted()
            return told(["": found.sorted().map { "\($0)" }], ["": wanted.map { "\($0)" }])
        }
    }
}
