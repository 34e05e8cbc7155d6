import Foundation
import Testing

@testable import YapDatabase

/// Runs a test with a database in a folder of its own; at the end the whole file must be in order.
func withTemporaryDatabase<Value>(
    options: YapDatabaseOptions = .forTests, _ body: (YapDatabase) throws -> Value
) throws -> Value {
    try withTemporaryFolder { folder throws in
        let url = folder.appending(path: "test.sqlite")
        let database = try YapDatabase(url: url, options: options)
        let value = try body(database)
        try database.close()
        let problems = try YapDatabase.check(url: url)
        #expect(problems.isEmpty, "The check of the file at the end: \(problems)")
        return value
    }
}

/// The async form.
func withTemporaryDatabase(
    options: YapDatabaseOptions = .forTests, isolation: isolated (any Actor)? = #isolation,
    _ body: (YapDatabase) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let url = folder.appending(path: "test.sqlite")
        let database = try YapDatabase(url: url, options: options)
        try await body(database)
        try database.close()
        let problems = try YapDatabase.check(url: url)
        #expect(problems.isEmpty, "The check of the file at the end: \(problems)")
    }
}
