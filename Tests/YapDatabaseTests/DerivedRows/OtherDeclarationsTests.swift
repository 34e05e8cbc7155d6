import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Programs, or versions of one, that declare other things under the names of lists over related rows.
@Suite struct OtherDeclarationsTests {
    private struct Loan: Codable, Sendable, Identifiable {
        var id: Int
        var novel: Int
        var due = Date(timeIntervalSinceReferenceDate: 0)
    }

    private static let loans = YapCollection("loans", of: Loan.self)
    private static let lent = YapJoin("lent", of: loans, joining: \.novel, to: Novel.all)
    private static let byTitle = YapList("byTitle", of: lent.rows, sortedBy: .ascending(\.other.title))
    private static let shelves = YapList("shelves", groupsOf: Novel.order)
    private static let dated = YapTimed("dated", of: loans, at: \.due, in: .gmt)
    private static let all: [any YapDeclaration] = [lent, byTitle, Novel.order, shelves, dated]

    private static func fill(_ database: YapDatabase) throws {
        try database.register(all)
        try database.newConnection().readWrite { transaction throws in
            try transaction[Novel.all].save([
                Novel(1, "Dune"), Novel(2, "Emma", .attic), Novel(3, "Persuasion", .attic),
            ])
            try transaction[loans].save([Loan(id: 1, novel: 1), Loan(id: 2, novel: 3)])
        }
    }

    /// Opens the file again as a program does that declares other things.
    private func reopening(_ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let first = try YapDatabase(url: url, options: .forTests)
            try Self.fill(first)
            try first.close()
            let database = try YapDatabase(url: url, options: .forTests)
            try body(database)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// The derived rows and the names of extensions that the file has.
    private func left(in database: YapDatabase) throws -> (rows: Int, names: [String]) {
        try database.newConnection().read { transaction throws in
            let rows = try transaction.store.first("SELECT count(*) FROM yap_derived") { $0.int64(at: 0) }
            return (Int(rows ?? 0), try transaction.store.yapExtensionNames().sorted())
        }
    }

    /// A program drops what it does not declare any more, and never registered.
    @Test func whatIsDroppedTakesItsRowsAlong() throws {
        try reopening { database throws in
            #expect(try left(in: database).rows == 2 + 2 + 2)
            for declaration in Self.all.reversed() { try database.unregister(declaration) }
            let left = try left(in: database)
            #expect(left.rows == 0 && left.names == [])
            let tables = try database.newConnection().read { transaction throws in
                try transaction.store.all("SELECT name FROM sqlite_master WHERE name LIKE 'derived%'") {
                    $0.text(at: 0) ?? ""
                }
            }
            #expect(tables == [])
        }
    }

    /// The next version of a program has another list under the name of a list of groups.
    @Test func aListOfTheSameNameDropsTheRowsOfGroups() throws {
        try reopening { database throws in
            let plain = try database.register(YapList("shelves", of: Novel.all, sortedBy: .ascending(\.id)))
            let left = try left(in: database)
            #expect(left.rows == 2 + 2)
            #expect(left.names == ["byTitle", "dated.rows", "lent.rows", "order", "shelves"])
            #expect(try database.newConnection().read { try $0[plain].values().map(\.id) } == [1, 2, 3])
        }
    }

    /// A join has its own rows: a list that has the name of a join, without the ending, leaves them.
    @Test func aListOfTheSameNameLeavesAJoin() throws {
        try reopening { database throws in
            try database.register(YapList("lent", of: Novel.all, sortedBy: .ascending(\.id)))
            try database.register(Self.lent)
            #expect(try database.newConnection().read { try $0[Self.lent.rows].count } == 2)
            // Even where another program had a list of groups of that name.
            try elsewhere(
                database, "INSERT OR REPLACE INTO yap2 VALUES ('lent.rows', 'partOf', 'lent')",
                "UPDATE yap2 SET data = 'other' WHERE extension LIKE 'lent%' AND key = 'versionTag'")
            try database.unregisterExtension(withName: "lent")
            #expect(database.registeredExtensions().keys.sorted() == ["lent.rows"])
            try database.register(Self.lent, replacing: true)
            #expect(try database.newConnection().read { try $0[Self.lent.rows].count } == 2)
        }
    }

    /// What another program derives under the name of a join are other rows.
    @Test func rowsOfAnotherDerivationAreNotRead() throws {
        try withTemporaryDatabase { database throws in
            let index = YapIndex("titles", of: Self.lent.rows, on: \.other.title)
            let connection = try database.newConnection()
            expectError(.badExtension, mentioning: "\"lent.rows\" is not registered") {
                try connection.read { _ = try $0[Self.lent.rows].values() }
            }
            try Self.fill(database)
            try database.register(index)
            #expect(try connection.read { try $0[Self.lent.rows].keys() } == [1, 2])
            #expect(try connection.read { try $0[Self.lent.rows.where(\.other.title == "Dune")].keys() } == [1])
            try elsewhere(
                database, "UPDATE yap2 SET data = 'other' WHERE extension = 'lent.rows' AND key = 'versionTag'")
            let reads: [(YapDatabaseReadTransaction) throws -> Void] = [
                { _ = try $0[Self.lent.rows].values() }, { _ = try $0[Self.lent.rows].keys() },
                { _ = try $0[Self.lent.rows].count }, { _ = try $0[Self.lent.rows][1] },
                { _ = try $0[Self.lent.rows].contains(1) }, { _ = try $0[Self.lent.rows].decodableValues() },
                { _ = try $0[Self.lent.rows].first { $0.row.id == 1 } }, { _ = try $0[Self.byTitle].values() },
                { _ = try $0[Self.lent.rows.where(\.other.title == "Dune")].keys() },
            ]
            for read in reads {
                expectError(.badExtension, mentioning: "\"lent.rows\"", "\"other\"") { try connection.read(read) }
            }
            // Rows that programs write are read as before.
            #expect(try connection.read { try $0[Self.loans].keys() } == [1, 2])
        }
    }

    /// A program drops the list whose groups have rows, which it does not know. Writes go on, and all is made again.
    @Test func aListThatIsDroppedElsewhereIsMadeAgainBeforeWhatReadsIt() throws {
        try withTemporaryDatabase { database throws in
            try Self.fill(database)
            let connection = try database.newConnection()
            // This process has seen the commit, and its own write is still to come.
            database.recoveries.suspend()
            try elsewhere(
                database, "DROP TABLE view_order_map", "DROP TABLE view_order_page",
                "DELETE FROM yap2 WHERE extension = 'order'")
            expectError(.badExtension, mentioning: "\"shelves\"") {
                try connection.read { _ = try $0[Self.shelves].values() }
            }
            database.recoveries.resume()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save(Novel(4, "Sanditon", .cellar))
                // Made again by this write.
                #expect(try transaction[Self.shelves.collection].count == 3)
            }
            let counts = try connection.read { try $0[Self.shelves].values().map { "\($0.name) \($0.count)" } }
            #expect(counts == ["attic 2", "hall 1", "cellar 1"])
            #expect(try connection.read { try $0[Novel.order].values(in: "attic").map(\.id) } == [2, 3])
        }
    }

    /// Rows that another program wrote are still to be derived when lists over them are registered: these are filled once.
    @Test func listsAreFilledOnceWhereRowsAreStillToBeDerived() throws {
        try withTemporaryDatabase { database throws in
            try Self.fill(database)
            database.recoveries.suspend()
            let program = try foreignProgram(database.databaseURL)
            try program.setRows([(key: 3, value: Loan(id: 3, novel: 1))], inCollection: "loans")
            let late = YapList("late", of: Self.lent.rows, groupedBy: \.other.title, sortedBy: .descending(\.row.id))
            let chosen = YapList("chosen", filtering: Self.byTitle, where: \.row.id > 1)
            try database.register(late, chosen)
            database.recoveries.resume()
            try database.newConnection().read { transaction throws in
                #expect(try transaction[late].values(in: "Dune").map(\.row.id) == [3, 1])
                #expect(Set(try transaction[chosen].values().map(\.row.id)) == [2, 3])
                #expect(try transaction[Self.byTitle].values().count == 3)
            }
        }
    }

    /// A filter of this program was declared over a list with rows of another type than the one that it registers now.
    @Test func aListOfAnotherTypeDoesNotTakeTheRowsOfAFilter() throws {
        try withTemporaryDatabase { database throws in
            try Self.fill(database)
            let old = YapList("old", filtering: Novel.order, where: \.title < "F")
            try database.register(old)
            let other = YapList("order", of: Self.loans, sortedBy: .ascending(\.id))
            try elsewhere(database, "UPDATE yap2 SET data = 'other' WHERE extension = 'order' AND key = 'versionTag'")
            expectError(.badExtension, mentioning: "\"order\"", "\"old\"") {
                try database.register(other, replacing: true)
            }
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Self.loans].save(Loan(id: 3, novel: 1)) }
            try database.unregister(old)
            try database.unregister(Self.shelves)
            try database.register(other, replacing: true)
            #expect(try connection.read { try $0[other].values().map(\.id) } == [1, 2, 3])
        }
    }
}
