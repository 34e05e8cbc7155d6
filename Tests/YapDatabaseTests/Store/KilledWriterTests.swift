import Foundation
import Testing

@testable import YapDatabase

/// A writer that is killed at any moment loses no committed transaction and leaves none half done.
@Suite(.serialized) struct KilledWriterTests {
    /// The parent and the child must find the same folder, and only the parent's process id is known to both.
    private static func folder(of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-killed-\(process)")
    }

    @Test func whatWasCommittedIsThereAndWhatWasNotIsGone() async throws {
        let folder = Self.folder(of: getpid())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for round in 0..<4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.writeUntilKilled() }
            try check(folder, round)
        }
        try FileManager.default.removeItem(at: folder)
    }

    /// Each transaction writes the same number into several rows and, after its commit, into a file of its own.
    private static func writeUntilKilled() throws {
        let folder = folder(of: getppid())
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
}
