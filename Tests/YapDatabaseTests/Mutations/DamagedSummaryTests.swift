import FileEngine
import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// The records of mutations are the truth, and the value that sums them up is believed only where it fits them.
@Suite struct DamagedSummaryTests {
    struct Put: YapMutation {
        static let mutationName = "put"
        var key: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            try transaction.setObject("value", forKey: key, inCollection: "c")
        }
    }

    /// A file that follows a space, away from its server: mutations 1 to 3 are accepted, 4 to 17 wait, of which 8 is rejected.
    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try connection.writePastAuthority {
                let parts = ["1", "5", UUID().uuidString, "\($0.numberOfCommit)", "all", UUID().uuidString, "space"]
                try $0.setFileValue(parts.joined(separator: "\n"), SpaceValue.position)
            } confirming: { _ in
            }
            for number in 1...17 { try connection.mutate(Put(key: "\(number)")) }
            try connection.writePastAuthority { transaction throws in
                var outbox = try #require(try transaction.outbox())
                let records = try transaction.pendingMutations()
                for record in records.prefix(3) {
                    try transaction.removeReplacedRows(by: record.number)
                    try transaction.noteAccepted(record, commit: record.number, &outbox)
                }
                var rejected = records[7]
                rejected.setState(.rejected, reason: "refused")
                try transaction.removeReplacedRows(by: rejected.number)
                try transaction.save(rejected)
                outbox.remove(size: rejected.size)
                outbox.first = 4
                try transaction.setOutbox(outbox)
                try transaction.stayInSpace()
            } confirming: { _ in
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            try body(url)
        }
    }

    private static let pending = [4, 5, 6, 7] + Array(9...17)

    private func damage(_ connection: YapDatabaseConnection, _ sql: String...) throws {
        try connection.writePastAuthority { transaction throws in
            for sql in sql { try transaction.store.execute(sql) }
            try transaction.stayInSpace()
        } confirming: { _ in
        }
    }

    private static func text(_ text: String) -> String {
        "UPDATE yap2 SET data = '\(text)' WHERE extension = '' AND key = 'server-mutations'"
    }

    private static let deleted = "DELETE FROM yap2 WHERE extension = '' AND key = 'server-mutations'"

    /// What is pending stays so, and what is made next comes behind it.
    /// - Parameter isOpen: whether it is damaged while the program has it open.
    @Test(
        arguments: [
            "1 5 17 3080", "1 4 15 3080", "1 9 17 3080", "1 10 17 3080", "1 18 17 0", "1 1 0 0", "1 4 3 0",
            "1 4 16 3080",
            "1 4 4503599627370496 1", "1 4 200000 3080", "1 4 100020 3080", "1 4 17 268435456", "1 1 17 3080",
            "1 4 17 9223372036854775807", "1 9223372036854775807 17 0", "0 4 17 3080", "many", "", "deleted", "NULL",
        ], [false, true])
    func noMutationIsLostByIt(summary: String, isOpen: Bool) throws {
        try withFile { url throws in
            let sql =
                switch summary {
                case "deleted": Self.deleted
                case "NULL": "UPDATE yap2 SET data = NULL WHERE extension = '' AND key = 'server-mutations'"
                default: Self.text(summary)
                }
            var database = try YapDatabase(url: url, options: .forTests)
            var connection = try database.newConnection()
            if isOpen { #expect(try connection.read { try $0.pendingMutations().map(\.number) } == Self.pending) }
            try damage(connection, sql)
            if !isOpen {
                try database.close()
                database = try YapDatabase(url: url, options: .forTests)
                connection = try database.newConnection()
            }
            #expect(try connection.read { try $0.pendingMutations().map(\.number) } == Self.pending)
            for number in 18...22 { try connection.mutate(Put(key: "\(number)")) }
            let numbers = try connection.read { try $0.pendingMutations().map(\.number) }
            #expect(Array(numbers.prefix(13)) == Self.pending && numbers.count == 18 && numbers == numbers.sorted())
            #expect(try connection.read { try $0.rejectedMutations().map(\.number) } == [8])
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test(arguments: [
        ("1 5 17 3080", "lacks the pending mutation 4"), ("1 4 15 3080", "ends with 15"), ("1 18 17 0", "lacks"),
        ("1 4 4503599627370496 1", "instead of 13"), ("1 4 17 268435456", "268435456 bytes"),
        ("many", "cannot be read"),
    ]) func theCheckSaysSo(summary: String, words: String) throws {
        try withFile { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try damage(database.newConnection(), Self.text(summary))
            try database.close()
            let problems = try YapDatabase.check(url: url)
            #expect(problems.count == 1 && problems.allSatisfy { $0.description.contains(words) }, "\(problems)")
        }
    }

    /// Whatever is under the next number, it is not overwritten: also a record that cannot be read.
    @Test func aRecordIsNotOverwritten() throws {
        try withFile { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try damage(
                connection, "UPDATE yap_derived SET data = '{}' WHERE key = '0000000000000011'", Self.text("many"))
            try connection.mutate(Put(key: "new"))
            #expect(
                try connection.read { try $0.pendingMutations().map(\.number) } == Self.pending.dropLast() + [18])
            let bytes = try connection.read {
                try $0.storedBytes(RowKey(collection: RowTable.mutations, key: "0000000000000011"))?.object
            }
            #expect(bytes == Data("{}".utf8))
            try database.close()
            let problems = try YapDatabase.check(url: url).map(\.description)
            #expect(problems.count == 2 && problems[0].contains("1 mutation cannot be read"), "\(problems)")
        }
    }

    /// A record with a number that no file reaches is damaged, and costs itself.
    @Test(arguments: [Int.max, 1 << 60, (1 << 52) + 1]) func aNumberThatNoFileReaches(number: Int) throws {
        try withFile { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try damage(connection, Self.renumber(17, number), Self.deleted)
            try connection.mutate(Put(key: "new"))
            #expect(try connection.read { try $0.pendingMutations().map(\.number) } == Self.pending.dropLast() + [18])
            #expect(try connection.read { try $0.replacedRows(by: 18).map(\.key.key) } == ["new"])
            try database.close()
            #expect(try YapDatabase.check(url: url).contains { $0.description.contains("1 mutation cannot be read") })
        }
    }

    /// The last number that there is: none can follow, and the error says what to do.
    @Test func theLastNumber() throws {
        try withFile { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            try damage(connection, Self.renumber(17, 1 << 52), Self.deleted)
            let error = #expect(throws: YapDatabaseError.self) { try connection.mutate(Put(key: "new")) }
            #expect(error?.code == .badOperation && error?.message.contains("new file") == true)
            #expect(try connection.read { try $0.pendingMutations().count } == Self.pending.count)
            try database.close()
        }
    }

    private static func renumber(_ number: Int, _ other: Int) -> String {
        """
        UPDATE yap_derived SET key = '\(YapMutationRecord.key(other))', \
        data = CAST(json_set(CAST(data AS TEXT), '$.number', \(other)) AS BLOB) WHERE key = '\(YapMutationRecord.key(number))'
        """
    }

    /// The program has dealt with the last ones, and their records are gone: the numbers go on.
    @Test func numbersGoOnBehindForgottenOnes() throws {
        try withFile { url throws in
            var database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().writePastAuthority { transaction throws in
                var outbox = try #require(try transaction.outbox())
                for record in try transaction.pendingMutations() {
                    var record = record
                    record.setState(.rejected, reason: "refused")
                    try transaction.removeReplacedRows(by: record.number)
                    try transaction.save(record)
                    outbox.remove(size: record.size)
                }
                outbox.first = 18
                try transaction.setOutbox(outbox)
                try transaction.stayInSpace()
            } confirming: { _ in
            }
            let connection = try database.newConnection()
            for record in try connection.read({ try $0.rejectedMutations() }) { try connection.forgetMutation(record) }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().mutate(Put(key: "new"))
            #expect(try database.newConnection().read { try $0.pendingMutations().map(\.number) } == [18])
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// What the records of a file say by their JSON is what they say to a program.
    @Test func theRecordsAreCountedAsTheyAreDecoded() throws {
        try withFile { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().read { transaction throws in
                let state = try #require(try transaction.store.countOfMutations()).state
                #expect(try transaction.outbox() == state)
                let records = try transaction.pendingMutations()
                #expect(state.bytes == records.reduce(0) { $0 + $1.size } && state.first == 4 && state.last == 17)
            }
            try database.close()
        }
    }
}
