import Foundation
import Testing

@testable import YapDatabase

@Suite struct MaintenanceTests {
    private func fill(_ database: YapDatabase, _ count: Int = 300) throws {
        try database.newConnection().readWrite { transaction in
            for number in 0..<count {
                try transaction.setObject(String(repeating: "x", count: 3_000), forKey: "\(number)")
            }
        }
    }

    @Test func aBackupIsOfOneStateWhileWritersGoOn() async throws {
        try await withTemporaryDatabase { database in
            try fill(database)
            let writer = try database.newConnection()
            let path = database.databaseURL.path + ".backup"
            async let written: Void = {
                for number in 0..<50 {
                    try await writer.write { transaction in
                        for key in ["a", "b"] { try transaction.setObject(number, forKey: key, inCollection: "pair") }
                    }
                }
            }()
            let error = await withCheckedContinuation { done in
                do {
                    try database.newConnection().asyncBackup(toPath: path) { done.resume(returning: $0) }
                } catch {
                    done.resume(returning: error)
                }
            }
            try await written
            #expect(error == nil)
            let copy = try YapDatabase(url: URL(filePath: path), options: .forTests)
            let pair = try await copy.newConnection().read { transaction in
                try ["a", "b"].map { try transaction.object(forKey: $0, inCollection: "pair") as? Int }
            }
            #expect(pair[0] == pair[1])
            try copy.close()
        }
    }

    @Test func aCancelledBackupLeavesNoFile() async throws {
        try await withTemporaryDatabase { database in
            try fill(database)
            let path = database.databaseURL.path + ".backup"
            let connection = try database.newConnection()
            let error = await withCheckedContinuation { done in
                let (hold, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                connection.asyncRead({ _ in
                    release.signal()
                    hold.wait()
                })
                release.wait()
                connection.asyncBackup(toPath: path) { done.resume(returning: $0) }.cancel()
                hold.signal()
            }
            #expect((error as? CocoaError)?.code == .userCancelled)
            let folder = database.databaseURL.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("backup") })
        }
    }

    @Test func anAwaitedBackupIsWholeAndACancelledOneLeavesNoFile() async throws {
        try await withTemporaryDatabase { database in
            try fill(database)
            let path = database.databaseURL.path + ".backup"
            let connection = try database.newConnection()
            let progress = Progress(totalUnitCount: -1)
            try await connection.backup(toPath: path, progress: progress)
            #expect(progress.isFinished)
            #expect(try YapDatabase.check(url: URL(filePath: path)) == [])
            try FileManager.default.removeItem(atPath: path)

            let hold = DispatchSemaphore(value: 0)
            connection.asyncRead({ _ in hold.wait() })
            let task = Task { try await connection.backup(toPath: path) }
            task.cancel()
            hold.signal()
            await #expect(throws: CancellationError.self) { try await task.value }
            let folder = database.databaseURL.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("backup") })
            try await connection.vacuum()
            #expect(try await connection.read { try $0.numberOfKeysInAllCollections() } == 300)
        }
    }

    @Test func vacuumKeepsEveryRow() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            try fill(database)
            let connection = try database.newConnection()
            try connection.vacuum()
            #expect(try connection.read { try $0.numberOfKeysInAllCollections() } == 300)
            #expect(try connection.read { ($0.ext("recorder") as? RecordingTransaction)?.rows } == 300)
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
        }
    }

    @Test func readersDoNotTakeAVacuumForAForeignCommit() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(), withName: "recorder")
            try fill(database, 3)
            let isDone = Locked(false)
            let reader = try database.newConnection()
            let others = DispatchGroup()
            let seen = Locked<[Int?]>([])
            DispatchQueue.global().async(group: others) {
                while !isDone.withLock({ $0 }) {
                    let rows = try? reader.read { ($0.ext("recorder") as? RecordingTransaction)?.rows }
                    seen.withLock { $0.append(rows ?? nil) }
                }
            }
            let connection = try database.newConnection()
            try waitUntil("200 reads") {
                try connection.vacuum()
                return seen.withLock { $0.count >= 200 }
            }
            isDone.withLock { $0 = true }
            try others.wait(for: "The reader has ended")
            #expect(Set(seen.withLock { $0 }) == [3])
        }
    }

    @Test func flushedMemoryIsReadAgain() throws {
        try withTemporaryDatabase { database throws in
            try fill(database, 3)
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            let before = try connection.read { try $0.object(forKey: "1") } as? String
            try connection.flushMemory(with: .all)
            #expect(try connection.read { try $0.object(forKey: "1") } as? String == before)
        }
    }

    @Test func connectionsBeginWithTheDefaults() throws {
        try withTemporaryDatabase { database throws in
            database.connectionDefaults.objectCacheLimit = 7
            database.connectionDefaults.metadataCacheEnabled = false
            let connection = try database.newConnection()
            #expect(connection.objectCacheLimit == 7 && !connection.metadataCacheEnabled)
            connection.objectCacheEnabled = false
            #expect(!connection.objectCacheEnabled)
            try connection.readWrite { try $0.setObject("x", forKey: "k", withMetadata: "m") }
            #expect(try connection.read { try $0.metadata(forKey: "k") } as? String == "m")
            #expect(try database.newConnection(YapDatabaseConnectionConfig()).objectCacheLimit == 250)
        }
    }

    @Test func pragmasSayHowTheFileIsKept() throws {
        var options = YapDatabaseOptions.forTests
        options.pragmaPageSize = 8192
        options.pragmaMMapSize = 1 << 20
        try withTemporaryDatabase(options: options) { database throws in
            let connection = try database.newConnection()
            #expect(try connection.pragmaPageSize() == 8192 && connection.pragmaMMapSize() == 1 << 20)
            #expect(try connection.pragmaAutoVacuum() == 1 && connection.pragmaSynchronous() == 0)
        }
    }

    @Test func theSequenceOfCommitsTellsOfEachAndEnds() async throws {
        try await withTemporaryDatabase { database in
            let commits = database.commits
            let connection = try database.newConnection()
            for number in 1...3 { try await connection.write { try $0.setObject(number, forKey: "k\(number)") } }
            try database.close()
            var seen: [String] = []
            for await commit in commits {
                let changed = (1...3).filter { commit.hasChange(forKey: "k\($0)") }
                seen.append("\(commit.snapshot): \(changed)")
            }
            #expect(seen == ["1: [1]", "2: [2]", "3: [3]"])
        }
    }
}
