import Foundation
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

@Suite(.serialized) struct FileWatchTests {
    @Test(.ends(within: 300)) func aFileThatIsGoneIsLookedForLessAndLessOften() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "log").path
            let calls = Locked(0)
            func waitForCall(after known: Int) throws {
                try waitUntil("It is called") { calls.withLock { $0 } != known }
            }
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let watch = try FileWatch.shared()
            let number = try watch.add(path) { calls.withLock { $0 += 1 } }
            defer { watch.remove(number) }
            try Data("1".utf8).append(to: path)
            try waitForCall(after: 0)
            unlink(path)
            // Its end may be told once more; then it is quiet, whatever the number of attempts: time is the subject.
            usleep(100_000)
            let known = calls.withLock { $0 }
            usleep(500_000)
            #expect(calls.withLock { $0 } <= known + 1 && known <= 5)
            // A new file of that name is watched again.
            let quiet = calls.withLock { $0 }
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try waitForCall(after: quiet)
            let before = calls.withLock { $0 }
            // What the end of the first file may still tell is not what is waited for.
            usleep(50_000)
            try Data("2".utf8).append(to: path)
            try waitForCall(after: before)
        }
    }

    /// The system ends a watch with its file, whether or not something was written to it.
    @Test func aFileThatIsRemovedWhileItIsQuietIsWatchedAgain() throws {
        try withTemporaryFolder { folder throws in
            let path = folder.appending(path: "log").path
            let calls = Locked((first: 0, second: 0))
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let watch = try FileWatch.shared()
            // Two users of one file, of which each has its answer.
            let first = try watch.add(path) { calls.withLock { $0.first += 1 } }
            let second = try watch.add(path) { calls.withLock { $0.second += 1 } }
            defer { watch.remove(second) }
            unlink(path)
            try waitUntil("both know that it is gone") { calls.withLock { $0.first > 0 && $0.second > 0 } }
            let known = calls.withLock { $0 }
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try waitUntil("both know the new one") {
                calls.withLock { $0.first > known.first && $0.second > known.second }
            }
            watch.remove(first)
            // A call that had begun may still end.
            usleep(50_000)
            let before = calls.withLock { $0 }
            try Data("2".utf8).append(to: path)
            try waitUntil("the rest") { calls.withLock { $0.second > before.second } }
            #expect(calls.withLock { $0.first } == before.first)
        }
    }

    /// A process without a free descriptor gets an error, and the database when there is one again.
    @Test func aFailureToWatchIsNotRemembered() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "t.sqlite")
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(7), &limit)
                let whole = limit.rlim_cur
                var failures = 0
                for count in 3..<64 {
                    limit.rlim_cur = rlim_t(count)
                    setrlimit(__rlimit_resource_t(7), &limit)
                    do {
                        try YapDatabase(url: url, options: .forTests).close()
                    } catch is YapDatabaseError {
                        failures += 1
                    }
                }
                limit.rlim_cur = whole
                setrlimit(__rlimit_resource_t(7), &limit)
                let database = try YapDatabase(url: url, options: .forTests)
                try database.newConnection().readWrite { try $0.setObject(failures, forKey: "k") }
                try database.close()
                if failures == 0 { throw YapDatabaseError(.cannotOpen, "The limit of descriptors was not felt.") }
            }
        }
    }
}

extension Data {
    fileprivate func append(to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: self)
    }
}
