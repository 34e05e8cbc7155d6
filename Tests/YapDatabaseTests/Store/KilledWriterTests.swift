import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// A writer that is killed at any moment loses no committed transaction and leaves none half done.
@Suite(.serialized) struct KilledWriterTests {
    private static let folder = ProcessFolder("killed")
    private static let stoppedFolder = ProcessFolder("stopped")

    @Test func whatWasCommittedIsThereAndWhatWasNotIsGone() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        for round in 0..<4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.writeUntilKilled() }
            try check(folder, round)
        }
    }

    /// Each transaction writes the same number into several rows and, after its commit, into a file of its own.
    private static func writeUntilKilled() throws {
        let folder = Self.folder.ofParent
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try database.register(RecordingExtension(), withName: "recorder")
        let connection = try database.newConnection()
        let progress = open(folder.appending(path: "committed").path, O_WRONLY | O_CREAT, 0o644)
        let start = database.snapshot
        Thread.detachNewThread {
            // Any moment will do: in a commit, in a checkpoint, or between two.
            while database.snapshot < start + 30 { usleep(200) }
            usleep(UInt32.random(in: 0..<3_000))
            kill(getpid(), SIGKILL)
        }
        while true {
            var number = database.snapshot + 1
            try connection.readWrite { transaction in
                for key in 0..<20 { try transaction.setObject("\(number)", forKey: "\(key)") }
                try transaction.setObject(
                    String(repeating: "x", count: 5_000), forKey: "n\(number)", inCollection: "all")
            }
            pwrite(progress, &number, 8, 0)
        }
    }

    private func check(_ folder: URL, _ round: Int) throws {
        let url = folder.appending(path: "t.sqlite")
        let progress = try Data(contentsOf: folder.appending(path: "committed"))
        let reported = progress.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
        #expect(reported >= 30 * (round + 1))
        #expect(try YapDatabase.check(url: url) == [])
        let database = try YapDatabase(url: url, options: .forTests)
        try database.newConnection().read { transaction throws in
            let number = try #require(try transaction.object(forKey: "0") as? String)
            #expect(Int(number) == transaction.snapshot.number && transaction.snapshot.number >= reported)
            for key in 0..<20 { #expect(try transaction.object(forKey: "\(key)") as? String == number) }
            #expect(try transaction.hasObject(forKey: "n\(reported)", inCollection: "all"))
        }
        try database.close()
    }

    /// A writer that stands still in the middle of its transaction, and then dies there.
    @Test func aStoppedWriterBlocksNoReaderAndADeadOneBlocksNothing() async throws {
        let folder = try Self.stoppedFolder.make()
        defer { Self.stoppedFolder.remove() }
        let url = folder.appending(path: "t.sqlite")
        var options = YapDatabaseOptions.forTests
        options.busyTimeout = 100
        let database = try YapDatabase(url: url, options: options)
        let (reader, writer) = (try database.newConnection(), try database.newConnection())
        try await writer.write { try $0.setObject("whole", forKey: "k") }
        async let stopped: Void = {
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.writeAndStop() }
        }()
        let process = try await Self.process(in: folder)
        try reader.beginLongLivedReadTransaction()
        #expect(try await reader.read { try $0.object(forKey: "k") as? String } == "whole")
        let refused = await #expect(throws: YapDatabaseError.self) {
            try await writer.write { try $0.setObject("late", forKey: "k") }
        }
        #expect(refused?.code == .locked)
        #expect(kill(process, SIGKILL) == 0)
        await stopped
        try await writer.write { transaction in
            #expect(try transaction.numberOfKeysInAllCollections() == 1)
            try transaction.setObject("after", forKey: "k")
        }
        try reader.beginLongLivedReadTransaction()
        #expect(try await reader.read { try $0.object(forKey: "k") as? String } == "after")
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func writeAndStop() throws {
        let folder = Self.stoppedFolder.ofParent
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try database.newConnection().readWrite { transaction in
            for number in 0..<2_000 { try transaction.setObject("half", forKey: "half \(number)") }
            try Data("\(getpid())".utf8).write(to: folder.appending(path: "process"), options: .atomic)
            // Repeated in case something wakes it: only its death ends it.
            while true { kill(getpid(), SIGSTOP) }
        }
    }

    /// The number of the process that has stopped.
    private static func process(in folder: URL) async throws -> pid_t {
        let file = folder.appending(path: "process").path
        var patience = Patience()
        while patience.next() {
            if let text = FileManager.default.contents(atPath: file),
                let process = pid_t(String(decoding: text, as: UTF8.self))
            {
                let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                if status.contains(") T ") { return process }
            }
            try await Task.sleep(for: .milliseconds(Patience.milliseconds))
        }
        throw WaitedTooLong(description: "The process did not stop itself.")
    }
}
