import FileEngine
import Foundation

extension YapDatabase {
    /// Reads a whole file and lists what is wrong with it: SQLite's own check, whether every view agrees with itself and with
    /// the rows, whether lists over related rows agree with what each row contributes, whether the records of commits say what the file has, and
    /// additions to its tables that no YapDatabase makes, such as triggers. Empty if the file is intact.
    ///
    /// Reads one snapshot, also while others write. Does not change or create the file, its log or the log's index. Reads the
    /// whole file, and copies full-text indexes into a temporary file that has no name, to compare them with their texts.
    ///
    /// ```swift
    /// for problem in try YapDatabase.check(url: url) { print(problem) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` if the file cannot be read at all.
    public static func check(url: URL) throws -> [YapDatabaseProblem] {
        try checkReport(url: url).problems
    }

    /// Like ``check(url:)``, and also reports the content of the file.
    ///
    /// ```swift
    /// let report = try YapDatabase.checkReport(url: url) { step in print(step) }
    /// print(report.problems.count)
    /// ```
    ///
    /// - Parameter progress: called with a description of the next step, on the caller's thread.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read at all.
    public static func checkReport(
        url: URL, progress: @escaping (String) -> Void = { _ in }
    ) throws -> YapDatabaseCheckReport {
        try WholeFileCheck.report(url: url, progress: progress) { check, report in
            for kind in [any ExtensionKind].kinds { try kind.check(check, &report) }
            guard report.problems.isEmpty else { return }
            check.progress("the records of commits")
            report.problems += try RecordCheck(check.store).problems()
            check.progress("the mutations")
            report.problems += try OutboxCheck(check.store).problems()
        }
    }
}

extension YapDatabase {
    /// Opens the file, or creates it.
    /// - Parameters:
    ///   - url: the file; its folder must exist.
    ///   - options: settings of the file and of its connections, which hold as long as it is open.
    /// - Throws: ``YapDatabaseError`` with code `notADatabase`, `notAYapDatabase`, `truncated`, `corrupt`, `readOnly`,
    ///   `cannotOpen`, `newerVersion` or `alreadyOpen`. The file is then unchanged, and no new file is beside it. Also with `diskFull` or
    ///   `inputOutput` if a new file cannot be written: an empty one may be left then, which the next call fills as if it were not there.
    ///   It is not removed, because another process may have begun to use it.
    ///   `notAYapDatabase` also means that its tables have parts that SQLite would run when it writes them, such as a
    ///   `CHECK`; triggers and views never run.
    public convenience init(url: URL, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
        try self.init(url: url, options: options, kinds: .kinds)
    }

    /// Opens the file at a path, or creates it, like ``init(url:options:)``.
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: as for ``init(url:options:)``.
    /// - Throws: as ``init(url:options:)``: ``YapDatabaseError`` with code `notADatabase`, `cannotOpen`, `alreadyOpen` and the like.
    public convenience init(path: String, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
        try self.init(url: URL(filePath: path), options: options)
    }

    /// Makes an empty database in memory, for tests and previews: nothing of it is on a disk, and nothing is left of it.
    ///
    /// It behaves like any other one: as many connections as you like, long-lived reads, views, streams, check, backup. Each call makes a
    /// database of its own. Its file is in the machine's memory (`/dev/shm`), under ``databaseURL``, so that other processes, such as
    /// `yap browse`, can open it while it lasts. It is gone when the database is closed or released. What a killed process leaves in memory,
    /// the next call on the machine removes.
    ///
    /// ```swift
    /// let database = try YapDatabase.inMemory()
    /// try database.newConnection().readWrite { transaction in try transaction.setObject("Dune", forKey: "dune") }
    /// try database.close()
    /// ```
    ///
    /// - Parameter options: as for ``init(url:options:)``.
    /// - Throws: ``YapDatabaseError`` with code `cannotOpen` if the machine has no file system in memory. A write throws `diskFull` when
    ///   that is full: in a container `/dev/shm` often has 64 MB.
    public static func inMemory(options: YapDatabaseOptions = YapDatabaseOptions()) throws -> YapDatabase {
        let memory = try MemoryFolder()
        return try YapDatabase(
            url: URL(filePath: memory.path).appending(path: "memory.sqlite"), options: options, kinds: .kinds,
            in: memory)
    }

    /// Opens the database at ``defaultDatabaseURL`` and creates its folder if it is missing.
    /// - Throws: as ``init(url:options:)``, and ``YapDatabaseError`` with code `cannotOpen` if the folder cannot be created.
    public convenience init(options: YapDatabaseOptions = YapDatabaseOptions()) throws {
        let url = YapDatabase.defaultDatabaseURL
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw YapDatabaseError(
                .cannotOpen, "The folder of \(url.path) cannot be created. Check its parent's permissions.",
                underlying: error)
        }
        try self.init(url: url, options: options)
    }
}
