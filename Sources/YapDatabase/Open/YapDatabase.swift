import Foundation

/// A database: rows (a collection, a key, an object, optional metadata) in one SQLite file.
///
///     let database = try YapDatabase(url: url)
///     let connection = try database.newConnection()
///     try connection.readWrite { try $0.setObject("hello", forKey: "greeting") }
public final class YapDatabase: Sendable {
    public let databaseURL: URL

    init(databaseURL: URL) { self.databaseURL = databaseURL }
}
