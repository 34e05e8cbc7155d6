import FileEngine
import FileReading
import Foundation
import PageCipher
import Testing

/// An encrypted file is followed while its app stores it in another way.
@Suite struct ChangedKeyTests {
    /// Another salt and other settings with the same passphrase; nothing encrypted; and back again.
    @Test(arguments: [true, false]) func theKeyThatIsKnownIsTriedAgain(inPlace: Bool) throws {
        try followed { file, browsed throws in
            for name in ["encrypted/books-v3", "books", "encrypted/books-v2", "encrypted/books-v4"] {
                try replace(file, with: stored(name), inPlace: inPlace)
                let advance = try #require(try browsed.step().prepare(), "\(name)")
                _ = browsed.advance(advance, lists: [])
                let count = try browsed.snapshot.read {
                    try $0.first("SELECT count(*) FROM database2") { $0.int64(at: 0) }
                }
                #expect(count == 481, "\(name)")
                #expect(EncryptedFile.isUnlocked(file.path) == (name != "books"))
            }
        }
    }

    /// What cannot be read says what the reason is.
    @Test(arguments: [true, false]) func anotherKeyAndADamagedPageAreTwoMessages(inPlace: Bool) throws {
        var damaged = try stored("encrypted/books-v4")
        damaged[2_000] ^= 1
        // Its key is made in a way that no one can guess.
        let other = try stored("encrypted/books-sha256")
        for (bytes, words) in [(other, "The key no longer fits"), (damaged, "page 1 is damaged")] {
            try followed { file, browsed throws in
                try replace(file, with: bytes, inPlace: inPlace)
                let error = #expect(throws: YapDatabaseError.self) { try browsed.step().prepare() }
                #expect(error?.message.contains(words) == true, "\(String(describing: error))")
            }
        }
    }

    /// To SQLite an empty file is a database, in which there is nothing.
    @Test(arguments: ["encrypted/books-v4", "books"]) func aFileThatWasEmptiedSaysSo(name: String) throws {
        try followed(name) { file, browsed throws in
            try replace(file, with: Data(), inPlace: true)
            let error = #expect(throws: YapDatabaseError.self) { try browsed.step().prepare() }
            #expect(error?.message.contains("is empty: there is no database in it") == true)
            var tolerance = RewriteTolerance()
            #expect(error.map { tolerance.isPassing($0, of: file.path) } == true, "it may be written again")
        }
    }

    private func followed(
        _ name: String = "encrypted/books-v4", _ body: (URL, BrowsedFile) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "app.sqlite")
            try stored(name).write(to: file)
            if name.hasPrefix("encrypted") {
                try EncryptedFile.unlock(file.path, key: FileKey(Array("correct horse".utf8)))
            }
            try body(file, BrowsedFile(path: file.path))
        }
    }

    private func stored(_ name: String) throws -> Data {
        try Data(contentsOf: repository.appending(path: "Tests/Files/\(name).sqlite"))
    }

    private func replace(_ file: URL, with bytes: Data, inPlace: Bool) throws {
        guard inPlace else { return try bytes.write(to: file, options: .atomic) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
