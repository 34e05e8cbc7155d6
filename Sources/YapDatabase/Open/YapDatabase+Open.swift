import FileEngine
import Foundation

extension YapDatabase {
    /// Opens the file, or creates it.
    /// - Parameters:
    ///   - url: the file; its folder must exist.
    ///   - options: settings of the file and of its connections, which hold as long as it is open.
    /// - Throws: ``YapDatabaseError`` with code `notADatabase`, `notAYapDatabase`, `truncated`, `corrupt`, `readOnly`,
    ///   `cannotOpen`, `newerVersion` or `alreadyOpen`. The file is then unchanged, and no new file is beside it.
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
