import Foundation
import YapDatabase

extension YapDB {
    /// Prepares a database that was opened, for example registers its extensions.
    public typealias DatabaseOperationsBlock = (YapDatabase) throws -> Void

    /// Returns the path of a database in one of the user's folders: `name.sqlite`, or `name-suffix.sqlite`. In the temporary folder if
    /// the user has none of the kind.
    ///
    /// - Parameters:
    ///   - directory: the kind of folder.
    ///   - name: the name of the file without its ending.
    ///   - suffix: follows the name after a hyphen; nil for none.
    public static func pathToDatabase(
        _ directory: FileManager.SearchPathDirectory, name: String, suffix: String? = nil
    ) -> String {
        let folder = FileManager.default.urls(for: directory, in: .userDomainMask).first
        let file = suffix.map { "\(name)-\($0).sqlite" } ?? "\(name).sqlite"
        return (folder ?? FileManager.default.temporaryDirectory).appending(path: file).path
    }

    /// Opens the database of a name in the user's folder for documents, or creates it and the folder.
    ///
    /// - Parameter operations: receives the database before it is returned. An error of it is thrown, and the database closed.
    /// - Throws: `YapDatabaseError`, as `YapDatabase.init(url:options:)`.
    public static func databaseNamed(
        _ name: String, options: YapDatabaseOptions = YapDatabaseOptions(), operations: DatabaseOperationsBlock? = nil
    ) throws -> YapDatabase {
        try open(pathToDatabase(.documentDirectory, name: name), options, operations)
    }

    /// Opens an empty database for a test, in the user's folder for caches. **Deletes** the one that an earlier run of the test left.
    ///
    /// - Parameters:
    ///   - file, test: the test that calls it, whose names are the file's.
    ///   - operations: receives the database before it is returned, for example to store what the test begins with.
    /// - Throws: `YapDatabaseError`, as `YapDatabase.init(url:options:)`.
    public static func testDatabase(
        _ file: String = #file, test: String = #function, operations: DatabaseOperationsBlock? = nil
    ) throws -> YapDatabase {
        let test = test.prefix { $0 != "(" }
        let path = pathToDatabase(.cachesDirectory, name: URL(filePath: file).lastPathComponent, suffix: String(test))
        for part in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: part) {
            try FileManager.default.removeItem(atPath: part)
        }
        return try open(path, YapDatabaseOptions(), operations)
    }

    private static func open(
        _ path: String, _ options: YapDatabaseOptions, _ operations: DatabaseOperationsBlock?
    ) throws -> YapDatabase {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let database = try YapDatabase(url: url, options: options)
        do {
            try operations?(database)
        } catch {
            try? database.close()
            throw error
        }
        return database
    }
}
