import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Launches that end at any moment, and other processes.
@Suite(.serialized) struct CloudCoreProcessTests {
    private static let killed = ProcessFolder("cloud-killed")
    private static let other = ProcessFolder("cloud-other")

    // MARK: Kills

    @Test func aKilledLaunchLosesNothingAndNothingIsDoneTwice() async throws {
        let folder = try Self.killed.make()
        defer { Self.killed.remove() }
        for _ in 0..<3 { await #expect(processExitsWith: .signal(SIGKILL)) { try Self.workUntilKilled() } }
        try await onThread { try Self.finish(folder) }
    }

    /// Queues operations, and completes them together with a row that says so.
    private static func workUntilKilled() throws {
        let folder = Self.killed.ofParent
        let url = folder.appending(path: "t.sqlite")
        let log = open(folder.appending(path: "done").path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        let database = try YapDatabase(url: url, options: .forTests)
        let uploads = try database.newConnection()
        let uploader = Uploader { operation, _ in
            let (uuid, label) = (operation.uuid, operation.label)
            // Never after a commit that completed it, also of an earlier launch.
            let known = (try? String(contentsOf: folder.appending(path: "done"), encoding: .utf8)) ?? ""
            if known.split(separator: "\n").contains(Substring(label)) { exit(17) }
            try? uploads.readWrite { transaction throws in
                try transaction.setObject("done", forKey: label)
                try transaction.cloud.completeOperation(with: uuid)
            }
            let line = Array("\(label)\n".utf8)
            _ = write(log, line, line.count)
        }
        try database.register(makeCloud(uploader), withName: "cloud")
        let connection = try database.newConnection()
        let start = database.snapshot
        Thread.detachNewThread {
            // Any moment will do: time is the subject.
            while database.snapshot < start + 60 { usleep(200) }
            usleep(UInt32.random(in: 0..<3_000))
            kill(getpid(), SIGKILL)
        }
        while true {
            try connection.readWrite { transaction throws in
                for _ in 0..<2 {
                    let label = UUID().uuidString
                    try transaction.setObject("queued", forKey: label)
                    try transaction.cloud.addOperation(Upload(label))
                }
            }
            usleep(500)
        }
    }

    /// The last launch does what is left.
    private static func finish(_ folder: URL) throws {
        let url = folder.appending(path: "t.sqlite")
        #expect(try YapDatabase.check(url: url) == [])
        let log = try String(contentsOf: folder.appending(path: "done"), encoding: .utf8).split(separator: "\n").map(
            String.init)
        #expect(log.count == Set(log).count && log.count > 20)
        let database = try YapDatabase(url: url, options: .forTests)
        let connection = try database.newConnection()
        func keys(_ state: String) throws -> Set<String> {
            var keys: Set<String> = []
            try connection.read { transaction throws in
                try transaction.iterateKeysAndObjects(inCollection: nil) { (key, object: String, _) in
                    if object == state { keys.insert(key) }
                }
            }
            return keys
        }
        let (queued, done) = (try keys("queued"), try keys("done"))
        #expect(Set(log).isSubset(of: done))
        let uploader = Uploader { operation, _ in
            let (uuid, label) = (operation.uuid, operation.label)
            try? connection.readWrite { transaction throws in
                try transaction.setObject("done", forKey: label)
                try transaction.cloud.completeOperation(with: uuid)
            }
        }
        let cloud = makeCloud(uploader)
        try database.register(cloud, withName: "cloud")
        try waitUntil("the queue is empty") { cloud.defaultPipeline()?.graphCount() == 0 }
        #expect(Set(uploader.started) == queued && uploader.started.count == queued.count)
        #expect(try keys("queued") == [] && keys("done") == queued.union(done))
        try database.close()
    }

    /// The same without a process that dies: the database is released while operations run.
    @Test func aReleasedDatabaseLosesNothing() async throws {
        try await onThread {
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "t.sqlite")
                let operations = (0..<4).map { Upload("\($0)") }
                let (first, second) = (Uploader(), Uploader())
                func launch(_ uploader: Uploader, _ body: (YapDatabaseConnection) throws -> Void) throws {
                    let database = try reopened(url)
                    try database.register(makeCloud(uploader), withName: "cloud")
                    try body(database.newConnection())
                }
                try launch(first) { connection in
                    try connection.readWrite { transaction throws in
                        for operation in operations { try transaction.cloud.addOperation(operation) }
                    }
                    try first.expect(["0", "1", "2", "3"], inAnyOrder: true)
                    try connection.readWrite { try $0.cloud.completeOperation(with: operations[2].uuid) }
                }
                try launch(second) { connection in
                    try second.expect(["0", "1", "3"], inAnyOrder: true)
                    #expect(try connection.read { try $0.queued } == ["default 0 0", "default 0 1", "default 0 3"])
                }
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    // MARK: Another process

    @Test func operationsOfAnotherProcessAreFollowed() async throws {
        let folder = try Self.other.make()
        defer { Self.other.remove() }
        let uploader = Uploader()
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(makeCloud(uploader), withName: "cloud")
        let connection = try database.newConnection()
        try await onThread {
            try connection.readWrite { transaction throws in
                try transaction.queue(Upload("kept"))
                try transaction.queue(Upload("gone"))
            }
        }
        await #expect(processExitsWith: .success) { try Self.queueElsewhere() }
        try await onThread {
            try uploader.expect(["kept", "gone", "elsewhere"], inAnyOrder: true)
            #expect(try connection.read { try $0.queued } == ["default 0 kept", "default 0 elsewhere"])
            #expect(try connection.read { try $0.cloud.tag(forKey: "k", withIdentifier: nil) as? String } == "t")
            let url = database.databaseURL
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private static func queueElsewhere() throws {
        let folder = Self.other.ofParent
        let uploader = Uploader()
        let cloud = makeCloud(uploader)
        cloud.suspend()
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try database.register(cloud, withName: "cloud")
        try database.newConnection().readWrite { transaction throws in
            try transaction.cloud.skipOperations { _, operation, _, _ in operation.label == "gone" }
            try transaction.cloud.insertOperation(Upload("elsewhere"), inGraph: 0)
            try transaction.cloud.setTag("t", forKey: "k", withIdentifier: nil)
        }
        try database.close()
        if uploader.started != [] { exit(18) }
    }

    @Test func aProcessThatDoesNotRegisterItKeepsTheQueue() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let uploader = Uploader()
            func launch(_ isRegistered: Bool, _ body: (YapDatabaseConnection) throws -> Void) throws {
                let database = try YapDatabase(url: url, options: .forTests)
                if isRegistered {
                    let cloud = makeCloud(uploader)
                    cloud.suspend()
                    try database.register(cloud, withName: "cloud")
                }
                try body(database.newConnection())
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
            try launch(true) { connection in
                try connection.readWrite { transaction throws in
                    try transaction.setObject(1, forKey: "k")
                    try transaction.cloud.addOperation(Upload("a"))
                    try transaction.cloud.attachCloudURI("/k", forKey: "k", inCollection: nil)
                }
            }
            try launch(false) { connection in
                try connection.readWrite { transaction throws in
                    try transaction.removeObject(forKey: "k")
                    try transaction.setObject(2, forKey: "other")
                }
            }
            try launch(true) { connection in
                try connection.read { transaction throws in
                    #expect(try transaction.queued == ["default 0 a"])
                    try transaction.cloud.enumerateAttached(forCloudURI: "/k") { key, _, _, _ in
                        Issue.record("\(key) is attached")
                    }
                }
            }
        }
    }
}
