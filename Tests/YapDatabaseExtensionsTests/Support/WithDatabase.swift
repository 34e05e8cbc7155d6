import Foundation
import TestSupport
import Testing
import YapDatabase

/// Runs a test with an empty database and checks its whole file at the end.
func withDatabase(
    options: YapDatabaseOptions = YapDatabaseOptions(),
    _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
) throws {
    try withTemporaryFolder { folder in
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: options)
        try body(database, database.newConnection())
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}

/// The async form.
func withDatabase(
    options: YapDatabaseOptions = YapDatabaseOptions(), isolation: isolated (any Actor)? = #isolation,
    _ body: (YapDatabase, YapDatabaseConnection) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: options)
        try await body(database, database.newConnection())
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}
