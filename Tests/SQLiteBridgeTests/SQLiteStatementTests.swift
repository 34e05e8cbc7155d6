import Foundation
import SQLiteBridge
import Testing

@Suite final class SQLiteStatementTests {
    private let handle: SQLiteHandle

    init() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString)")
        handle = try SQLiteHandle(path: file.path, mode: .create)
        try handle.execute("CREATE TABLE t (a, b)")
    }

    deinit { try? FileManager.default.removeItem(atPath: handle.path) }

    @Test func moreBytesThanSQLiteCountsAreAnError() throws {
        let insert = try handle.statement("INSERT INTO t VALUES (?, ?)")
        defer { insert.reset() }
        // Addresses without memory: a refused value is not read.
        let count = Int(Int32.max) + 1
        let start = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        defer { munmap(start, count) }
        do {
            try insert.bind(borrowing: UnsafeRawBufferPointer(start: start, count: count), at: 1)
            Issue.record("a value of \(count) bytes was taken")
        } catch let error as SQLiteError {
            #expect(error.code == SQLiteError.tooBig)
        }
    }

    @Test func everyKindOfValueComesBackAsItWasBound() throws {
        let insert = try handle.statement("INSERT INTO t VALUES (?, ?)")
        func store(_ bind: (SQLiteStatement) throws -> Void) throws {
            try bind(insert)
            try insert.run()
            insert.reset()
        }
        try store { try $0.bind(Int64.min, at: 1) }
        try store { try $0.bind(0.1, at: 1) }
        try store { try $0.bind("a\0é", at: 1) }
        try store { try $0.bind("", at: 1) }
        try store { try $0.bind([1, 2], at: 1) }
        try store { try $0.bind([UInt8](), at: 1) }
        try store { try $0.bind(nil, at: 1) }

        let select = try handle.statement("SELECT a FROM t ORDER BY rowid")
        defer { select.reset() }
        func next() throws -> SQLiteType {
            #expect(try select.step())
            return select.type(at: 0)
        }
        #expect(try next() == .integer && select.int64(at: 0) == Int64.min)
        #expect(try next() == .real && select.double(at: 0) == 0.1)
        #expect(try next() == .text && select.text(at: 0) == "a\0é")
        #expect(try next() == .text && select.text(at: 0) == "")
        #expect(try next() == .blob && select.withBlob(at: 0) { $0.map(Array.init) } == [1, 2])
        #expect(try next() == .blob && select.withBlob(at: 0) { $0.map(Array.init) } == [])
        #expect(try next() == .null && select.withBlob(at: 0) { $0 == nil } && select.text(at: 0) == nil)
        #expect(try select.step() == false)
    }

    @Test func resetForgetsTheParameters() throws {
        let select = try handle.statement("SELECT ?")
        try select.bind("x", at: 1)
        select.reset()
        #expect(try select.step() && select.isNull(at: 0))
        select.reset()
    }

    @Test func oneTextUsedTwiceAtOnceIsTwoStatements() throws {
        try handle.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
        let outer = try handle.statement("SELECT a FROM t ORDER BY a")
        var seen: [[Int64]] = []
        var twins: Set<ObjectIdentifier> = []
        while try outer.step() {
            let inner = try handle.statement("SELECT a FROM t ORDER BY a")
            #expect(inner !== outer)
            twins.insert(ObjectIdentifier(inner))
            while try inner.step() { seen.append([outer.int64(at: 0), inner.int64(at: 0)]) }
            inner.reset()
        }
        outer.reset()
        #expect(seen == [[1, 1], [1, 2], [2, 1], [2, 2]])
        // Both are used again, and no third is created.
        let again = try (0..<2).map { _ in ObjectIdentifier(try handle.statement("SELECT a FROM t ORDER BY a")) }
        #expect(Set(again) == twins.union([ObjectIdentifier(outer)]) && twins.count == 1)
    }

    /// Swift's texts are equal, SQLite's literals and names are not.
    @Test func textsThatDifferInTheirFormAloneAreTwoStatements() throws {
        let handle = try SQLiteHandle(path: "", mode: .memory)
        for _ in 0..<3 {
            for word in ["caf\u{e9}", "cafe\u{301}"] {
                let statement = try handle.statement("SELECT '\(word)'")
                #expect(try statement.step())
                #expect(statement.text(at: 0).map { Array($0.utf8) } == Array(word.utf8))
                statement.reset()
            }
        }
    }

    @Test func anErrorCarriesCodeMessageAndText() throws {
        #expect {
            try handle.execute("SELECT absent FROM t")
        } throws: { error in
            let error = error as? SQLiteError
            return error?.code == 1 && error?.message == "no such column: absent"
                && error?.sql == "SELECT absent FROM t"
        }
    }
}
