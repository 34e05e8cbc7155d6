import Foundation
import ListChanges
import SQLiteBridge
import TestTraits
import Testing

@testable import YapDatabase

/// A file that goes back to an earlier state, or whose number of the last commit is changed by hand, is a reload.
@Suite struct StateGoesBackTests {
    /// What happens to the file while a database object has it open.
    enum Attack: String, CaseIterable, Sendable {
        case restore, smaller, larger, same, negative, largest, removed, text, blob, zeroedIndex
    }

    private func attack(_ attack: Attack, _ url: URL, backup: String) throws {
        let handle = try foreignProgram(url)
        func setNumber(_ value: String) throws {
            try handle.execute("UPDATE yap2 SET data = \(value) WHERE extension = '' AND key = 'snapshot'")
        }
        switch attack {
        case .restore: try handle.restore(from: backup)
        case .smaller: try setNumber("2")
        case .larger: try setNumber("data + 1000")
        case .same: try handle.execute("UPDATE database2 SET metadata = x'00' WHERE key = 'k3'")
        case .negative: try setNumber("-9223372036854775808")
        case .largest: try setNumber("9223372036854775807")
        case .removed: try handle.execute("DELETE FROM yap2 WHERE extension = ''")
        case .text: try setNumber("'many'")
        case .blob: try setNumber("x'ff00'")
        case .zeroedIndex:
            let index = try FileHandle(forWritingTo: URL(filePath: url.path + "-shm"))
            defer { try? index.close() }
            try index.write(contentsOf: Data(count: 136))
        }
    }

    @Test(.ends(within: 300), arguments: Attack.allCases) func readersReloadAndWritersGoOn(_ attack: Attack) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let writer = try database.newConnection()
            let idle = try database.newConnection()
            func write(_ number: Int) throws {
                try writer.readWrite { transaction in
                    let item = Item(group: "A", sort: number % 7, text: "\(number)")
                    try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
                }
            }
            for number in 0..<5 { try write(number) }
            let backup = folder.appending(path: "old.sqlite").path
            try writer.backup(toPath: backup)
            for number in 5..<20 { try write(number) }
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            let mappings = YapDatabaseViewMappings(groups: ["A"], view: "items")
            try coordinator.follow(mappings)

            var before = try coordinator.rows(mappings)
            try self.attack(attack, url, backup: backup)

            // Every kind of connection gets on, and shows the file's state.
            let expected = attack == .restore ? 5 : 20
            func count(_ connection: YapDatabaseConnection) throws -> Int {
                try connection.read { try $0.numberOfKeys(inCollection: "c") }
            }
            #expect(try count(idle) == expected)
            #expect(try count(database.newConnection()) == expected)
            for (_, outcome) in try coordinator.advance() where attack != .zeroedIndex {
                let after = try coordinator.rows(mappings)
                switch outcome {
                case .reload: break
                case .none: #expect(before == after)
                case .changes(let set): #expect(try set.applying(to: before, inserted: { after[$0] }) == after)
                }
            }
            before = try coordinator.rows(mappings)
            for number in 20..<30 {
                try write(number)
                for (_, outcome) in try coordinator.advance() {
                    let after = try coordinator.rows(mappings)
                    if case .changes(let changes) = outcome {
                        #expect(try changes.applying(to: before, inserted: { after[$0] }) == after)
                    }
                    before = after
                }
            }
            #expect(mappings.numberOfItems(inSection: 0) == expected + 10)
            #expect(try count(idle) == expected + 10)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// All at random, many times, beside readers and a writer that never rest.
    @Test func statesGoBackAtRandomBesideReadersAndAWriter() async throws {
        let seconds = Double(ProcessInfo.processInfo.environment["YAP_ATTACK_SECONDS"] ?? "") ?? 2
        let seed = UInt64(ProcessInfo.processInfo.environment["YAP_ATTACK_SEED"] ?? "") ?? .random(in: 0..<1_000_000)
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerItems()
            try await database.register(Item.view(), withName: "items")
            let writer = try database.newConnection()
            @Sendable func write(_ number: Int) throws {
                try writer.readWrite { transaction in
                    let item = Item(group: "A", sort: number % 7, text: "\(number)")
                    try transaction.setObject(item, forKey: "k\(number % 50)", inCollection: "c")
                }
            }
            for number in 0..<20 { try write(number) }
            let backup = folder.appending(path: "old.sqlite").path
            try await writer.backup(toPath: backup)
            let end = ContinuousClock.now + .seconds(seconds)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
                        let mappings = YapDatabaseViewMappings(groups: ["A"], view: "items")
                        try coordinator.follow(mappings)
                        var before = try coordinator.rows(mappings)
                        while ContinuousClock.now < end {
                            for (_, outcome) in try coordinator.advance() {
                                let after = try coordinator.rows(mappings)
                                if case .changes(let changes) = outcome {
                                    #expect(
                                        try changes.applying(to: before, inserted: { after[$0] }) == after,
                                        "seed \(seed)")
                                }
                                before = after
                            }
                            // The pace of readers, a writer and attacks: time is the subject.
                            try await Task.sleep(for: .milliseconds(1))
                        }
                    }
                }
                group.addTask {
                    var number = 20
                    while ContinuousClock.now < end {
                        try write(number)
                        number += 1
                        try await Task.sleep(for: .milliseconds(1))
                    }
                }
                group.addTask {
                    var random = SplitMix64(seed: seed)
                    while ContinuousClock.now < end {
                        let attack = Attack.allCases.filter { $0 != .zeroedIndex }.randomElement(using: &random)!
                        try self.attack(attack, url, backup: backup)
                        try await Task.sleep(for: .milliseconds(Int.random(in: 1...30, using: &random)))
                    }
                }
                try await group.waitForAll()
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        }
    }
}
