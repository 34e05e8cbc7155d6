import Foundation
import Testing

/// SQLCipher writes, `yap` reads.
@Suite(.enabled(if: SQLCipherWriter.isInstalled, Comment(rawValue: SQLCipherWriter.skipMessage)))
struct EncryptedFollowTests {
    @Test(arguments: ["wal", "delete"]) func eachCommitOfAnotherProgramIsALine(journal: String) throws {
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            let writer = try SQLCipherWriter(file)
            try writer.run("PRAGMA key = 'correct horse'")
            try writer.run("PRAGMA journal_mode = \(journal)")
            try writer.run("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let run = try YapProcess(
                ["browse", "--collection", "books", "--last", "3", "--follow", "--key-fd", "0", file.path])
            try run.write("correct horse\n")
            try run.waitUntilItFollows()
            for round in 0..<20 {
                try writer.run(
                    "INSERT INTO database2 (collection, key, data) VALUES ('books', 'zz\(10 + round)', '{\"a\":\(round)}')"
                )
                var found = try run.object()
                // Without a log the state before is gone.
                if journal == "delete" {
                    #expect(found["change"] as? String == "reload")
                    continue
                }
                while found["change"] as? String != "insert" { found = try run.object() }
                #expect(found["key"] as? String == "zz\(10 + round)")
                #expect(found["object"] as? [String: Int] == ["a": round])
            }
            guard journal == "wal" else { return run.send(SIGKILL) }
            try writer.run("UPDATE database2 SET data = '{\"a\":99}' WHERE key = 'zz29'")
            var line = try run.object()
            while line["change"] as? String != "update" { line = try run.object() }
            #expect(line["object"] as? [String: Int] == ["a": 99])
            run.send(SIGINT)
            #expect(run.exitCode() == 130)
            #expect(run.errorText() == "")
        }
    }

    /// The key changes in the log, or in the file under the reader's eyes.
    @Test(arguments: ["wal", "delete"]) func aChangedKeyIsNotCalledDamage(journal: String) throws {
        try EncryptedBooks.named("books-v4").withCopy { file throws in
            let writer = try SQLCipherWriter(file)
            try writer.run("PRAGMA key = 'correct horse'")
            try writer.run("PRAGMA journal_mode = \(journal)")
            try writer.run("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let run = try YapProcess(["browse", "--collection", "books", "--follow", "--key-fd", "0", file.path])
            try run.write("correct horse\n")
            try run.waitUntilItFollows()
            try writer.run("PRAGMA rekey = 'another horse'")
            #expect(run.exitCode() == 1)
            let errors = run.errorText()
            #expect(errors.contains("The key no longer fits") && !errors.contains("damaged"), "\(errors)")
        }
    }

    /// Whatever a program sets, the file is read with what must be named, and refused with a sentence without it.
    @Test(arguments: 0..<(Effort.isFull ? 40 : 8)) func anySettingsAreRead(seed: Int) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "made.sqlite")
            // In pages of 512 bytes SQLite has no room beside the code.
            let pageSize = 1_024 << (seed % 7)
            let hashes = ["SHA1", "SHA256", "SHA512"]
            let (code, hash) = (hashes[seed % 3], hashes[seed / 3 % 3])
            let iterations = 1 + seed * 97
            let settings = "kdf_iter=\(iterations),cipher_kdf_algorithm=\(hash)"
            do {
                let writer = try SQLCipherWriter(file)
                try writer.run("PRAGMA key = 'é \(seed)'")
                try writer.run("PRAGMA cipher_page_size = \(pageSize)")
                try writer.run("PRAGMA kdf_iter = \(iterations)")
                try writer.run("PRAGMA cipher_hmac_algorithm = HMAC_\(code)")
                try writer.run("PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_\(hash)")
                if seed % 5 == 4 { try writer.run("PRAGMA cipher_use_hmac = OFF") }
                try writer.run("PRAGMA journal_mode = \(seed % 2 == 0 ? "wal" : "delete")")
                try writer.run(
                    "CREATE TABLE database2 (rowid INTEGER PRIMARY KEY, collection CHAR NOT NULL, key CHAR NOT NULL, data BLOB, metadata BLOB)"
                )
                try writer.run("CREATE UNIQUE INDEX true_primary_key ON database2 (collection, key)")
                try writer.run(
                    "CREATE TABLE yap2 (extension CHAR NOT NULL, key CHAR NOT NULL, data BLOB, PRIMARY KEY (extension, key))"
                )
                try writer.run("PRAGMA user_version = 3")
                try writer.run(
                    "INSERT INTO database2 (collection, key, data) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT 'c', printf('k%04d', i), json_object('n', i) FROM n"
                )
                // Its log stays beside the file while it is open.
                let run = try YapRun(
                    ["browse", "--collection", "c", "--json", "--key-fd", "0", "--cipher", settings, file.path],
                    input: "é \(seed)\n")
                #expect(run.code == 0 && run.lines.count == 300, "\(run.errors)")
                try writer.close()
            }
            let run = try YapRun(["browse", "--collection", "c", "--key-fd", "0", file.path], input: "é \(seed)\n")
            #expect(run.code == 1 && run.errors.contains("The key does not fit"), "\(run.errors)")
        }
    }
}
