import Foundation
import Synchronization
import Testing

@testable import YapDatabase

/// Commits of two processes are announced in the order in which they were made.
@Suite(.serialized) struct AnnouncementOrderTests {
    private static func url(of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-order-\(process)/t.sqlite")
    }

    @Test func commitsOfTwoProcessesAreAnnouncedInOrder() async throws {
        let url = Self.url(of: getpid())
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try YapDatabase(url: url, options: .forTests)
        let isDone = Atomic(false)
        let announced = database.commits
        // Readers at a pace of their own.
        for _ in 0..<3 {
            let reader = try database.newConnection()
            Thread.detachNewThread { while (try? reader.beginLongLivedReadTransaction()) != nil { usleep(50) } }
        }
        async let numbers = announced.reduce(into: [Int]()) { $0.append($1.snapshot) }
        async let written = Self.write(database, until: isDone)
        await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
        isDone.store(true, ordering: .releasing)
        let own = try await written
        let last = try database.newConnection().snapshot
        try database.close()
        let seen = await numbers
        #expect(seen.last == last)
        #expect(zip(seen, seen.dropFirst()).filter { $0 >= $1 }.map { "\($0) then \($1)" } == [])
        #expect(seen.count >= own)
        #expect(try YapDatabase.check(url: url) == [])
    }

    /// - Returns: how many commits it made.
    private static func write(_ database: YapDatabase, until isDone: borrowing Atomic<Bool>) async throws -> Int {
        var count = 0
        let connection = try database.newConnection()
        while !isDone.load(ordering: .acquiring) {
            try await connection.write { try $0.setObject(1, forKey: "own") }
            count += 1
        }
        return count
    }

    private static func writeElsewhere() throws {
        let database = try YapDatabase(url: url(of: getppid()), options: .forTests)
        let connection = try database.newConnection()
        for number in 0..<Effort.cases(800) { try connection.readWrite { try $0.setObject(number, forKey: "theirs") } }
        try database.close()
    }
}
