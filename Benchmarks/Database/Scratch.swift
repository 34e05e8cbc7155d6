import Foundation
import YapDatabase

/// Runs the body with a folder for databases and removes it afterwards.
@MainActor func withScratchFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Opens a database of people and closes it after the body.
@MainActor func withDatabase<Value>(
    _ url: URL, _ synchronous: YapDatabaseOptions.Synchronous = .normal, postsNotifications: Bool = true,
    _ body: (YapDatabase) throws -> Value
) throws -> Value {
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = synchronous
    options.postsNotifications = postsNotifications
    let database = try YapDatabase(url: url, options: options)
    database.registerCodableSerialization(Person.self, forCollection: Person.collection, as: .json)
    let result = Result { try body(database) }
    try database.close()
    drainMainQueue()
    return try result.get()
}

/// Runs the pending work of the main queue: the notifications of commits, which would otherwise accumulate.
@MainActor func drainMainQueue() {
    _ = RunLoop.main.run(mode: .default, before: Date())
}

extension YapDatabase {
    /// Writes people with these numbers.
    func addPeople(_ numbers: Range<Int>) throws {
        try newConnection().readWrite { transaction in
            for number in numbers {
                try transaction.setObject(
                    Person(number), forKey: Person.key(number), inCollection: Person.collection)
            }
        }
    }
}

/// Copies a database that is not open.
func copyDatabase(_ source: URL, to target: URL) throws {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
        try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
    }
}
