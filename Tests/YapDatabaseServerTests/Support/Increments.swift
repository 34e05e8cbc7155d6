import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabaseServer

/// Increments of a counter, each with a row of its own, that are tried again until they are known to be stored: each
/// must be there exactly once, whatever happens on the way.
final class Increments: Sendable {
    private let database: YapDatabase
    private let name: String
    private let done = Atomic(0)

    init(_ database: YapDatabase, name: String = "a") {
        self.database = database
        self.name = name
    }

    var count: Int { done.load(ordering: .acquiring) }

    func run(_ count: Int) {
        do {
            for _ in 0..<count { try increment() }
        } catch { Issue.record(error) }
    }

    func increment() throws {
        let number = count
        let version = "\(name)-\(number)"
        let end = ContinuousClock.now + .seconds(200)
        while true {
            do {
                let connection = try database.newConnection()
                try connection.readWrite { transaction in
                    // An attempt whose outcome was unknown.
                    guard try !transaction.hasObject(forKey: version, inCollection: "marks") else { return }
                    let count = try transaction.object(forKey: name, inCollection: "counts") as? String ?? "0"
                    try transaction.setObject("\(Int(count)! + 1)", forKey: name, inCollection: "counts")
                    try transaction.setObject("x", forKey: version, inCollection: "marks")
                }
                done.store(number + 1, ordering: .releasing)
                return
            } catch let error as YapDatabaseServerError
                where [.serverUnreachable, .outcomeUnknown, .serverFailed].contains(error.code)
                && ContinuousClock.now < end
            {
                // Its pace: as an app tries again.
                usleep(10_000)
            }
        }
    }

    func check(_ scene: Scene, _ databases: [YapDatabase]) throws {
        try scene.expectEqual(databases)
        for database in databases {
            #expect(try database.string(name, in: "counts") == "\(count)")
            let marks = try database.storedRows().keys.filter {
                $0.collection == "marks" && $0.key.hasPrefix("\(name)-")
            }
            #expect(marks.count == count)
        }
    }
}
