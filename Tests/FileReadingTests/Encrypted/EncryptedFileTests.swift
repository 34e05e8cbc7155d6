import FileReading
import Foundation
import PageCipher
import SQLiteBridge
import Testing
import YapDatabase

@Suite struct EncryptedFileTests {
    @Test(arguments: EncryptedBooks.all.map(\.name))
    func everyFileHasTheRowsOfThePlainOne(name: String) throws {
        let plain = try rows(originalFile("books").path)
        #expect(plain.count == 481)
        try unlocked(name) { file, books throws in
            let found = try rows(file.path)
            #expect(found == plain.filter { !books.hasLog || !$0.contains("book-001") })
            // The row was deleted by SQLCipher alone, without the views.
            #expect(try YapDatabase.check(url: file).allSatisfy { books.hasLog && $0.canBeRebuilt })
            #expect(try EncryptedFile.damagedPages(file.path) == [])
        }
    }

    /// Each page has its own code: whichever bit is wrong, its page is named, and no other.
    @Test(arguments: EncryptedBooks.all.filter(\.hasCodes).map(\.name))
    func aFlippedBitIsNamedByItsPage(name: String) throws {
        try unlocked(name) { file, books throws in
            let bytes = try Data(contentsOf: file)
            let inLog: Set<Int> = books.hasLog ? try logPages(file, books.pageSize) : []
            let count = bytes.count / books.pageSize
            for page in Effort.isFull ? Array(1...count) : Array(Set([1, 2, 3, count / 2, count - 1, count])) {
                guard !inLog.contains(page) else { continue }
                var damaged = bytes
                // Behind what is in the clear: the salt or a header.
                let place = (page - 1) * books.pageSize + 64 + page % (books.pageSize - 128)
                damaged[place] ^= 1 << UInt8(page % 8)
                try write(damaged, to: file)
                #expect(try EncryptedFile.damagedPages(file.path) == [page])
            }
        }
    }

    @Test func aDamagedPageIsNamedWhereItIsRead() throws {
        try unlocked("books-v4") { file, books throws in
            var bytes = try Data(contentsOf: file)
            bytes[100] ^= 1
            try write(bytes, to: file)
            #expect { _ = try BrowsedFile(path: file.path) } throws: {
                ($0 as? YapDatabaseError)?.message.contains("page 1 is damaged") == true
            }
        }
    }

    @Test func aDamagedFrameOfTheLogIsNamedByItsPage() throws {
        try unlocked("books-v4-log") { file, books throws in
            let log = URL(filePath: file.path + "-wal")
            var bytes = try Data(contentsOf: log)
            bytes[32 + 24 + 200] ^= 1
            try write(bytes, to: log)
            let page = try #require(logPages(file, books.pageSize).first)
            // SQLite ends a log where its sums end, so the file's own copy counts again.
            #expect(try EncryptedFile.damagedPages(file.path).isEmpty, "page \(page)")
            #expect(try rows(file.path).count == 481)
        }
    }

    @Test func aFileThatWasUnlockedIsOnlyRead() throws {
        try unlocked("books-v4") { file, _ throws in
            #expect(throws: YapDatabaseError.self) { try YapDatabase(url: file) }
            let before = try Data(contentsOf: file)
            #expect(throws: (any Error).self) {
                try SQLiteHandle(path: file.path, mode: .readOnly).execute("DELETE FROM database2")
            }
            #expect(try Data(contentsOf: file) == before)
        }
    }

    /// What a person learns who has the key and no more than some of the file.
    @Test(arguments: [1, 3, 20]) func aCutFileShowsTheRowsThatAreLeft(pages: Int) throws {
        try unlocked("books-v4") { file, books throws in
            try write(Data(contentsOf: file).prefix(books.pageSize * 62 - books.pageSize * pages), to: file)
            let browsed = try BrowsedFile(path: file.path)
            #expect(browsed.isPartial)
        }
    }

    private func unlocked(_ name: String, _ body: (URL, EncryptedBooks) throws -> Void) throws {
        let books = EncryptedBooks.named(name)
        try books.withCopy { file throws in
            let settings = try books.settings.isEmpty ? CipherSettings() : CipherSettings(books.settings)
            try EncryptedFile.unlock(file.path, key: FileKey(Array(books.key.utf8)), settings: settings)
            try body(file, books)
        }
    }

    /// Keeps the inode, as damage does.
    private func write(_ bytes: Data, to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    private func logPages(_ file: URL, _ pageSize: Int) throws -> Set<Int> {
        let log = try [UInt8](Data(contentsOf: URL(filePath: file.path + "-wal")))
        return Set(
            stride(from: 32, to: log.count - pageSize, by: 24 + pageSize).map { place in
                log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            })
    }

    private func rows(_ path: String) throws -> [String] {
        let file = try BrowsedFile(path: path)
        return try file.snapshot.read { store in
            try store.all("SELECT rowid, collection, key, hex(data), hex(metadata) FROM database2 ORDER BY rowid") {
                row in
                (0..<5).map { row.text(at: $0) ?? "NULL" }.joined(separator: "|")
            }
        }
    }
}
