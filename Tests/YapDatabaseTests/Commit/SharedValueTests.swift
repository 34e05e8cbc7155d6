import Foundation
import ListChanges
import Testing

@testable import YapDatabase

/// Values that connections hand to each other, while one of them stays on an old state.
@Suite struct SharedValueTests {
    private func commit(_ number: Int, bytes: Int = 0) -> Commit {
        let row = CacheUpdate(
            object: SharedValue(value: number, size: bytes / 2), metadata: SharedValue(value: 0, size: bytes / 2))
        return Commit(
            snapshot: Snapshot(version: .init(number: number, change: UInt32(number))),
            shared: bytes == 0 ? [:] : [RowKey(collection: "c", key: "k"): row])
    }

    private func numbersWithValues(_ log: CommitLog) -> [Int] {
        (0..<20).filter { log.commit($0)?.shared.isEmpty == false }
    }

    @Test func theValuesOfTheOldestCommitsGo() {
        let third = CommitLog.sharedLimit / 3
        let log = CommitLog(base: commit(0))
        for number in 1...5 { log.publish(commit(number, bytes: number == 2 ? 0 : third)) }
        log.confirm()
        log.trim(keepingAfter: 0)
        #expect(numbersWithValues(log) == [3, 4, 5] && log.commits(after: 0, through: 5)?.count == 5)
        let failed = commit(6, bytes: third)
        log.publish(failed)
        log.withdraw(failed)
        log.trim(keepingAfter: 1)
        #expect(numbersWithValues(log) == [3, 4, 5])
        // Dropped values no longer count, and share nothing with connections that still have them.
        let forgotten = log.commit(4)
        log.trim(keepingAfter: 4)
        for number in 6...7 { log.publish(commit(number, bytes: third)) }
        log.trim(keepingAfter: 4)
        #expect(numbersWithValues(log) == [5, 6, 7] && forgotten?.shared.isEmpty == true)
        log.publish(commit(8, bytes: 2 * CommitLog.sharedLimit))
        log.trim(keepingAfter: 4)
        #expect(numbersWithValues(log) == [])
        log.confirm()
        _ = log.adopt(commit(12), after: log.tip)
        log.publish(commit(13, bytes: third))
        log.trim(keepingAfter: 11)
        #expect(numbersWithValues(log) == [13])
    }

    private func text(_ number: Int) -> String { String(repeating: "\(number % 10)", count: 300_000) }

    @Test func sharedValuesTakeLittleHoweverManyCommitsAReaderIsBehind() throws {
        try withTemporaryDatabase { database throws in
            database.setObjectPolicy(.share, forCollection: "c")
            let (idle, frozen) = (try database.newConnection(), try database.newConnection())
            let writer = try database.newConnection()
            func write(_ number: Int) throws {
                try writer.readWrite { try $0.setObject(text(number), forKey: "k", inCollection: "c") }
            }
            func value(_ connection: YapDatabaseConnection) throws -> String? {
                try connection.read { try $0.object(forKey: "k", inCollection: "c") as? String }
            }
            try write(0)
            for connection in [idle, frozen] { #expect(try value(connection) == text(0)) }
            try frozen.beginLongLivedReadTransaction()
            for number in 1...60 { try write(number) }

            let commits = try #require(database.commitLog.commits(after: 1, through: 61))
            let bytes = commits.reduce(0) {
                $0 + $1.shared.values.reduce(0) { $0 + ($1.object?.value as! String).utf8.count }
            }
            #expect(bytes > 0 && bytes <= 4 << 20)
            #expect(try value(frozen) == text(0))
            #expect(try value(idle) == text(60))
            let passed = try frozen.beginLongLivedReadTransaction()
            #expect(passed.count == 60 && frozen.hasChange(forKey: "k", inCollection: "c", in: passed))
            #expect(try value(frozen) == text(60))
        }
    }
}
