import Foundation
import Testing

@testable import YapDatabase

/// A list that shows all groups, in the order of the values that group it.
@Suite struct AllGroupsTests {
    private struct Reading: Codable, Identifiable, Sendable, Equatable {
        var id: Int
        var station: Int
        var value: Int
    }

    private static let all = YapCollection("readings", of: Reading.self)
    private static let list = YapList("by station", of: all, groupedBy: \.station, sortedBy: .ascending(\.value))

    /// Groups come, end and come again; -3, 9 and 10 are in the order of numbers and not of bytes.
    @Test func followedMappingsAreThoseOfAFreshLookWhateverGroupsComeAndEnd() throws {
        for seed in 0..<UInt64(Effort.cases(20)) {
            try withTemporaryDatabase { database throws in
                try database.register(Self.list)
                var random = SplitMix64(seed: seed)
                let writer = try database.newConnection()
                let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
                let shown = Self.shown(seed)
                let mappings = shown.map { Self.list.mappings($0) }
                for one in mappings { try coordinator.follow(one) }
                let stations = seed % 2 == 0 ? 12 : 400
                for step in 0..<40 {
                    for _ in 0...random.below(2) { try Self.change(writer, stations, &random) }
                    for (one, outcome) in try coordinator.advance() { #expect(outcome != .reload, "\(one.allGroups)") }
                    try coordinator.connection.read { transaction throws in
                        for (one, shown) in zip(mappings, shown) {
                            let fresh = Self.list.mappings(shown)
                            try fresh.update(with: transaction)
                            #expect(one.allGroups == fresh.allGroups, "seed \(seed), step \(step)")
                            #expect(one.visibleGroups() == fresh.visibleGroups(), "seed \(seed), step \(step)")
                            for group in fresh.allGroups {
                                #expect(one.numberOfItems(inGroup: group) == fresh.numberOfItems(inGroup: group))
                                #expect(one.isReversed(forGroup: group) == shown.isReversed)
                            }
                        }
                    }
                }
            }
        }
    }

    private static func shown(_ seed: UInt64) -> [YapShown] {
        var reversed = YapShown.first(2)
        reversed.isReversed = true
        return [.all, .last(3), reversed]
    }

    private static func change(
        _ writer: YapDatabaseConnection, _ stations: Int, _ random: inout SplitMix64
    ) throws {
        try writer.readWrite { transaction throws in
            for _ in 0...random.below(8) {
                let id = random.below(40)
                if random.percent(40) {
                    try transaction[all].remove(id)
                } else {
                    let reading = Reading(id: id, station: random.below(stations) - 3, value: random.below(1_000))
                    try transaction[all].save(reading)
                }
            }
        }
    }

    /// What is read 50 rows at a time are the rows that each path names.
    @Test func theSectionsAreTheRowsOfAllPaths() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Self.list)
            try database.newConnection().readWrite { transaction throws in
                for id in 0..<400 {
                    let place = id * 7_919 % 400
                    try transaction[Self.all].save(Reading(id: id, station: place % 3, value: place))
                }
            }
            var middle = YapShown()
            middle.range = .fixed(length: 60, offset: 30, from: .beginning)
            var reversed = middle
            reversed.isReversed = true
            var few = YapShown.all
            few.configure = { $0.setAutoConsolidateGroupsThreshold(1_000, withName: "all") }
            let shown = [
                YapShown.all, .last(70), .first(51), middle, reversed, YapShown(groups: ["2", "7", "0"]), few,
            ]
            try database.newConnection().read { transaction throws in
                let rows = try transaction[Self.list]
                for (number, shown) in shown.enumerated() {
                    let mappings = Self.list.mappings(shown)
                    try mappings.update(with: transaction)
                    let (sections, isComplete) = try rows.sections(with: mappings)
                    #expect(isComplete && sections.map(\.group) == mappings.visibleGroups(), "\(number)")
                    for (section, found) in sections.enumerated() {
                        let expected = try (0..<mappings.numberOfItems(inSection: section)).map {
                            try rows.value(at: RowPath(section: section, row: $0), with: mappings)
                        }
                        #expect(found.rows == expected, "\(number), section \(section)")
                    }
                }
            }
        }
    }
}
