import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// Long-lived connections that follow a view while it is registered, replaced or dropped.
@Suite struct ViewSubscriptionTests {
    private func fill(_ database: YapDatabase, _ keys: [String]) throws {
        try database.newConnection().readWrite { transaction throws in
            for key in keys {
                try transaction.setObject(Item(group: "A", sort: 0, text: key), forKey: key, inCollection: "c")
            }
        }
    }

    @Test func aViewThatIsRegisteredLateIsAReload() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try fill(database, ["a"])
            let connection = try database.newConnection()
            try connection.jump()
            let mappings = YapDatabaseViewMappings(groups: ["A"], view: "items")
            #expect(connection.ext("items") == nil)
            expectError(.badExtension, mentioning: "items", "Register it first") {
                try connection.read { try mappings.update(with: $0) }
            }
            try database.register(Item.view(), withName: "items")
            // It is registered, but not in the state that the connection reads.
            #expect(connection.ext("items") == nil)
            expectError(.badExtension, mentioning: "next jump") {
                try connection.read { try mappings.update(with: $0) }
            }
            let commits = try connection.jump()
            let view = try #require(connection.ext("items") as? YapDatabaseViewConnection)
            expectError(.mismatchedMappings, mentioning: "update(with:)") {
                _ = try view.outcome(for: commits, with: mappings)
            }
            try connection.read { try mappings.update(with: $0) }
            #expect(mappings.numberOfItems(inGroup: "A") == 1)
        }
    }

    @Test(arguments: [false, true])
    func aViewThatIsDroppedIsAnErrorAndOneThatIsReplacedAReload(isReplaced: Bool) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, ["a", "b"])
            let connection = try database.newConnection()
            try connection.jump()
            let mappings = YapDatabaseViewMappings(groups: ["A"], view: "items")
            try connection.read { try mappings.update(with: $0) }
            let view = try #require(connection.ext("items") as? YapDatabaseViewConnection)

            try database.unregisterExtension(withName: "items")
            try fill(database, ["c"])
            if isReplaced {
                let replacement = YapDatabaseAutoView(
                    grouping: .withKeyBlock { _, _, key in key == "a" ? "A" : nil },
                    sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) }, versionTag: "other")
                try database.register(replacement, withName: "items")
            }
            // The connection still reads the state with the first view.
            #expect(mappings.numberOfItems(inGroup: "A") == 2)
            try connection.read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                #expect(view.numberOfItems(inGroup: "A") == 2)
                #expect(try view.key(at: 1, inGroup: "A") == "b")
            }
            let commits = try connection.jump()
            if isReplaced {
                #expect(try view.outcome(for: commits, with: mappings) == .reload)
                #expect(mappings.numberOfItems(inGroup: "A") == 1)
            } else {
                #expect(connection.ext("items") == nil)
                expectError(.badExtension, mentioning: "items") { _ = try view.outcome(for: commits, with: mappings) }
            }
        }
    }

    @Test func aCoordinatorGoesOnThroughAllOfIt() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try fill(database, ["a"])
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            let items = YapDatabaseViewMappings(groups: ["A"], view: "items")
            let filtered = YapDatabaseViewMappings(groups: ["A"], view: "filtered")
            for list in [items, filtered] { #expect(try !coordinator.follow(list)) }
            func advance() throws -> [Outcome] { try coordinator.advance().map(\.outcome) }
            #expect(try advance() == [.none, .none])
            try database.register(Item.view(), withName: "items")
            #expect(try advance() == [.reload, .none])
            try database.register(FilteredViewTests.filter { _ in true }, withName: "filtered")
            #expect(try advance() == [.none, .reload])
            #expect(filtered.numberOfItems(inGroup: "A") == 1)
            try database.unregisterExtension(withName: "filtered")
            #expect(try advance() == [.none, .reload])
            #expect(filtered.numberOfItems(inGroup: "A") == 0)
            // A view of another kind, and an extension that is no view.
            try database.register(YapDatabaseManualView(), withName: "filtered")
            #expect(try advance() == [.none, .reload])
            try database.unregisterExtension(withName: "filtered")
            try database.register(RecordingExtension(), withName: "filtered")
            #expect(try advance() == [.none, .reload])
            #expect(try advance() == [.none, .none])
            try fill(database, ["b"])
            #expect(try advance()[0] != .reload && items.numberOfItems(inGroup: "A") == 2)
        }
    }
}
