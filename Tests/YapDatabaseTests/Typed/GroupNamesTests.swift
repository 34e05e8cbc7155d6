import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// Groups are told apart by the bytes of their names, and ordered by what these mean.
@Suite struct GroupNamesTests {
    private struct Entry: Codable, Sendable, Identifiable {
        enum Level: Int, Codable, Sendable, YapGroup {
            case low = 9
            case high = 10
        }

        var id: String
        var name = ""
        var number = 0
        var isDone = false
        var day: Date?
        var level = Level.low
    }

    private static let all = YapCollection("entries", of: Entry.self)

    /// The groups in each of the places that have an order of them.
    private func sections<Group: YapGroup>(
        _ entries: [Entry], by path: KeyPath<Entry, Group> & Sendable
    ) throws -> [String] {
        let list = YapList("list", of: Self.all, groupedBy: path, sortedBy: .ascending(\.id))
        return try withTemporaryDatabase { database throws in
            try database.register(list)
            return try database.newConnection().readWrite { transaction throws in
                try transaction[Self.all].save(entries)
                let mappings = list.mappings()
                try mappings.update(with: transaction)
                let groups = mappings.visibleGroups()
                #expect(try transaction[list].groups.hasSameBytes(as: groups))
                return groups
            }
        }
    }

    @Test func sectionsAreInTheOrderOfTheValues() throws {
        let numbers = [10, 2, -9, 100, -10, 9]
        let entries = numbers.enumerated().map { place, number in
            Entry(
                id: "\(place)", number: number, isDone: number < 0,
                day: Date(timeIntervalSinceReferenceDate: Double(number)),
                level: number < 10 ? .low : .high)
        }
        #expect(try sections(entries, by: \.number) == ["-10", "-9", "2", "9", "10", "100"])
        #expect(try sections(entries, by: \.isDone) == ["false", "true"])
        #expect(try sections(entries, by: \.day) == ["-10.0", "-9.0", "2.0", "9.0", "10.0", "100.0"])
        #expect(try sections(entries, by: \.level) == ["9", "10"])
        let days = [0, -0.0, .nan, .infinity, -1].enumerated().map { place, seconds in
            Entry(id: "\(place)", day: Date(timeIntervalSinceReferenceDate: seconds))
        }
        #expect(try sections(days, by: \.day) == ["-1.0", "0.0", "inf", "nan"])
    }

    /// Composed, decomposed, and in the same transaction or a later one; the whole file is in order at the end.
    @Test func groupsThatDifferInUnicodeFormAreTwo() async throws {
        let list = YapList("list", of: Self.all, groupedBy: \.name, sortedBy: .ascending(\.id))
        let (composed, decomposed) = ("é", "e\u{301}")
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "test.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try await database.register(list)
            let connection = try database.newConnection()
            var updates = connection.updates(of: list).makeAsyncIterator()
            _ = try await updates.next()
            try await connection.readWrite { transaction in
                try transaction[Self.all].save([Entry(id: "a", name: composed), Entry(id: "b", name: decomposed)])
                let rows = try transaction[list]
                #expect(rows.groups.hasSameBytes(as: [decomposed, composed]))
                #expect(try rows.values(in: composed).map(\.id) == ["a"])
                #expect(try rows.values(in: decomposed).map(\.id) == ["b"])
            }
            var update = try #require(try await updates.next())
            #expect(update.sections.map(\.rows.count) == [1, 1])
            // From one form to the other.
            _ = try await connection.readWrite { try $0[Self.all].update("a") { $0.name = decomposed } }
            update = try #require(try await updates.next())
            #expect(update.sections.map(\.group).hasSameBytes(as: [decomposed]))
            #expect(update.outcome.changeSet?.sectionChanges.map(\.type) == [.delete])
            #expect(update.rows.map(\.id) == ["a", "b"])
            try await connection.readWrite { try $0[Self.all].save(Entry(id: "c", name: composed)) }
            update = try #require(try await updates.next())
            #expect(update.sections.map(\.rows.count) == [2, 1])
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            let again = try YapDatabase(url: url, options: .forTests)
            try await again.register(list)
            let counts = try await again.newConnection().read { transaction throws in
                try [composed, decomposed].map { try transaction[list].count(in: $0) }
            }
            #expect(counts == [1, 2])
            try again.close()
        }
    }

    @Test func listsOfCollectionsThatDifferInUnicodeFormAreApart() throws {
        let other = YapCollection("entri\u{e9}s", of: Entry.self)
        let list = YapList("list", of: YapCollection("entrie\u{301}s", of: Entry.self))
        try withTemporaryDatabase { database throws in
            try database.register(list)
            try database.newConnection().readWrite { transaction throws in
                try transaction[other].save(Entry(id: "a"))
                #expect(try transaction[list].count == 0)
            }
        }
    }

    @Test func aGroupThatLostItsRowsIsNotCounted() throws {
        let list = YapList("list", of: Self.all, groupedBy: \.name)
        try withTemporaryDatabase { database throws in
            try database.register(list)
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Self.all].save([Entry(id: "a", name: "A"), Entry(id: "b", name: "B")]) }
            try connection.readWrite { transaction throws in
                try transaction[Self.all].remove("a")
                let view = try transaction[list].view
                #expect(view.allGroups() == ["B"] && view.numberOfGroups() == 1)
                #expect(!view.hasGroup("A") && view.hasGroup("B") && view.isEmptyGroup("A"))
                try transaction[Self.all].save(Entry(id: "c", name: "A"))
                #expect(view.numberOfGroups() == 2 && view.hasGroup("A"))
            }
        }
    }
}
