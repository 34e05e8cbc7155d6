import Foundation
import Testing

@testable import YapDatabase

@Suite struct RegistrationTests {
    private func lines(_ commit: Commit?, _ name: String = "recorder") -> [String]? {
        (commit?.logs[name] as? RecordingExtension.Log)?.lines
    }

    @Test func anExtensionHearsOfEveryWrite() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                try transaction.setObject(1, forKey: "a", inCollection: "c")
                try transaction.setObject(2, forKey: "a", inCollection: "c")
                try transaction.replace(3, forKey: "a", inCollection: "c")
                try transaction.replaceMetadata(3, forKey: "a", inCollection: "c")
                try transaction.touchRow(forKey: "a", inCollection: "c")
                try transaction.setObject(1, forKey: "b", inCollection: "c")
                try transaction.removeObjects(forKeys: ["a", "b", "z"], inCollection: "c")
                try transaction.removeObject(forKey: "z", inCollection: "c")
                try transaction.setObject(1, forKey: "d", inCollection: "c")
                try transaction.removeAllObjects(inCollection: "c")
                try transaction.removeAllObjects(inCollection: "c")
                try transaction.setObject(1, forKey: "e")
                try transaction.removeAllObjectsInAllCollections()
            }
            #expect(
                lines(database.commitLog.commit(2)) == [
                    "insert c/a", "update c/a 3", "update c/a 1", "update c/a 2", "touch c/a 3", "insert c/b",
                    "remove c/a c/b", "insert c/d", "remove c/d", "insert e", "remove all",
                ])
        }
    }

    @Test func anExtensionWithoutHooksDerivesNothing() throws {
        try withTemporaryDatabase { database throws in
            let plain = SilentExtension()
            try database.register(plain, withName: "plain")
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "a", inCollection: "c") }
            try connection.read { #expect($0.ext("plain")?.name == "plain") }
            #expect(database.registeredExtension("plain") === plain)
            #expect(database.commitLog.commit(2)?.logs.isEmpty == true)
            try database.unregisterExtension(withName: "plain")
            #expect(database.registeredExtension("plain") == nil)
        }
    }

    @Test func theStateBelongsToTheSnapshot() throws {
        try withTemporaryDatabase { database throws in
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try writer.readWrite { try $0.setObject(1, forKey: "a") }
            try reader.beginLongLivedReadTransaction()
            try database.register(RecordingExtension(), withName: "recorder")
            func rows(_ connection: YapDatabaseConnection) throws -> Int? {
                try connection.read { ($0.ext("recorder") as? RecordingTransaction)?.rows }
            }
            #expect(try rows(reader) == nil && reader.ext("recorder") == nil)
            try reader.beginLongLivedReadTransaction()
            #expect(try rows(reader) == 1 && reader.ext("recorder") != nil)
            try writer.readWrite { transaction throws in
                try transaction.setObject(1, forKey: "b")
                #expect((transaction.ext("recorder") as? RecordingTransaction)?.rows == 2)
            }
            #expect(try rows(reader) == 1)
            #expect(try rows(writer) == 2)
        }
    }

    @Test func namesAreGivenOnceAndDependenciesHold() throws {
        try withTemporaryDatabase { database throws in
            expectError(.badExtension, mentioning: "parent") {
                try database.register(RecordingExtension(needs: ["parent"]), withName: "child")
            }
            try database.register(RecordingExtension(), withName: "parent")
            try database.register(RecordingExtension(needs: ["parent"]), withName: "child")
            expectError(.badExtension) { try database.register(RecordingExtension(), withName: "parent") }
            expectError(.badExtension, mentioning: "child") { try database.unregisterExtension(withName: "parent") }
            #expect(Set(database.registeredExtensions().keys) == ["parent", "child"])
            try database.unregisterExtension(withName: "child")
            try database.unregisterExtension(withName: "parent")
            #expect(database.registeredExtensions().isEmpty && database.registeredExtension("parent") == nil)
            #expect(try database.previouslyRegisteredExtensionNames() == [])
        }
    }

    @Test func anExtensionInMemoryLeavesNothingInTheFile() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(isPersistent: false), withName: "recorder")
            #expect(database.registeredExtension("recorder") != nil)
            #expect(try database.previouslyRegisteredExtensionNames() == [])
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "a") }
            #expect(try connection.read { ($0.ext("recorder") as? RecordingTransaction)?.rows } == 1)
        }
    }

    @Test func whyARegistrationFailedIsToldWhereTheAnswerIsYesOrNo() async throws {
        var options = YapDatabaseOptions.forTests
        let errors = Locked<[String]>([])
        options.asyncErrorHandler = { error in errors.withLock { $0.append("\(error)") } }
        try await withTemporaryDatabase(options: options) { database in
            func register(_ name: String, cancelled: Bool = false) async -> Bool {
                await withCheckedContinuation { done in
                    let hold = DispatchSemaphore(value: 0)
                    database.registrations.async { hold.wait() }
                    let progress = database.asyncRegister(Item.view(), withName: name) { (ready: Bool) in
                        done.resume(returning: ready)
                    }
                    if cancelled { progress.cancel() }
                    hold.signal()
                }
            }
            #expect(await register("items", cancelled: true) == false)
            #expect(errors.withLock { $0 } == [])
            #expect(await register("items"))
            #expect(await register("items") == false)
            #expect(errors.withLock { $0.count } == 1 && errors.withLock { $0[0].contains("items") })
        }
    }

    @Test func registeringLaterAnswersOnTheMainQueue() async throws {
        try await withTemporaryDatabase { database in
            let answers = await withCheckedContinuation { continuation in
                database.asyncRegister(RecordingExtension(), withName: "recorder") { (ready: Bool) in
                    database.asyncRegister(RecordingExtension(), withName: "recorder") { again in
                        continuation.resume(returning: [ready, again, isOnMainQueue()])
                    }
                }
            }
            #expect(answers == [true, false, true])
        }
    }
}
