import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// What loops over a list can ask for beside its rows: keys, counts, another window, former values, fewer updates.
@Suite struct YapUpdatesTests {
    private static let order = YapList("order", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.title))

    private static func apply(
        _ outcome: Outcome, to shown: inout [ListSection<Novel>], _ update: YapListUpdate<Novel>, _ context: Comment
    ) throws {
        guard case .changes(let changes) = outcome else {
            Issue.record("\(outcome), \(context)")
            return
        }
        let before = shown
        for change in changes.rowChanges {
            #expect(update.oldValue(of: change) == change.before.map { before[$0.section].rows[$0.row] }, context)
        }
        try changes.apply(to: &shown) { update.sections[$0.section].rows[$0.row] }
        #expect(shown.map(\.group) == update.sections.map(\.group), context)
        #expect(shown.map(\.rows) == update.sections.map(\.rows), context)
    }

    /// Rows change, and the window grows, shrinks, moves and gets other groups, before the loop looks.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func aWindowThatChangesHasExactChangeSets(seed: UInt64)
        async throws
    {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            try await database.register(Self.order)
            let connection = try database.newConnection()
            let window = YapWindow(.last(3))
            var updates = connection.updates(of: Self.order, window).makeAsyncIterator()
            var keys = connection.keys(of: Self.order, .first(4)).makeAsyncIterator()
            var counts = connection.counts(of: Self.order).makeAsyncIterator()
            var shown = try #require(try await updates.next()).sections
            var shownKeys = try #require(try await keys.next()).sections
            #expect(try await counts.next() == YapListCounts(groups: []))
            var stored: [Int: Novel] = [:]
            func expected(_ shown: YapShown) -> [ListSection<Novel>] {
                let groups = shown.groups ?? ["attic", "cellar", "hall"]
                return groups.compactMap { group in
                    var rows = stored.values.filter { $0.shelf?.rawValue == group }.sorted {
                        $0.title.utf8.lexicographicallyPrecedes($1.title.utf8)
                    }
                    if let range = shown.range {
                        let offset = min(range.offset, rows.count)
                        rows = range.pin == .end ? rows.dropLast(offset) : Array(rows.dropFirst(offset))
                        rows = range.pin == .end ? rows.suffix(range.length) : Array(rows.prefix(range.length))
                    }
                    return rows.isEmpty ? nil : ListSection(group: group, rows: rows)
                }
            }
            var (lastCounts, isFirst) = (YapListCounts(groups: []), true)
            for step in 0..<Effort.cases(1_500) {
                let context: Comment = "seed \(seed), step \(step)"
                if random.percent(70) {
                    let changes = (0...random.below(3)).map { _ in (id: random.below(20), kind: random.below(10)) }
                    for (id, kind) in changes {
                        stored[id] =
                            kind < 3
                            ? nil
                            : Novel(
                                id, "t\(random.below(9))-\(id)", [.attic, .cellar, .hall, nil][random.below(4)],
                                price: Double(random.below(3)))
                    }
                    try await connection.write { [stored] transaction throws in
                        for (id, _) in changes {
                            if let novel = stored[id] {
                                try transaction[Novel.all].save(novel)
                            } else {
                                try transaction[Novel.all].remove(id)
                            }
                        }
                    }
                }
                switch random.below(6) {
                case 0: window.grow(by: random.below(5) - 2)
                case 1: window.move(by: random.below(5) - 2)
                case 2:
                    var next: YapShown = random.percent(50) ? .first(2 + random.below(3)) : .last(1 + random.below(4))
                    if random.percent(30) { next = .all }
                    if random.percent(30) { next.groups = ["hall", "attic"] }
                    window.shown = next
                default: break
                }
                let wanted = expected(window.shown)
                while shown.map(\.group) != wanted.map(\.group) || shown.map(\.rows) != wanted.map(\.rows) {
                    let update = try #require(try await updates.next(), context)
                    if update.outcome == .reload {
                        // The order of the groups changed, which no change-set says.
                        shown = update.sections
                        continue
                    }
                    try Self.apply(update.outcome, to: &shown, update, context)
                }
                let first = expected(.first(4))
                while shownKeys.map(\.group) != first.map(\.group)
                    || shownKeys.map(\.rows) != first.map({ $0.rows.map(\.id) })
                {
                    let update = try #require(try await keys.next(), context)
                    let changes = try #require(update.outcome.changeSet, context)
                    try changes.apply(to: &shownKeys) { update.sections[$0.section].rows[$0.row] }
                    #expect(shownKeys.map(\.rows) == update.sections.map(\.rows), context)
                }
                let groups = expected(.all).map { YapListCounts.Group(name: $0.group, count: $0.rows.count) }
                while lastCounts.groups != groups {
                    let next = try #require(try await counts.next(), context)
                    #expect(next != lastCounts || isFirst, context)
                    (lastCounts, isFirst) = (next, false)
                }
            }
        }
    }

    @Test func aLoopHasAtMostSoManyUpdatesAndNeverMissesTheLast() async throws {
        try await withTemporaryDatabase { database async throws in
            try await database.register(Self.order)
            let connection = try database.newConnection()
            var updates = connection.updates(of: Self.order).atMostEvery(.milliseconds(200)).makeAsyncIterator()
            _ = try await updates.next()
            let clock = ContinuousClock()
            let begin = clock.now
            let writer = Task {
                for id in 0..<100 {
                    try await connection.write { try $0[Novel.all].save(Novel(id, "t\(id)")) }
                }
            }
            var (count, rows) = (0, 0)
            while rows < 100 {
                let update = try #require(try await updates.next())
                count += 1
                rows = update.rows.count
            }
            try await writer.value
            let elapsed = clock.now - begin
            // The first update of all counts as one, so each of these comes an interval after the one before.
            #expect(elapsed >= .milliseconds(200) * count, "\(count) updates in \(elapsed)")
            // Within an interval, and the second alone.
            try await connection.write { try $0[Novel.all].save(Novel(1, "last")) }
            try await connection.write { try $0[Novel.all].save(Novel(1, "the last")) }
            var title = ""
            while title != "the last" {
                title = try #require(try await updates.next()).rows.first { $0.id == 1 }?.title ?? ""
            }
            let waiting = Task { [updates] in
                var updates = updates
                return try await updates.next()?.rows.count
            }
            waiting.cancel()
            #expect(try await waiting.value == nil)
        }
    }

    @Test func aCountOfARequestFollowsIt() async throws {
        try await withTemporaryDatabase { database async throws in
            try await database.register(Novel.fields)
            let connection = try database.newConnection()
            var counts = connection.count(of: Novel.all.where(\.price < 5)).makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await connection.write {
                try $0[Novel.all].save((0..<10).map { Novel($0, "t", price: Double($0)) })
            }
            #expect(try await counts.next() == 5)
            try await connection.write { try $0[Novel.all].save(Novel(9, "u", price: 9)) }
            try await connection.write { try $0[Novel.all].save(Novel(9, "u", price: 1)) }
            #expect(try await counts.next() == 6)
        }
    }
}
