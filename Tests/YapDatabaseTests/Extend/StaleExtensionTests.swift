import Foundation
import Testing

@testable import YapDatabase

/// Extensions that the file remembers and no process registers.
@Suite struct StaleExtensionTests {
    /// Opens the file, does something, closes it; returns what the extension hears at its next registration.
    private func heardAfter(_ between: (YapDatabase) throws -> Void) throws -> String? {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            func launch<Value>(_ body: (YapDatabase) throws -> Value) throws -> Value {
                let database = try YapDatabase(url: url, options: .forTests)
                let value = try body(database)
                try database.close()
                return value
            }
            func register(_ database: YapDatabase) throws -> String? {
                try database.register(RecordingExtension(tag: "7"), withName: "recorder")
                let log = database.commitLog.commit(database.snapshot)?.logs["recorder"]
                return (log as? RecordingExtension.Log)?.lines.first
            }
            #expect(try launch(register) == "register after nothing")
            try launch(between)
            let heard = try launch(register)
            #expect(try launch(register) == "register after 7 stale:false")
            return heard
        }
    }

    @Test func aDormantExtensionIsUnchangedWhileNoRowChanges() throws {
        let heard = try heardAfter { database in
            try database.newConnection().readWrite { transaction in
                try transaction.removeObject(forKey: "absent")
                try transaction.touchRow(forKey: "absent")
            }
        }
        #expect(heard == "register after 7 stale:false")
    }

    @Test func aDormantExtensionIsMarkedStaleWhenARowChanges() throws {
        let heard = try heardAfter { try $0.newConnection().readWrite { try $0.setObject(1, forKey: "k") } }
        #expect(heard == "register after stale:7 stale:true")
    }

    @Test func theMarkIsNotMadeTwice() throws {
        let heard = try heardAfter { database in
            let connection = try database.newConnection()
            for number in 1...3 { try connection.readWrite { try $0.setObject(number, forKey: "k") } }
        }
        #expect(heard == "register after stale:7 stale:true")
    }

    @Test func aRolledBackWriteMarksNothing() throws {
        let heard = try heardAfter { database in
            try database.newConnection().readWrite { transaction in
                try transaction.setObject(1, forKey: "k")
                transaction.rollback()
            }
        }
        #expect(heard == "register after 7 stale:false")
    }

    @Test func contentOfTheUsersOwnKeepsItsTag() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                try transaction.store.setRegisteredExtension(
                    RegisteredExtension(className: "YapDatabaseManualView", classVersion: 3, versionTag: "m"),
                    name: "manual")
                transaction.dormant = ["manual"]
            }
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
            try connection.read { transaction throws in
                let manual = try transaction.store.registeredExtension("manual")
                // It is kept right instead: DormantContentTests.
                #expect(manual?.versionTag == "m" && manual?.isStale == false)
            }
            try database.unregisterExtension(withName: "manual")
        }
    }
}
