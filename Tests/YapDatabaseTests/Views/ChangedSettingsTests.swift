import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// The law while settings of the mappings change between commits: a change-set leads from exactly the rows that were shown to those that are.
@Suite struct ChangedSettingsTests {
    struct Item: Codable, Sendable, Identifiable {
        var id: Int
        var group: String
    }

    static let items = YapCollection("items", of: Item.self)
    static let list = YapList("list", of: items, groupedBy: \.group, sortedBy: .ascending(\.id))
    static let groups = ["a", "b", "c"]

    @Test(arguments: Effort.some(Array(1...6) as [UInt64]))
    func changeSetsFitWhatIsShown(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for number in 0..<(Effort.isFull ? 300 : 40) {
            try withTemporaryDatabase { database throws in
                try run(database, &random, "seed \(seed), list \(number)")
            }
        }
    }

    private func run(_ database: YapDatabase, _ random: inout SplitMix64, _ name: String) throws {
        try database.register(Self.list)
        let writer = try database.newConnection()
        var log: [String] = []
        func write(_ random: inout SplitMix64, most: Int) throws {
            try writer.readWrite { transaction throws in
                for _ in 0..<random.below(most + 1) {
                    let id = random.below(8)
                    if random.percent(35) {
                        log.append("remove \(id)")
                        try transaction[Self.items].remove(id)
                    } else {
                        let item = Item(id: id, group: random.pick(Self.groups))
                        log.append("save \(id) in \(item.group)")
                        try transaction[Self.items].save(item)
                    }
                }
            }
        }
        try write(&random, most: 5)
        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        var shown = YapShown(groups: random.percent(50) ? Self.groups : nil)
        shown.range = range(&random)
        shown.isReversed = random.percent(30)
        shown.hidesEmptySections = random.percent(70)
        log.append("follow \(shown.groups ?? []) \(String(describing: shown.range)) reversed \(shown.isReversed)")
        let mappings = Self.list.mappings(shown)
        try coordinator.follow(mappings)
        for _ in 0..<4 {
            for _ in 0..<random.below(3) { change(mappings, &random, &log) }
            var before = try sections(mappings, coordinator)
            let shownBefore = "\(before)"
            try write(&random, most: 3)
            let outcome = try coordinator.advance()[0].outcome
            let after = try sections(mappings, coordinator)
            let context = Comment(rawValue: "\(name): \(log); shown \(shownBefore), then \(after), by \(outcome)")
            switch outcome {
            case .none: #expect(shownBefore == "\(after)", context)
            case .changes(let changes):
                #expect(throws: Never.self, context) {
                    try changes.apply(to: &before) { after[$0.section].rows[$0.row] }
                }
                #expect("\(before)" == "\(after)", context)
            case .reload: break
            }
        }
    }

    private func range(_ random: inout SplitMix64) -> RangeOptions? {
        let (length, offset) = (1 + random.below(3), random.pick([0, 0, 1, 20]))
        let pin: RangeOptions.Pin = random.percent(50) ? .beginning : .end
        return switch random.below(3) {
        case 0: nil
        case 1: .fixed(length: length, offset: offset, from: pin)
        default: .flexible(length: length, offset: offset, from: pin)
        }
    }

    private func change(_ mappings: YapDatabaseViewMappings, _ random: inout SplitMix64, _ log: inout [String]) {
        let group = random.pick(Self.groups)
        switch random.below(7) {
        case 0, 1:
            let range = range(&random)
            log.append("range of \(group): \(String(describing: range))")
            mappings.value.setRangeOptions(range, forGroup: group)
        case 2:
            log.append("no range of \(group)")
            mappings.removeRangeOptions(forGroup: group)
        case 3:
            let isDynamic = random.percent(50)
            log.append("dynamic \(group): \(isDynamic)")
            mappings.setIsDynamicSection(isDynamic, forGroup: group)
        case 4:
            let isDynamic = random.percent(50)
            log.append("dynamic: \(isDynamic)")
            mappings.setIsDynamicSectionForAllGroups(isDynamic)
        case 5:
            let threshold = random.pick([0, 3, 9])
            log.append("consolidate below \(threshold)")
            mappings.setAutoConsolidateGroupsThreshold(threshold, withName: "all")
        default:
            let offsets = Set([random.pick([-1, 1])])
            log.append("dependencies of \(group): \(offsets)")
            mappings.setCellDrawingDependencyOffsets(offsets, forGroup: group)
        }
    }

    private func sections(
        _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> [ListSection<Int>] {
        try coordinator.connection.read { transaction throws in
            try mappings.visibleGroups().enumerated().map { section, group in
                let rows = try (0..<mappings.numberOfItems(inSection: section)).map { row in
                    try transaction[Self.list].value(at: RowPath(section: section, row: row), with: mappings)?.id ?? -1
                }
                return ListSection(group: group, rows: rows)
            }
        }
    }

    /// What is set for single groups holds for those that appear later, too, in the order of the screen.
    @Test(arguments: [nil, ["a", "b"]] as [[String]?], [false, true])
    func whatIsConfiguredForAGroupIsNotOverwritten(groups: [String]?, isReversed: Bool) throws {
        try withTemporaryDatabase { database throws in
            try database.register(Self.list)
            let writer = try database.newConnection()
            var shown = YapShown(groups: groups)
            (shown.isReversed, shown.range) = (isReversed, .fixed(length: 4, offset: 0, from: .end))
            shown.configure = { mappings in
                mappings.setRangeOptions(.fixedRange(withLength: 2, offset: 0, from: .beginning), forGroup: "a")
                mappings.setCellDrawingDependencyOffsets([-1], forGroup: "b")
            }
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            let mappings = Self.list.mappings(shown)
            try coordinator.follow(mappings)
            try writer.readWrite { transaction throws in
                for id in 0..<12 { try transaction[Self.items].save(Item(id: id, group: id % 2 == 0 ? "a" : "b")) }
            }
            _ = try coordinator.advance()
            let all = (
                isReversed ? [10, 8, 6, 4, 2, 0] : [0, 2, 4, 6, 8, 10], isReversed ? [7, 5, 3, 1] : [5, 7, 9, 11]
            )
            #expect(try sections(mappings, coordinator).map(\.rows) == [Array(all.0.prefix(2)), all.1])
            #expect(mappings.cellDrawingDependencyOffsets(forGroup: "b") == [-1])
            #expect(
                mappings.isReversed(forGroup: "a") == isReversed && mappings.isReversed(forGroup: "b") == isReversed)
        }
    }
}
