import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing
import YapDatabase

/// Events on a file that a database has open: it is replaced, moved, linked, its log is removed, its numbers are
/// changed. Each call ends; what was acknowledged is in the file of that name, or the file was not changed.
@Suite struct LiveFileAttackTests {
    private enum Event: CaseIterable {
        case replace, moveAndBack, link, number, restore, zeroIndex, removeRecords
    }

    @Test func everyCallEndsWhateverBecomesOfTheFile() async throws {
        try await Attack.rounds("live files") { seed in
            var random = SplitMix64(seed: seed)
            try withTemporaryFolder { folder throws in
                let url = folder.appending(path: "t.sqlite")
                let events = (0..<3).map { _ in Event.allCases.randomElement(using: &random)! }
                do {
                    try run(events, url, folder)
                } catch is YapDatabaseError {
                    // An error is a valid answer.
                } catch {
                    Issue.record("seed \(seed), \(events): \(type(of: error)) \(error)")
                }
            }
        }
    }

    private func run(_ events: [Event], _ url: URL, _ folder: URL) throws {
        let spare = folder.appending(path: "spare.sqlite")
        try makeFile(spare, "spare")
        let database = try YapDatabase(url: url, options: .forAttacks)
        try database.register(itemsView(), withName: "items")
        let (writer, reader) = (try database.newConnection(), try database.newConnection())
        try reader.beginLongLivedReadTransaction()
        var isReplaced = false
        var replacement: Data?
        for (turn, event) in events.enumerated() {
            for number in 0..<5 {
                do {
                    try writer.readWrite {
                        try $0.setObject("\(turn) \(number)", forKey: "k\(number)", inCollection: "a")
                    }
                    #expect(!isReplaced, "A write into a file without its name was acknowledged.")
                } catch let error as YapDatabaseError {
                    #expect(!isReplaced || error.code == .fileReplaced, "\(error)")
                }
                _ = try? reader.beginLongLivedReadTransaction()
                _ = try? reader.read { try $0.numberOfKeysInAllCollections() }
            }
            if isReplaced { continue }
            try happen(event, url, folder, spare)
            if event == .replace {
                isReplaced = true
                replacement = try Data(contentsOf: url)
            }
        }
        let outcome = Result { try database.close() }
        if let replacement { #expect(try Data(contentsOf: url) == replacement) }
        try outcome.get()
    }

    private func happen(_ event: Event, _ url: URL, _ folder: URL, _ spare: URL) throws {
        let handle = try event == .replace ? nil : SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 2_000)
        switch event {
        case .replace: #expect(rename(spare.path, url.path) == 0)
        case .moveAndBack:
            let aside = folder.appending(path: "aside").path
            #expect(rename(url.path, aside) == 0)
            #expect(rename(aside, url.path) == 0)
        case .link:
            let second = folder.appending(path: "second.sqlite").path
            #expect(link(url.path, second) == 0)
            #expect(throws: YapDatabaseError.self) { try YapDatabase(url: URL(filePath: second)) }
            unlink(second)
        case .number: try handle?.execute("UPDATE yap2 SET data = 9223372036854775807 WHERE key = 'snapshot'")
        case .restore:
            let source = try SQLiteHandle(path: spare.path, mode: .readOnly, busyTimeout: 1_000)
            if let handle { _ = try? source.copy(to: handle, pagesPerStep: 1_000_000, progress: { _, _ in true }) }
        case .zeroIndex:
            let index = try FileHandle(forWritingTo: URL(filePath: url.path + "-shm"))
            defer { try? index.close() }
            try index.write(contentsOf: Data(count: 136))
        case .removeRecords: try? handle?.execute("DROP TABLE yap_commits")
        }
    }

    private func makeFile(_ url: URL, _ value: String) throws {
        let database = try YapDatabase(url: url, options: .forAttacks)
        try database.newConnection().readWrite { try $0.setObject(value, forKey: "k") }
        try database.close()
    }
}
