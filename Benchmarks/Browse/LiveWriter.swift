import Foundation
import YapDatabase

/// A program that commits a hundred times a second, with SQLite alone and its default settings.
final class LiveWriter: Sendable {
    static let rate = 100.0

    private let path: String
    private let rows: Int
    private let isOver = Locked(false)
    private let commits = Locked(0)
    private let failure = Locked<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Writes to a file that `BrowsedRows` made, with this number of rows.
    init(_ path: String, rows: Int) {
        self.path = path
        self.rows = rows
    }

    func start() {
        Thread {
            do {
                try self.write()
            } catch {
                self.failure.set(error)
            }
            self.ended.signal()
        }.start()
    }

    /// Stops writing.
    /// - Returns: the number of commits.
    func stop() throws -> Int {
        isOver.set(true)
        ended.wait()
        if let error = failure.value { throw error }
        return commits.value
    }

    private func write() throws {
        let handle = try RawHandle(URL(filePath: path), setup: ["PRAGMA wal_autocheckpoint = 1000"])
        let insert = try handle.prepare(
            "INSERT INTO database2 (collection, key, data) VALUES ('messages', 'message-' || ?, '{\"text\":\"new\"}')")
        let update = try handle.prepare("UPDATE database2 SET data = '{\"text\":\"changed\"}' WHERE rowid = ?")
        let count = try handle.prepare("UPDATE yap2 SET data = data + 1 WHERE \"key\" = 'snapshot'")
        let start = Time.passed
        var number = 0
        while !isOver.value {
            try handle.inTransaction {
                try insert.run("new-\(number)")
                try update.run(Int64(1 + number * 7919 % rows))
                try count.run()
            }
            number += 1
            commits.set(number)
            usleep(UInt32(max(0, start + Double(number) / Self.rate - Time.passed) * 1e6))
        }
    }
}
