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
        #expect(try YapDatabase.check(url: url) == [])
        return value
    }
}

/// The async form.
func withTemporaryDatabase(
    options: YapDatabaseOptions = .forTests, _ body: (YapDatabase) async throws -> Void
) async throws {
    let folder = try makeTemporaryFolder()
    let url = folder.appending(path: "test.sqlite")
    let database = try YapDatabase(url: url, options: options)
    try await body(database)
    try database.close()
    #expect(try YapDatabase.check(url: url) == [])
    try FileManager.default.removeItem(at: folder)
}

/// Runs a test with an empty folder, which is removed afterwards.
func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

private func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

extension YapDatabaseOptions {
    /// Nobody cuts the power in the middle of a test.
    static var forTests: YapDatabaseOptions {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .off
        return options
    }
}
