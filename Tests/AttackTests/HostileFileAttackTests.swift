import FileReading
import Foundation
import ListChanges
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing
import YapDatabase

/// Whatever a file contains, each use of it ends, with its result or with a typed error.
@Suite struct HostileFileAttackTests {
    @Test func everyUseOfAHostileFileEnds() async throws {
        try await Attack.rounds("hostile files") { seed in
            var random = SplitMix64(seed: seed)
            try withTemporaryFolder { folder throws in
                let file = try HostileFile(folder.appending(path: "t.sqlite"), using: &random)
                // In random order, because one may change the file for the next.
                for use in Use.allCases.shuffled(using: &random) {
                    do {
                        try use.run(file.url, folder, using: &random)
                    } catch is YapDatabaseError {
                        // An error is a valid answer.
                    } catch {
                        Issue.record("\(use), seed \(seed): \(type(of: error)) \(error) of \(file.changes)")
                    }
                }
            }
        }
    }
}

private enum Use: CaseIterable {
    case check, read, write, follow, export, list

    func run(_ url: URL, _ folder: URL, using random: inout SplitMix64) throws {
        switch self {
        case .check: _ = try YapDatabase.check(url: url)
        case .read: try read(url)
        case .write: try write(url, using: &random)
        case .follow: try follow(url, using: &random)
        case .export:
            if let file = try? BrowsedFile(path: url.path) {
                _ = try FileExport(file).run { _, _ in }
            } else {
                _ = try SalvagedFile(url.path)?.report { _, _ in }
            }
            _ = try RowCheck.run(url.path)
        case .list: _ = try FileListing(BrowsedFile(path: url.path))
        }
    }

    private func read(_ url: URL) throws {
        try withDatabase(url) { database in
            try database.newConnection().read { transaction in
                for collection in try transaction.allCollections() {
                    _ = try transaction.numberOfKeys(inCollection: collection)
                    try transaction.iterateKeys(inCollection: collection) { _, _ in }
                }
            }
        }
    }

    private func write(_ url: URL, using random: inout SplitMix64) throws {
        let keys = (0..<20).map { _ in "k\(Int.random(in: 0..<60, using: &random))" }
        try withDatabase(url) { database in
            let connection = try database.newConnection()
            for key in keys {
                try connection.readWrite { transaction in
                    try transaction.setObject("new", forKey: key, inCollection: "a")
                    try transaction.removeObject(forKey: key, inCollection: "b")
                }
            }
        }
    }

    /// Shows a list while another program changes the file in the same ways.
    private func follow(_ url: URL, using random: inout SplitMix64) throws {
        let numbers = (0..<10).map { _ in Int.random(in: 0..<60, using: &random) }
        try withDatabase(url) { database in
            try database.register(itemsView(), withName: "items")
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            let mappings = YapDatabaseViewMappings(groups: ["a", "b"], view: "items")
            try coordinator.follow(mappings)
            let writer = try database.newConnection()
            for number in numbers {
                try writer.readWrite { try $0.setObject("new", forKey: "k\(number)", inCollection: "a") }
                _ = try coordinator.advance()
                try coordinator.connection.read { transaction in
                    guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return }
                    for group in view.allGroups() { try view.iterateKeys(inGroup: group) { _, _, _, _ in } }
                }
            }
        }
    }

    private func withDatabase(_ url: URL, _ body: (YapDatabase) throws -> Void) throws {
        let database = try YapDatabase(url: url, options: .forAttacks)
        let outcome = Result { try body(database) }
        try database.close()
        try outcome.get()
    }
}
