import Foundation
import TestSupport
import Testing
import YapDatabase

struct Reminder: Codable, Sendable, Identifiable {
    var id: String
    var title: String
    var due: Date
}
let reminders = YapCollection("reminders", of: Reminder.self)
let byDate = YapList("byDate", of: reminders, sortedBy: .ascending(\.due))

/// The examples of "Testing an app", in the order of the article.
@Suite struct TestingExamples {
    @MainActor @Test func aModelIsTestedInMemory() async throws {
        let database = try YapDatabase.inMemory()
        try await database.register(byDate)
        let connection = try database.newConnection()

        let model = try YapListModel(byDate, in: database)
        let following = Task { try await model.follow() }
        try await database.waitUntilIdle()

        try await connection.readWrite { transaction in
            try transaction[reminders].save(Reminder(id: "tea", title: "Tea", due: .distantFuture))
        }
        try await database.waitUntilIdle()
        #expect(model.count == 1 && model[0, 0]?.title == "Tea")

        var updates = connection.updates(of: byDate).makeAsyncIterator()
        let before = try await updates.next()
        try await connection.readWrite { transaction in try transaction[reminders].remove("tea") }
        let update = try await updates.next()
        #expect(before?.rows.count == 1 && update?.rows.isEmpty == true)
        #expect(update?.outcome.changeSet?.rowChanges.map(\.type) == [.delete])

        following.cancel()
        _ = await following.result

        #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        try database.close()
    }

    @Test func anActionIsTestedWithAClock() async throws {
        func makeExpiring(_ remove: @escaping @Sendable (_ id: String) -> Void) -> YapDatabaseActionManager {
            YapDatabaseActionManager { _, key, object in
                guard let reminder = object as? Reminder else { return nil }
                let expire = YapActionItem(
                    identifier: "expire", date: reminder.due, retryTimeout: 60, requiresInternet: false
                ) { _, key, _, _ in remove(key) }
                return [expire]
            }
        }
        try await withClock(makeExpiring)
    }

    private func withClock(
        _ makeExpiring: (@escaping @Sendable (_ id: String) -> Void) -> YapDatabaseActionManager
    ) async throws {
        let clock = YapManualClock()
        var options = YapDatabaseOptions()
        options.clock = clock
        let database = try YapDatabase.inMemory(options: options)
        let connection = try database.newConnection()
        let expiring = makeExpiring { id in connection.asyncReadWrite { try $0[reminders].remove(id) } }
        try await database.register(expiring, withName: "expiring")

        let due = clock.now + 3_600
        try await connection.readWrite { transaction in
            try transaction[reminders].save(Reminder(id: "bus", title: "Bus", due: due))
        }
        clock.advance(by: 3_599)
        try await database.waitUntilIdle()
        let early = try await connection.read { try $0[reminders].count }
        clock.advance(by: 1)
        try await database.waitUntilIdle()
        let late = try await connection.read { try $0[reminders].count }
        #expect(early == 1 && late == 0)

        #expect(try YapDatabase.check(url: database.databaseURL).isEmpty)
        try database.close()
    }

    private func inMemory() throws {
        let database = try YapDatabase.inMemory()
        try database.newConnection().readWrite { transaction in try transaction.setObject("Dune", forKey: "dune") }
        try database.close()
    }

    private func manualClock() async throws {
        let clock = YapManualClock()
        var options = YapDatabaseOptions()
        options.clock = clock
        let database = try YapDatabase.inMemory(options: options)
        clock.advance(by: 3_600)  // what was due in this hour is called
        try await database.waitUntilIdle()
    }

    private struct Book: Codable, Sendable, Identifiable {
        var id: Int
        var title: String
    }

    @MainActor private func idle(
        _ database: YapDatabase, _ connection: YapDatabaseConnection, _ books: YapCollection<Book, Int, Never>,
        _ dune: Book, _ model: YapListModel<Book, Int, Never>
    ) async throws {
        try await connection.readWrite { transaction in try transaction[books].save(dune) }
        try await database.waitUntilIdle()
        #expect(model.sections.map(\.count) == [1])
    }
}
