import Foundation
import Testing

@testable import YapDatabase

/// A row that cannot be decoded costs that row: not the list, not the writes, not the registration.
@Suite struct UndecodableRowTests {
    @Test func aRowThatCannotBeDecodedIsNotInTheListAndTheOthersAre() throws {
        try withReports { database, reports throws in
            let connection = try database.newConnection()
            try database.register(Novel.order, Novel.fields, Novel.texts)
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "Dune"), Novel(2, "Emma"), Novel(3, "Ubik")])
            }
            try connection.readWrite { try $0.spoil("2") }
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].values(in: "hall").map(\.id) == [1, 3])
                #expect(try transaction[Novel.all].where(\.price == 10).values().map(\.id) == [1, 3])
                #expect(try transaction[Novel.texts].values(matching: "emma").isEmpty)
                let problems = try transaction[Novel.order].problems
                #expect(
                    problems.map(\.key) == ["2"] && problems[0].cause.contains("format") || !problems[0].cause.isEmpty)
                #expect(try transaction.ext("fields")?.problems.map(\.key) == ["2"])
                #expect(try transaction.ext("texts")?.problems.map(\.key) == ["2"])
                expectError(.decodingFailed) { _ = try transaction[Novel.all][2] }
            }
            // Everything goes on: other rows, this row overwritten, removed.
            try connection.readWrite { try $0[Novel.all].save(Novel(4, "Emil")) }
            try connection.readWrite { try $0[Novel.all].save(Novel(2, "Emma again")) }
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].values(in: "hall").map(\.id) == [1, 4, 2, 3])
                #expect(try transaction[Novel.texts].values(matching: "again").map(\.id) == [2])
                #expect(try transaction[Novel.order].problems.isEmpty)
            }
            try connection.readWrite { try $0.spoil("3") }
            try connection.readWrite { try $0[Novel.all].remove(3) }
            #expect(try connection.read { try $0[Novel.order].problems.isEmpty })
            try reports.expect(["2", "3"])
        }
    }

    @Test func registeringOverSuchRowsAndASecondLaunch() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let reports = Reports()
            func opened() throws -> YapDatabase { try YapDatabase(url: url, options: reports.options()) }
            var database = try opened()
            try database.newConnection().readWrite { transaction throws in
                try transaction[Novel.all].save((1...300).map { Novel($0, "t\($0 % 7)", year: $0) })
                try transaction.spoil("7")
                try transaction.spoil("200")
            }
            // Alone and together, whose rows are read in another way.
            try database.register(Novel.order)
            try database.register(Novel.fields, Novel.texts)
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            func check(_ left: [String]) throws {
                try connection.read { transaction throws in
                    #expect(try transaction[Novel.order].count == 300 - left.count)
                    #expect(try transaction[Novel.all].where(\.price == 10).count == 300 - left.count)
                    for name in ["order", "fields", "texts"] {
                        #expect(try transaction.ext(name)?.problems.map(\.key) == left)
                    }
                }
            }
            try check(["7", "200"])
            try reports.expect(["7", "200"])
            try database.close()
            let found = try YapDatabase.check(url: url)
            #expect(found.filter { $0.extensionName == "order" }.count == 2)
            #expect(found.contains { $0.description.contains("novels") && $0.description.contains("200") })
            #expect(found.allSatisfy { ["order", "fields", "texts", "items"].contains($0.extensionName) })

            // The next launch knows them, and reports them once.
            database = try opened()
            reports.clear()
            try database.register(Novel.order, Novel.fields, Novel.texts)
            let second = try database.newConnection()
            try second.read { transaction throws in
                #expect(try transaction[Novel.order].problems.map(\.key) == ["7", "200"])
            }
            try reports.expect(["7", "200"])
            try database.unregisterExtension(withName: "items")
            try second.readWrite { try $0[Novel.all].remove([7, 200]) }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func theStrictOptionThrows() throws {
        let reports = Reports()
        var options = reports.options()
        options.undecodableRows = .fail
        try withTemporaryDatabase(options: options) { database throws in
            let connection = try database.newConnection()
            try database.register(Novel.order)
            try connection.readWrite { try $0[Novel.all].save(Novel(1, "Dune")) }
            expectError(.decodingFailed) { try connection.readWrite { try $0.spoil("1") } }
            try connection.readWrite { try $0.spoil("1", in: "c") }
            database.registerItems()
            expectError(.decodingFailed) { try database.register(Item.view(), withName: "items") }
            expectError(.decodingFailed) { try database.register([("items", Item.view()), ("more", Item.view())]) }
            try reports.expect([])
        }
    }

    @Test func errorsOfTheAppsOwnBlocksStayWhatTheyAre() throws {
        try withReports { database, reports throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save(Novel(1, "Dune"))
                try transaction.spoil("bad", in: "other")
            }
            // A block that reads another row, which cannot be decoded.
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { transaction, collection, _ in
                    guard collection == "novels" else { return nil }
                    return try transaction.object(forKey: "bad", inCollection: "other") as? String
                }, sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending })
            expectError(.decodingFailed) { try database.register(view, withName: "view") }
            try reports.expect([])
        }
    }
}

/// What a program is told of rows that cannot be decoded.
final class Reports: Sendable {
    private let rows = Locked<[YapDatabaseUndecodableRow]>([])

    func options() -> YapDatabaseOptions {
        var options = YapDatabaseOptions.forTests
        options.undecodableRowHandler = { [rows] row in rows.withLock { $0.append(row) } }
        return options
    }

    /// Waits for the queue of the reports, and compares the keys of all that were reported.
    func expect(_ keys: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        UndecodableRowReports.queue.sync {}
        let found = rows.withLock { $0 }
        #expect(found.map(\.key) == keys, sourceLocation: sourceLocation)
        #expect(found.allSatisfy { !$0.cause.isEmpty && !$0.extensionNames.isEmpty }, sourceLocation: sourceLocation)
    }

    func clear() {
        UndecodableRowReports.queue.sync {}
        rows.withLock { $0 = [] }
    }
}

func withReports(_ body: (YapDatabase, Reports) throws -> Void) throws {
    let reports = Reports()
    try withTemporaryDatabase(options: reports.options()) { try body($0, reports) }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores bytes that nothing decodes, as another program does.
    func spoil(_ key: String, in collection: String = "novels", _ bytes: String = "no value") throws {
        try setStored(RowKey(collection: collection, key: key), object: Data(bytes.utf8), metadata: nil)
    }
}
