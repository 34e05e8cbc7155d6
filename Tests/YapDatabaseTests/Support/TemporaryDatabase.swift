import Foundation
import Testing

@testable import YapDatabase

/// Whether tests run with databases in memory.
enum TestedPlace {
    @TaskLocal static var isMemory = false
}

/// Runs a test with a database in a folder of its own; at the end the whole file must be in order.
func withTemporaryDatabase<Value>(
    options: YapDatabaseOptions = .forTests, _ body: (YapDatabase) throws -> Value
) throws -> Value {
    if TestedPlace.isMemory {
        let database = try YapDatabase.inMemory(options: options)
        let value = try body(database)
        try endInMemory(database)
        return value
    }
    return try withTemporaryFolder { folder throws in
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
    if TestedPlace.isMemory {
        let database = try YapDatabase.inMemory(options: options)
        try await body(database)
        return try endInMemory(database)
    }
    try await withTemporaryFolder { folder in
        let url = folder.appending(path: "test.sqlite")
        let database = try YapDatabase(url: url, options: options)
        try await body(database)
        try database.close()
        let problems = try YapDatabase.check(url: url)
        #expect(problems.isEmpty, "The check of the file at the end: \(problems)")
    }
}

private func endInMemory(_ database: YapDatabase) throws {
    let problems = try YapDatabase.check(url: database.databaseURL)
    #expect(problems.isEmpty, "The check of the file at the end: \(problems)")
    try database.close()
    #expect(!FileManager.default.fileExists(atPath: database.databaseURL.deletingLastPathComponent().path))
}
