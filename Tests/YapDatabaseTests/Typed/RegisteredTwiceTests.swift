import Testing

@testable import YapDatabase

/// Two screens each register what they show.
@Suite struct RegisteredTwiceTests {
    private static let owned = YapList("owned", filtering: Novel.order, where: \.year > 3)
    private static func makeOrder() -> YapList<Novel, Int, Never> {
        YapList("again", of: Novel.all, sortedBy: .ascending(\.title))
    }

    @Test func theSameDeclarationMayBeRegisteredAgain() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Novel.order, Novel.fields, Novel.texts, Self.owned)
            let extensions = database.registeredExtensions().mapValues(ObjectIdentifier.init)
            let snapshot = try database.newConnection().snapshot
            try database.register(Self.makeOrder())
            try database.register(Self.makeOrder())
            try database.register(Novel.order)
            // Some of them are new.
            let more = YapList("more", of: Novel.all, sortedBy: .descending(\.title))
            try database.register(Novel.fields, Novel.texts, Self.owned, more)
            try database.register([Self.owned, more], replacing: true)
            #expect(
                database.registeredExtensions().mapValues(ObjectIdentifier.init).filter { extensions[$0.key] != nil }
                    == extensions)
            #expect(try database.newConnection().snapshot <= snapshot + 2)
        }
    }

    @Test func severalScreensMayDoItAtOnce() async throws {
        try await withTemporaryDatabase { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await database.register(Novel.order, Novel.fields) } }
                try await group.waitForAll()
            }
            #expect(database.registeredExtensions().count == 2)
        }
    }

    /// What a screen has set is not undone by the next one.
    @Test func aFilterThatWasSetStays() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Novel.order, Self.owned)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save((1...9).map { Novel($0, "n", year: $0) })
                try transaction[Self.owned].setFilter(\.year > 7)
            }
            try database.register(Self.owned)
            #expect(try connection.read { try $0[Self.owned].values(in: "hall").map(\.id).sorted() } == [8, 9])
        }
    }

    @Test func anotherDeclarationOfTheNameIsAnError() throws {
        try withTemporaryDatabase { database throws in
            let first = try database.register(
                YapList("a", of: Novel.all, sortedBy: .ascending(\.title), versionTag: "1"))
            try database.register(first)
            let others: [any YapDeclaration] = [
                YapList("a", of: Novel.all, sortedBy: .ascending(\.title), versionTag: "2"),
                // The same tag, of another collection.
                YapList(
                    "a", of: YapCollection("others", of: Novel.self), sortedBy: .ascending(\.title), versionTag: "1"),
                YapIndex("a", of: Novel.all, on: \.year),
            ]
            for other in others {
                expectError(.badExtension, mentioning: "There is an extension \"a\" already") {
                    try database.register([other])
                }
            }
            // The original's form has no declaration to compare.
            expectError(.badExtension, mentioning: "already") {
                try database.register(first.makeExtension(), withName: "a")
            }
            try database.unregister(first)
            try database.register(first)
        }
    }
}
