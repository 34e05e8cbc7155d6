import FileEngine
import Foundation
import Testing

@testable import YapDatabase

/// A connection that begins to read recognizes the newest state without reading its number.
@Suite struct KnownStateTests {
    private func store(_ connection: YapDatabaseConnection) throws -> Store {
        try connection.inOrder { try connection.store() }
    }

    private func set(_ number: Int, _ connection: YapDatabaseConnection) throws {
        try connection.readWrite { try $0.setObject(number, forKey: "k") }
    }

    private func number(_ connection: YapDatabaseConnection) throws -> Int? {
        try connection.read { try $0.object(forKey: "k") } as? Int
    }

    @Test func aCommitIsKnownToEveryConnection() throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            for commit in 1...5 {
                try set(commit, writer)
                let known = try #require(database.commitLog.start.known)
                #expect(known.version == database.commitLog.tip)
                #expect(try number(reader) == commit)
                // The reader has taken that state over instead of making one of its own.
                #expect(try store(reader).lastKnown?.version == known.version)
            }
        }
    }

    @Test func aStateThatIsNoLongerTheNewestIsNotTakenForIt() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try set(1, connection)
            let old = try #require(database.commitLog.start.known)
            try set(2, connection)
            let store = try store(connection)
            let version = try store.beginRead(expecting: old)
            try store.rollback()
            #expect(version == database.commitLog.tip && version != old.version)
        }
    }

    @Test func commitsOfOtherProgramsAreSeen() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try set(1, connection)
            #expect(try number(connection) == 1)
            let other = try foreignProgram(database.databaseURL)
            let bytes = try #require(try connection.read { try $0.serializedObject(forKey: "k") })
            // One that counts its commits, and one that does not.
            for (turn, counts) in [true, false, true].enumerated() {
                let before = connection.snapshot
                try other.execute("BEGIN")
                try other.execute("UPDATE database2 SET metadata = x'0\(turn)' WHERE key = 'k'")
                if counts {
                    try other.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
                }
                try other.execute("COMMIT")
                let row = try connection.read { try $0.serializedRow(forKey: "k") }
                #expect(row?.object == bytes && row?.metadata == Data([UInt8(turn)]))
                #expect(connection.snapshot == before + (counts ? 1 : 0))
            }
            try other.execute("UPDATE database2 SET metadata = NULL")
        }
    }
}
