import Foundation
import TestSupport
import Testing
import YapDatabase

/// A program that opens and closes its database again and again, as one does with a file for each document or account.
@Suite(.serialized) struct RegistrationCyclesTests {
    private static let folder = ProcessFolder("registration-cycles")

    /// What a process has at a moment.
    private struct Holdings: Codable {
        var descriptors: Int
        var threads: Int
        /// In kilobytes.
        var memory: Int
    }

    /// Neither descriptors nor threads nor memory grow with the number of lives; `YAP_CYCLES` says how many there are between two looks.
    @Test func nothingIsKeptOfADatabaseThatIsClosed() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        await #expect(processExitsWith: .success) {
            let folder = Self.folder.ofParent
            let cycles =
                ProcessInfo.processInfo.environment["YAP_CYCLES"].flatMap { Int($0) } ?? (Effort.isFull ? 120 : 40)
            var found: [Holdings] = []
            for cycle in 0...2 * cycles {
                if cycle > 0, cycle % cycles == 0 { found.append(try Self.holdings()) }
                do { try await Self.live(folder, cycle) } catch { fatalError("Cycle \(cycle): \(error)") }
            }
            try JSONEncoder().encode(found).write(to: folder.appending(path: "found"))
        }
        let bytes = try Data(contentsOf: folder.appending(path: "found"))
        let found = try JSONDecoder().decode([Holdings].self, from: bytes)
        #expect(found[1].descriptors <= found[0].descriptors)
        #expect(found[1].threads <= found[0].threads + 3)
        #expect(found[1].memory < found[0].memory + 8_000)
    }

    private static func live(_ folder: URL, _ cycle: Int) async throws {
        let url = folder.appending(path: "\(cycle % 5).sqlite")
        var declared = RelatedDeclarations()
        for item in RelatedDeclarations.Item.allCases { declared.ways[item] = cycle % 3 == 0 }
        let database = try YapDatabase(url: url, options: .forAttacks)
        try await database.register(RelatedDeclarations.Item.allCases.map(declared.declaration))
        let connection = try database.newConnection()
        var updates = connection.updates(of: declared.board).makeAsyncIterator()
        _ = try await updates.next()
        try await connection.write { transaction throws in
            try transaction[RelatedDeclarations.people].save(.init(id: 1, name: "name", team: "team 0"))
            try transaction[RelatedDeclarations.chores].save(
                .init(id: cycle % 20, title: "word1 of it", person: 1, helper: 1, points: cycle + 5, tags: ["a"]))
        }
        _ = try await updates.next()
        if cycle % 2 == 0 {
            try await database.unregister(declared.declaration(.few))
            try await database.unregister(declared.declaration(.tags))
        }
        let groups = try await connection.read { try $0[declared.board].groups }
        precondition(!groups.isEmpty)
        try database.close()
    }

    private static func holdings() throws -> Holdings {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            status.split(separator: "\n").first { $0.hasPrefix(name) }
                .flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        return Holdings(
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: value("Threads:"), memory: value("VmRSS:"))
    }
}
