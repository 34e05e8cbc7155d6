import ByteCoders
import Foundation
import PostgreSQLBridge
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// What the server reads of an object is what clients read.
@Suite(.needsPostgreSQL) struct ObjectSQLTests {
    private struct Value: Codable, Hashable {
        var author: String
        var text: String
        var number: Int
        var part: Double
        var date: Date
        var flag: Bool
        var names: [String]?
        var likes: [String: [String]]?
        var bytes: Data?

        init(_ random: inout SplitMix64) {
            let texts = [
                "", "alice", "é", "José", "日本", "👍🏽", "a&b", "line\nbreak", String(repeating: "long ", count: 100),
            ]
            func some() -> String { random.pick(texts) }
            (author, text, number) = (some(), some(), random.pick([0, 1, -1, 255, 70_000, .max, .min]))
            (part, date, flag) = (
                0.1, Date(timeIntervalSinceReferenceDate: Double(random.below(1_000))), random.below(2) == 0
            )
            names = random.below(2) == 0 ? nil : (0..<random.below(20)).map { _ in some() }
            likes = random.below(2) == 0 ? nil : [some(): ["x"], "y": []]
            bytes = random.below(3) == 0 ? Data([1, 2, 3]) : nil
        }
    }

    /// The author by the server; nil if it refuses the object.
    private func author(_ bytes: Data, _ sql: PostgreSQLConnection) -> String?? {
        var author: String??
        _ = try? sql.query("SELECT yap.fields($1) ->> 'author'", [.bytes(bytes)], limits: AnswerLimits()) { row in
            author = .some(row.isNull(0) ? nil : try row.text(0))
        }
        return author
    }

    private func encodings(_ value: Value) throws -> [Data] {
        let foundation = PropertyListEncoder()
        foundation.outputFormat = .binary
        return [
            try #require(ByteCoding.propertyList(value)), try foundation.encode(value), try JSONEncoder().encode(value),
        ]
    }

    /// Every author that some reader of this package, or Foundation, finds in the bytes.
    private func clients(_ bytes: Data) -> Set<String> {
        struct Author: Decodable { let author: String }
        let lists = try? PropertyListDecoder().decode(Author.self, from: bytes).author
        let own = try? bytes.withUnsafeBytes { try ByteCoding.decodePropertyList(Author.self, from: $0) }.author
        return Set([lists, own].compactMap(\.self))
    }

    @Test func theServerReadsWhatClientsWrite() throws {
        try withScene { scene in
            let sql = try scene.sql()
            for seed in 0..<UInt64(Effort.cases(400)) {
                var random = SplitMix64(seed: seed)
                let value = Value(&random)
                for bytes in try encodings(value) {
                    let found = author(bytes, sql)
                    #expect(found.map { $0.map { Array($0.utf8) } } == Array(value.author.utf8), "seed \(seed)")
                }
            }
        }
    }

    @Test func noBytesHaveTwoAuthors() throws {
        try withScene { scene in
            let sql = try scene.sql()
            var accepted = 0
            for seed in 0..<UInt64(Effort.cases(8_000)) {
                var random = SplitMix64(seed: seed)
                var bytes = try encodings(Value(&random))[Int(random.below(2))]
                for _ in 0...random.below(3) {
                    let place = random.below(4) == 0 ? bytes.count - 1 - random.below(60) : random.below(bytes.count)
                    bytes[max(8, place)] =
                        random.below(2) == 0 ? UInt8(random.below(256)) : bytes[8 + random.below(bytes.count - 8)]
                }
                guard let found = author(bytes, sql) else { continue }
                accepted += 1
                let others = clients(bytes).filter { $0.utf8.elementsEqual((found ?? "").utf8) == false }
                #expect(others.isEmpty, "seed \(seed): \(String(describing: found)), and clients read \(others)")
            }
            #expect(accepted > 0)
        }
    }
}
