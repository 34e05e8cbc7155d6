import FileEngine
import Foundation
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

/// Lists whose statement stays in the middle of its run.
@Suite struct StatementOrderTests {
    private static let sql = #"SELECT "rowid" FROM "database2""#

    /// A list that is gone in the middle leaves nothing that others meet, whichever thread had it last.
    @Test func aListThatIsGoneInTheMiddleEndsWithTheNext() throws {
        try withSnapshot { snapshot, rowids throws in
            for number in 0..<4 {
                let list = Locked<StatementOrder?>(StatementOrder(Self.sql))
                #expect(try snapshot.work { try list.withLock { $0 }?.loadMore($0) } == true)
                let other = DispatchQueue(label: "the last one that has the list")
                if number % 2 == 0 { other.sync { list.withLock { $0 = nil } } } else { list.withLock { $0 = nil } }
                let next = StatementOrder(number < 2 ? Self.sql : Self.sql + #" ORDER BY "rowid""#)
                while try snapshot.work(next.loadMore) {}
                let found = try snapshot.work { try next.rowids(in: 0..<next.count.known, $0) }
                #expect(found == (number < 2 ? rowids : rowids.sorted()))
            }
        }
    }

    /// What was found when SQLite was interrupted is not in the list, so it is read again.
    @Test func anInterruptedListGoesOnWhereItWas() throws {
        try withSnapshot { snapshot, rowids throws in
            let order = StatementOrder(Self.sql)
            let questions = Locked(0)
            try snapshot.work { store throws in
                #expect(try order.loadMore(store))
                store.handle.cancelStatements {
                    questions.withLock { count in
                        count += 1
                        return count > 1
                    }
                }
                #expect(throws: YapDatabaseError.self) { while try order.loadMore(store) {} }
                store.handle.cancelStatements(when: nil)
                #expect(order.count.known < rowids.count)
                while try order.loadMore(store) {}
                #expect(try order.rowids(in: 0..<order.count.known, store) == rowids)
            }
        }
    }

    /// - Parameter body: receives the rowids of all rows, some 35,000.
    private func withSnapshot(_ body: (FileSnapshot, [Int64]) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "rows.sqlite")
            let database = try YapDatabase(url: url)
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<35_000 {
                    try transaction.setObject("x", forKey: "\(number)", inCollection: "rows")
                }
            }
            try database.close()
            let snapshot = try BrowsedFile(path: url.path).snapshot
            let rowids = try snapshot.read { try $0.all(Self.sql, read: { $0.int64(at: 0) }) }
            #expect(rowids.count == 35_000)
            try body(snapshot, rowids)
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
