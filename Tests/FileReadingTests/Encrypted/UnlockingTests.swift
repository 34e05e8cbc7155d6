import FileReading
import Foundation
import PageCipher
import SeededRandom
import Testing

@Suite struct UnlockingTests {
    @Test func aKeyIsAPassphraseUnlessItHasTheFormOfARawOne() {
        func kind(_ text: String) -> String {
            switch FileKey(Array(text.utf8)) {
            case .passphrase(let bytes): "passphrase of \(bytes.count)"
            case .raw(let key, let salt): "raw \(key.count) \(salt?.count ?? 0)"
            }
        }
        let digits = String(repeating: "aB", count: 32)
        #expect(kind("x'\(digits)'") == "raw 32 0")
        #expect(kind("X'\(digits)\(digits.prefix(32))'") == "raw 32 16")
        for text in [
            "x'\(digits)", "x'\(digits)a'", "x'\(digits.dropLast(2))'", "x'\(digits.dropLast())g'", "x''", "é",
        ] {
            #expect(kind(text) == "passphrase of \(text.utf8.count)")
        }
    }

    @Test func settingsHaveTheNamesAndValuesOfThePragmas() throws {
        let settings = try CipherSettings(
            "cipher_compatibility=3, cipher_page_size=8192,kdf_iter = 4000,cipher_hmac_algorithm=HMAC_SHA256,"
                + "cipher_kdf_algorithm=PBKDF2_HMAC_SHA512,cipher_plaintext_header_size=32,"
                + "cipher_salt=x'0123456789abcdef0123456789abcdef'")
        #expect(settings.version == 3 && settings.pageSize == 8_192 && settings.iterations == 4_000)
        #expect(settings.authentication == .some(.sha256) && settings.keyHash == .sha512)
        #expect(settings.plaintextHeader == 32 && settings.salt?.count == 16)
        #expect(try CipherSettings("cipher_use_hmac=OFF").authentication == .some(nil))
    }

    @Test(arguments: [
        "", "kdf_iter", "kdf_iter=", "kdf_iter=0", "kdf_iter=999999999999999999999", "cipher_page_size=1000",
        "cipher_compatibility=5", "cipher_hmac_algorithm=MD5", "cipher_salt=0123", "cipher_use_hmac=maybe", "page=1",
        "kdf_iter=4000,", "cipher_plaintext_header_size=17",
    ])
    func aWrongSettingIsSaid(text: String) {
        #expect(throws: CipherError.self) { try CipherSettings(text) }
    }

    @Test(arguments: EncryptedBooks.all.map(\.name))
    func aWrongKeyIsOneMessage(name: String) throws {
        let books = EncryptedBooks.named(name)
        try books.withCopy { file throws in
            let wrong = books.key.hasPrefix("x'") ? books.key.replacing("2dd", with: "3dd") : books.key + " "
            #expect(try refusal(file, wrong, books.settings)?.kind == .wrongKey)
            #expect(!EncryptedFile.isUnlocked(file.path))
        }
    }

    @Test(arguments: [
        ("books-v4", "cipher_page_size=8192", "cipher_page_size=4096"),
        ("books-v4", "cipher_hmac_algorithm=SHA256", "cipher_hmac_algorithm=SHA512"),
        ("books-v4", "kdf_iter=4000", "kdf_iter=256000"),
        ("books-v4", "cipher_compatibility=3", "cipher_page_size=4096"),
        ("books-v3", "cipher_compatibility=4", "kdf_iter=64000"),
        ("books-v1", "cipher_use_hmac=ON,cipher_page_size=512", "cipher_page_size=1024"),
        ("books-header", "cipher_plaintext_header_size=48", "cipher_plaintext_header_size=32"),
    ])
    func aWrongSettingIsAnotherMessageAndNamesTheRightOne(name: String, settings: String, right: String) throws {
        let books = EncryptedBooks.named(name)
        try books.withCopy { file throws in
            let error = try refusal(file, books.key, settings)
            #expect(error?.kind == .wrongSetting && error?.description.contains(right) == true, "\(error as Any)")
        }
    }

    @Test func aPlainHeaderNeedsASaltFromOutside() throws {
        try EncryptedBooks.named("books-header").withCopy { file throws in
            let key = String(EncryptedBooks.rawKey.prefix(66)) + "'"
            #expect(try refusal(file, key, "")?.kind == .usage)
            #expect(try refusal(file, key, "cipher_salt=x'0123456789abcdef0123456789abcdef'") == nil)
            #expect(EncryptedFile.isUnlocked(file.path))
        }
    }

    /// A damaged first page is not a wrong key, whatever the size of the pages and the codes are.
    @Test(arguments: EncryptedBooks.all.filter { $0.hasCodes && !$0.hasLog }.map(\.name))
    func theKeyOfAFileWithADamagedFirstPageFits(name: String) throws {
        let books = EncryptedBooks.named(name)
        try books.withCopy { file throws in
            var bytes = try Data(contentsOf: file)
            bytes[200] ^= 0xff
            try bytes.write(to: file)
            #expect(try refusal(file, books.key, books.settings) == nil)
            #expect(try refusal(file, books.key + "x", books.settings)?.kind != nil)
        }
    }

    /// However much of the header is in the clear.
    @Test(arguments: [16, 32, 48, 64, 80, 96]) func aPlainHeaderIsTakenForNoPlainFile(size: Int) throws {
        var plain = Array(try Data(contentsOf: originalFile(originalFiles[0])).prefix(4_096))
        plain[20] = 80
        var random = SplitMix64(seed: UInt64(size))
        let looksPlain = !StoredFile(path: "", start: plain).looksEncrypted
        #expect(looksPlain)
        for _ in 0..<100 {
            let rest = (size..<4_096).map { _ in UInt8(random.below(256)) }
            let looksEncrypted = StoredFile(path: "", start: plain.prefix(size) + rest).looksEncrypted
            #expect(looksEncrypted)
        }
    }

    /// SQLite sorts what does not fit its cache in a file, unless it is told not to. In a process of its own, which has no other such file.
    @Test func nothingDecryptedIsSortedInAFile() async {
        await #expect(processExitsWith: .success) {
            func sortsInAFile(_ path: String) throws -> Bool {
                let found = try BrowsedFile(path: path).snapshot.read { store in
                    try store.first("SELECT * FROM (SELECT x FROM (\(Self.rows)) ORDER BY x) WHERE x > ''") { _ in
                        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { name in
                            let target = try? FileManager.default.destinationOfSymbolicLink(
                                atPath: "/proc/self/fd/\(name)")
                            return target?.contains("etilqs") ?? false
                        }
                    }
                }
                return found == true
            }
            #expect(try sortsInAFile(originalFile(originalFiles[0]).path))
            let books = EncryptedBooks.named("books-v4")
            try books.withCopy { file throws in
                try EncryptedFile.unlock(file.path, key: FileKey(Array(books.key.utf8)), settings: CipherSettings())
                #expect(try !sortsInAFile(file.path))
            }
        }
    }

    /// 40 MB of texts.
    private static let rows =
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000) SELECT hex(randomblob(500)) AS x FROM n"

    /// What no key belongs to is not asked for one.
    @Test func plainFilesAndTextsDoNotLookEncrypted() throws {
        for name in originalFiles { #expect(try !EncryptedFile.isLikely(originalFile(name).path)) }
        #expect(try !EncryptedFile.isLikely(#filePath))
        for books in EncryptedBooks.all {
            try books.withCopy { file throws in #expect(try EncryptedFile.isLikely(file.path), "\(books.name)") }
        }
    }

    private func refusal(_ file: URL, _ key: String, _ settings: String) throws -> CipherError? {
        do {
            let settings = settings.isEmpty ? CipherSettings() : try CipherSettings(settings)
            try EncryptedFile.unlock(file.path, key: FileKey(Array(key.utf8)), settings: settings)
            return nil
        } catch let error as CipherError {
            return error
        }
    }
}
