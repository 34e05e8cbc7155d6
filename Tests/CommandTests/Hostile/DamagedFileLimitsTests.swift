import Foundation
import SQLiteBridge
import TestSupport
import Testing

/// However a file is damaged, each command ends after reading it some times, and when it is told to. The limits are of processor time,
/// which does not depend on what else the machine does.
@Suite struct DamagedFileLimitsTests {
    enum Damage: String, CaseIterable {
        case none, farRowid, reservedBytes, rootOfRows, rootOfKeys, innerPages, firstPage, header, unknownModule, halves
    }

    /// Seconds beside those of reading the file twice, which are a twentieth of a second.
    private static let limit = 10.0
    /// Seconds after a signal.
    private static let endLimit = 0.5

    @Test(arguments: Damage.allCases) func eachCommandEnds(damage: Damage) throws {
        try withDamaged(damage) { file in
            let target = URL(filePath: file).deletingLastPathComponent().appending(path: "export").path
            for command in [
                ["check"], ["export", "--to", target], ["browse", "--list"], ["browse", "--json", "--last", "9"],
            ] {
                let before = try childSeconds()
                let run = try YapRun(command + [file])
                #expect(
                    (0...3).contains(run.code),
                    "\(command) of \(damage): \(run.code), \(run.errors.suffix(300))")
                #expect(try childSeconds() - before < Self.limit, "\(command) of \(damage)")
            }
        }
    }

    @Test(arguments: Effort.some(Damage.allCases), [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func eachCommandEndsWhenItIsTold(damage: Damage, signal: (number: Int32, code: Int32)) throws {
        try withDamaged(damage) { file in
            let target = URL(filePath: file).deletingLastPathComponent().appending(path: "export").path
            for command in [["check"], ["export", "--to", target]] {
                for milliseconds in [60, 200, 500] {
                    let before = try childSeconds()
                    let run = try YapProcess(command + [file])
                    var used = 0.0
                    try waitUntil("It has worked for \(milliseconds) ms, or has ended") {
                        guard let now = run.processorSeconds, now < Double(milliseconds) / 1_000 else { return true }
                        used = now
                        return false
                    }
                    used = run.processorSeconds ?? used
                    run.send(signal.number)
                    // A program without anything to tidy up ends by the signal itself.
                    let end = run.exitCode()
                    let code = end < 0 ? 128 - end : end
                    let context: Comment = "\(command) of \(damage) after \(milliseconds) ms: \(code)"
                    // It may have ended before.
                    #expect(code == signal.code || (0...3).contains(code), context)
                    #expect(try childSeconds() - before - used < Self.endLimit, context)
                    try? FileManager.default.removeItem(atPath: target)
                }
            }
        }
    }

    /// The processor time of all child processes that have ended.
    private func childSeconds() throws -> Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else {
            throw POSIXError(.EINVAL)
        }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private func withDamaged(_ damage: Damage, _ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let file = folder.appending(path: "damaged.sqlite")
            try Self.sound.get().write(to: file)
            let handle = try SQLiteHandle(path: file.path, mode: .readWrite)
            let root = try handle.number("SELECT rootpage FROM sqlite_master WHERE name = 'database2'")
            let keys = try handle.number("SELECT rootpage FROM sqlite_master WHERE name = 'true_primary_key'")
            switch damage {
            case .farRowid:
                // A value on pages of its own, which are destroyed below.
                try handle.execute(
                    "INSERT INTO database2 VALUES (1000000000000, 'far', 'far', randomblob(100000), NULL)")
                try handle.execute(
                    "INSERT INTO database2 VALUES (\(Int64.max), 'far', 'end', randomblob(100000), NULL)")
            case .unknownModule:
                try handle.execute("CREATE TABLE notes_content (id INTEGER PRIMARY KEY, a)")
                try handle.execute("PRAGMA writable_schema = ON")
                try handle.execute(
                    "INSERT INTO sqlite_master VALUES ('table', 'notes', 'notes', 0, 'CREATE VIRTUAL TABLE notes USING fts3(tokenize mozporter, a)')"
                )
            default: break
            }
            var bytes = Array(try Data(contentsOf: file))
            let pageSize = 1_024
            func fill(_ page: Int, from start: Int = 0, _ byte: UInt8 = 0) {
                for place in start..<pageSize { bytes[(page - 1) * pageSize + place] = byte }
            }
            let pages = bytes.count / pageSize
            switch damage {
            case .none, .unknownModule: break
            case .farRowid: for page in (pages - 190)...pages { fill(page, 0xab) }
            case .reservedBytes: bytes[20] = 8
            case .rootOfRows: fill(root)
            case .rootOfKeys: fill(keys)
            case .innerPages:
                for page in 2...pages where page != root && bytes[(page - 1) * pageSize] == 5 { fill(page) }
            case .firstPage: fill(1)
            case .header: fill(1, from: 100)
            case .halves: for page in stride(from: 10, to: pages, by: 2) { fill(page, from: pageSize / 2, 0xab) }
            }
            try Data(bytes).write(to: file)
            try body(file.path)
        }
    }

    /// A file of 20 MB with pages of 1 KB, so of many; of half a megabyte in the quick form.
    private static let sound = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "sound.sqlite")
        let handle = try SQLiteHandle(path: file.path, mode: .create)
        for sql in [
            "PRAGMA page_size = 1024", "PRAGMA user_version = 3", "BEGIN",
            #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#,
            #"CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)"#,
            #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
            "INSERT INTO yap2 VALUES ('', 'snapshot', 5)",
            """
            INSERT INTO database2 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(Effort.dearCases(40_000))) \
            SELECT i, 'c' || (i % 3), 'key-' || i, CAST(printf('%.*c', 100 + i % 600, 'x') AS BLOB), NULL FROM n
            """, "COMMIT",
        ] { try handle.execute(sql) }
        return try Data(contentsOf: file)
    }
}

extension SQLiteHandle {
    fileprivate func number(_ sql: String) throws -> Int {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int64(at: 0)) : 0
    }
}
