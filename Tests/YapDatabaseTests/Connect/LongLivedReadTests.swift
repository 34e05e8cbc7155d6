import Foundation
import Testing

@testable import YapDatabase

@Suite struct LongLivedReadTests {
    @Test func aFrozenConnectionSeesItsStateUntilItJumps() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            func value() throws -> Int? { try reader.read { try $0.object(forKey: "k") } as? Int }
            try writer.readWrite { try $0.setObject(0, forKey: "k") }
            #expect(try reader.beginLongLivedReadTransaction().count == 1)
            for number in 1...3 {
                try writer.readWrite { try $0.setObject(number, forKey: "k") }
                #expect(try value() == 0)
            }
            #expect(reader.isInLongLivedReadTransaction())
            let notifications = try reader.beginLongLivedReadTransaction()
            #expect(notifications.map { $0.userInfo?[YapDatabaseSnapshotKey] as? Int } == [2, 3, 4])
            #expect(try value() == 3)
            #expect(try reader.beginLongLivedReadTransaction().isEmpty)
            try reader.endLongLivedReadTransaction()
            try writer.readWrite { try $0.setObject(9, forKey: "k") }
            #expect(try value() == 9 && !reader.isInLongLivedReadTransaction())
        }
    }

    @Test func aWriteOnTheFrozenConnectionItselfEndsTheFreeze() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
            #expect(!connection.isInLongLivedReadTransaction())
            #expect(try connection.read { try $0.object(forKey: "k") } as? Int == 1)
        }
    }

    @Test func jumpingDoesNotWaitForAWriter() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try reader.beginLongLivedReadTransaction()
            try writer.readWrite { transaction throws in
                try transaction.setObject(1, forKey: "k")
                // On the same thread: if the jump waited for the writer, this would never return.
                #expect(try reader.beginLongLivedReadTransaction().isEmpty)
                #expect(try reader.read { try $0.object(forKey: "k") } == nil)
            }
            #expect(try reader.beginLongLivedReadTransaction().count == 1)
        }
    }

    /// A connection that reads now and then does not make the others keep what it could only use to drop cached values.
    @Test func everyCommitIsKeptForAConnectionThatJumpsAndFewForOthers() throws {
        try withTemporaryDatabase { database throws in
            let (writer, idle, frozen) = (
                try database.newConnection(), try database.newConnection(), try database.newConnection()
            )
            func value(_ connection: YapDatabaseConnection) throws -> Int? {
                try connection.read { try $0.object(forKey: "k") } as? Int
            }
            try writer.readWrite { try $0.setObject(0, forKey: "k") }
            #expect(try value(idle) == 0)
            try frozen.jump()
            let count = 2 * ConnectionList.idleLimit
            func write() throws {
                for number in 1...count { try writer.readWrite { try $0.setObject(number, forKey: "k") } }
            }
            try write()
            #expect(try frozen.jump().map(\.snapshot) == Array(2...count + 1))
            #expect(try value(idle) == count && value(frozen) == count)
            try frozen.endLongLivedReadTransaction()
            try write()
            #expect(try value(frozen) == count)
            try write()
            let (newest, limit) = (3 * count + 1, ConnectionList.idleLimit)
            #expect(database.commitLog.commits(after: newest - limit, through: newest)?.count == limit)
            #expect(database.commitLog.commits(after: newest - limit - 1, through: newest) == nil)
            let late = try idle.jump()
            #expect(late.count == 1 && late[0].isExternal && late[0].snapshot == newest)
            #expect(try value(idle) == count)
        }
    }

    @Test func commitsThatEveryoneHasSeenAreForgotten() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            for number in 1...10 { try writer.readWrite { try $0.setObject(number, forKey: "k") } }
            #expect(database.commitLog.commits(after: 0, through: 10)?.count == 10)
            #expect(try reader.beginLongLivedReadTransaction().count == 10)
            try writer.readWrite { try $0.setObject(11, forKey: "k") }
            #expect(database.commitLog.commits(after: 9, through: 11) == nil)
            #expect(database.commitLog.commits(after: 10, through: 11)?.count == 1)
        }
    }

    /// A connection that is not used holds up the log, but not the views' states of all its commits.
    @Test func oldCommitsKeepNoStates() throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            let order = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "g" },
                sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending })
            try database.register(order, withName: "order")
            try reader.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["g"], view: "order")
            try reader.read { try mappings.update(with: $0) }
            let before = database.snapshot
            let count = 3 * CommitLog.stateLimit
            for number in 0..<count {
                try writer.readWrite { try $0.setObject(number, forKey: String(format: "%03d", number)) }
            }
            let log = try #require(database.commitLog.commits(after: before, through: before + count))
            #expect(log.filter(\.snapshot.isLoaded).count == CommitLog.stateLimit)
            // A connection that begins at an old state, as one does whose process went on after all those commits.
            let late = try database.newConnection()
            late.current = log[0].snapshot
            #expect(try late.read { try $0.numberOfKeysInAllCollections() } == count)
            // Those that lag behind follow exactly.
            let commits = try reader.beginLongLivedReadTransaction()
            let view = try #require(reader.ext("order") as? YapDatabaseViewConnection)
            guard case .changes(let changes) = try view.outcome(for: commits, with: mappings) else {
                Issue.record("not exact")
                return
            }
            #expect(changes.rowChanges.count == count)

            // One that was dropped and registered again meanwhile is another list, although its name is in the newest state.
            try database.unregisterExtension(withName: "order")
            for number in 0..<count { try writer.readWrite { try $0.setObject(number, forKey: "000") } }
            try database.register(order, withName: "order")
            for number in 0..<count { try writer.readWrite { try $0.setObject(number, forKey: "001") } }
            let later = try reader.beginLongLivedReadTransaction()
            let again = try #require(reader.ext("order") as? YapDatabaseViewConnection)
            #expect(try again.outcome(for: later, with: mappings) == .reload)
        }
    }

    @Test func aReaderThatIsTooFarBehindLearnsOnlyThatMuchChanged() throws {
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            #expect(try reader.read { try $0.object(forKey: "k") } == nil)
            for number in 1...3 { try writer.readWrite { try $0.setObject(number, forKey: "k") } }
            // As if there had been too many commits to remember.
            database.commitLog.trim(keepingAfter: 3)
            let notifications = try reader.beginLongLivedReadTransaction()
            #expect(notifications.count == 1)
            #expect(notifications[0].userInfo?[YapDatabaseModifiedExternallyKey] as? Bool == true)
            #expect(try reader.read { try $0.object(forKey: "k") } as? Int == 3)
        }
    }
}
