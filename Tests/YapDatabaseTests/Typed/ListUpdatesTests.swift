import Foundation
import Testing

@testable import YapDatabase

@Suite struct ListUpdatesTests {
    private static func rows(_ database: YapDatabase, _ shown: YapShown) throws -> [ListSection<Novel>] {
        try database.newConnection().read { transaction throws in
            let mappings = Novel.order.mappings(shown)
            try mappings.update(with: transaction)
            return try transaction[Novel.order].sections(with: mappings).sections
        }
    }

    private static func write(_ writer: YapDatabaseConnection, _ step: Int, _ random: inout SplitMix64) throws {
        try writer.readWrite { transaction throws in
            for _ in 0..<random.below(6) {
                let id = random.below(30)
                if random.percent(30) {
                    try transaction[Novel.all].remove(id)
                } else {
                    try transaction[Novel.all].save(Novel.random(id, &random))
                }
            }
            // An update for certain, at either end of the list.
            try transaction[Novel.all].save(Novel(999, "ö", .hall, price: Double(step)))
            try transaction[Novel.all].save(Novel(1_000 + step, "step", .hall, year: 2_000 + step))
        }
    }

    /// After random commits the rows of each update are those that a fresh look at the database gives, and each change-set leads
    /// from one update to the next.
    @Test(arguments: [1, 2, 3, 4])
    func updatesFollowTheDatabase(seed: UInt64) async throws {
        let shown = [YapShown.all, .last(4), .first(3), YapShown(groups: ["hall", "attic", "cellar"])][Int(seed % 4)]
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            var random = SplitMix64(seed: seed)
            var updates = reader.updates(of: Novel.order, shown).makeAsyncIterator()
            var before = try #require(try await updates.next())
            #expect(before.sections.isEmpty && before.outcome == .reload)
            for step in 0..<80 {
                for _ in 0..<(1 + random.below(3)) { try Self.write(writer, step, &random) }
                var update = before
                while update.snapshot < writer.snapshot {
                    update = try #require(try await updates.next())
                    if let changes = update.outcome.changeSet {
                        var rows = before.sections
                        try changes.apply(to: &rows) { update.sections[$0.section].rows[$0.row] }
                        #expect(rows == update.sections, "seed \(seed), step \(step)")
                    }
                    before = update
                }
                #expect(try update.sections == Self.rows(database, shown), "seed \(seed), step \(step)")
            }
        }
    }

    @Test func commitsThatCameMeanwhileAreOneUpdate() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            var updates = connection.updates(of: Novel.order).makeAsyncIterator()
            _ = try await updates.next()
            for id in 1...20 { try await connection.readWrite { try $0[Novel.all].save(Novel(id, "n", year: id)) } }
            let update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == Array((1...20).reversed()) && update.snapshot == connection.snapshot)
            // The other commits are in it; the next update is of the next commit.
            try await connection.readWrite { try $0[Novel.all].remove(3) }
            let next = try #require(try await updates.next())
            #expect(next.rows.count == 19 && next.outcome.changeSet?.rowChanges.count == 1)
        }
    }

    @Test func theLastRowsAreAlwaysTheLast() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            var updates = connection.updates(of: Novel.order, .last(2)).makeAsyncIterator()
            func titles() async throws -> [String] { try await updates.next()?.rows.map(\.title) ?? [] }
            #expect(try await titles() == [])
            try await connection.readWrite { try $0[Novel.all].save(Novel(1, "m")) }
            #expect(try await titles() == ["m"])
            try await connection.readWrite { transaction in
                try transaction[Novel.all].save(["a", "b", "z"].enumerated().map { Novel(2 + $0, $1) })
            }
            #expect(try await titles() == ["m", "z"])
            try await connection.readWrite { try $0[Novel.all].remove([1, 4]) }
            #expect(try await titles() == ["a", "b"])
        }
    }

    @Test func aListThatIsRegisteredLaterAppears() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            try await connection.readWrite { try $0[Novel.all].save(Novel(1, "Dune")) }
            let (rows, keys, counts) = (
                connection.updates(of: Novel.order), connection.keys(of: Novel.order),
                connection.counts(of: Novel.order)
            )
            // They read before the list is there, and wait for it.
            let first = Task { try await rows.first { _ in true } }
            let firstKeys = Task { try await keys.first { _ in true } }
            let firstCounts = Task { try await counts.first { _ in true } }
            try await database.waitUntilIdle()
            try await connection.readWrite { try $0[Novel.all].save(Novel(2, "Emma", .attic)) }
            try await database.register(Novel.order)
            let update = try await first.value
            #expect(update?.sections.map(\.group) == ["attic", "hall"] && update?.outcome == .reload)
            #expect(try await firstKeys.value?.rows == [2, 1])
            #expect(try await firstCounts.value?.total == 2)
        }
    }

    /// Also a list without rows begins the loop, once it is there.
    @Test func anEmptyListThatIsRegisteredLaterIsAnUpdate() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let updates = connection.updates(of: Novel.order)
            let first = Task { try await updates.first { _ in true } }
            let counts = connection.counts(of: Novel.order)
            let firstCounts = Task { try await counts.first { _ in true } }
            try await database.waitUntilIdle()
            try await database.register(Novel.order)
            #expect(try await first.value?.sections == [])
            #expect(try await firstCounts.value == YapListCounts(groups: []))
        }
    }

    @Test func cancellingAndClosingEndALoop() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            let task = Task {
                var count = 0
                for try await _ in connection.updates(of: Novel.order) { count += 1 }
                return count
            }
            try await connection.readWrite { try $0[Novel.all].save(Novel(1, "Dune")) }
            task.cancel()
            _ = try? await task.value
            let closed = Task {
                for try await _ in connection.updates(of: Novel.order) {}
                return true
            }
            try database.close()
            // Closed before the first update, that is an error; afterwards the end.
            if case .failure(let error) = await closed.result { #expect((error as? YapDatabaseError)?.code == .closed) }
        }
    }

    @MainActor @Test func aModelShowsWhatTheListHolds() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            let model = try YapListModel(Novel.order, in: database)
            #expect(model.sections.isEmpty && model.count == 0 && model[0, 0] == nil)
            let following = Task { try await model.follow() }
            try await connection.readWrite {
                try $0[Novel.all].save([Novel(1, "Dune", .hall), Novel(2, "Ubik", .attic), Novel(3, "Emma", .hall)])
            }
            while model.snapshot < connection.snapshot { await Task.yield() }
            #expect(model.sections.map(\.group) == ["attic", "hall"] && model.sections.map(\.count) == [1, 2])
            #expect(model[1, 0]?.title == "Dune" && model[1, 5] == nil && model.failure == nil)
            try await connection.readWrite { try $0[Novel.all].remove(2) }
            while model.count != 2 { await Task.yield() }
            #expect(model.outcome.changeSet?.sectionChanges.count == 1)
            following.cancel()
            await #expect(throws: CancellationError.self) { try await following.value }
        }
    }

    @MainActor @Test func aModelIsFollowedAgainAndTwiceAtOnce() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            let model = try YapListModel(Novel.order, in: database)
            @MainActor func save(_ id: Int) async throws {
                try await connection.readWrite { try $0[Novel.all].save(Novel(id, "\(id)")) }
                while model.snapshot < connection.snapshot { await Task.yield() }
            }
            let first = Task { try await model.follow() }
            let second = Task { try await model.follow() }
            try await save(1)
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            try await save(2)
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            try await connection.readWrite { try $0[Novel.all].save(Novel(3, "3")) }
            #expect(model.count == 2)
            let third = Task { try await model.follow() }
            try await save(4)
            #expect(model.count == 4)
            third.cancel()
            _ = try? await third.value
        }
    }

    @MainActor @Test func neitherAWaitingLoopNorAModelThatNothingFollowsHoldsAState() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let connection = try database.newConnection()
            try await connection.readWrite { try $0[Novel.all].save(Novel(0, "0")) }
            let model = try YapListModel(Novel.order, in: database)
            var updates = connection.updates(of: Novel.order).makeAsyncIterator()
            #expect(try await updates.next()?.rows.count == 1)
            for number in 1...100 {
                try await connection.readWrite { try $0[Novel.all].save(Novel(number, "\(number)")) }
            }
            try waitUntil("No state is held") {
                database.connections.all.allSatisfy { !$0.isFrozen.load(ordering: .acquiring) }
            }
            let update = try #require(try await updates.next())
            #expect(update.rows.count == 101 && update.outcome.changeSet != nil)
            #expect(model[0, 0]?.title == "0" && model.count == 101)
        }
    }
}
