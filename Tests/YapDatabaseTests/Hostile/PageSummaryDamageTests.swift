import Foundation
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// Summaries of pages whose bytes were damaged, or made to deceive.
@Suite struct PageSummaryDamageTests: SummarizedFiles {
    /// Gives the bytes the checksum that they should have.
    private func sign(_ bytes: inout [UInt8]) {
        guard bytes.count >= PageSummary.headerSize else { return }
        let sum = bytes.withUnsafeBytes { PageSummary.checksum($0) }
        withUnsafeBytes(of: sum.littleEndian) {
            bytes.replaceSubrange(PageSummary.checksumOffset..<PageSummary.headerSize, with: $0)
        }
    }

    private func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) })
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        case 1: bytes += Array(repeating: 0, count: Int.random(in: 1...100, using: &random))
        case 2:
            let (one, other) = (
                bytes.indices.randomElement(using: &random)!, bytes.indices.randomElement(using: &random)!
            )
            bytes.swapAt(one, other)
        case 3:
            // One of the numbers of the header.
            let offset = 4 * Int.random(in: 0..<6, using: &random)
            let value = [0, 1, UInt32.max, 1 << 26, UInt32(truncatingIfNeeded: random.next())].randomElement(
                using: &random)!
            withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
        case 4:
            let pages = number(bytes, 4)
            let start = PageSummary.headerSize + 16 * pages
            let (one, other) = (Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random))
            for byte in 0..<4 { bytes.swapAt(start + 4 * one + byte, start + 4 * other + byte) }
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[bytes.indices.randomElement(using: &random)!] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
    }

    /// No damage by chance is believed.
    @Test func everyFlippedBitIsNoticed() throws {
        try withSummary { url, _ throws in
            let bytes = try summaryBytes(url)
            #expect(PageSummary(bytes) != nil)
            for index in bytes.indices {
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    // The greatest rowid of the table is compared with the table.
                    if PageSummary(damaged) != nil { Issue.record("bit \(bit) of byte \(index)") }
                }
            }
            for length in bytes.indices where PageSummary(Array(bytes[..<length])) != nil {
                Issue.record("\(length) bytes")
            }
        }
    }

    /// Whatever is believed is consistent in itself, so that nothing made of it fails.
    @Test(arguments: Effort.some([UInt64](1...4))) func whatIsAcceptedCanBeUsed(seed: UInt64) throws {
        try withSummary(seed: seed) { url, _ throws in
            let bytes = try summaryBytes(url)
            var random = SplitMix64(seed: seed)
            var accepted = 0
            for _ in 0..<5_000 {
                var damaged = bytes
                damage(&damaged, &random)
                if damaged.isEmpty { continue }
                sign(&damaged)
                guard let summary = PageSummary(damaged) else { continue }
                accepted += 1
                let state = ViewState(summary)
                state.groups.root?.checkInvariants()
                state.addresses.root?.checkInvariants()
                state.groups.forEach { group, list in
                    list.pages.root?.checkInvariants()
                    list.pages.forEach { label, page in
                        let address = state.addresses[page.content.name]
                        #expect(address?.group == group && address?.label == label, "seed \(seed)")
                        return true
                    }
                    return true
                }
                #expect(state.addresses.count == summary.count, "seed \(seed)")
            }
            #expect(accepted > 0, "seed \(seed)")
        }
    }

    /// Damage by chance is ignored. What deceives gives an error with a code, or is found by the check.
    @Test(arguments: Effort.some([UInt64](1...3))) func aDamagedSummaryGivesTheListOrAnError(seed: UInt64) throws {
        try withSummary(seed: seed) { url, wanted throws in
            let bytes = try summaryBytes(url)
            var random = SplitMix64(seed: seed)
            for round in 0..<40 {
                let context: Comment = "seed \(seed), round \(round)"
                var damaged = bytes
                damage(&damaged, &random)
                let isSigned = round % 2 == 0 && !damaged.isEmpty
                if isSigned { sign(&damaged) }
                try setSummary(damaged, url)
                let problems = try YapDatabase.check(url: url)
                do {
                    try withItems(url, fewest: .max) { database throws in
                        let found = try groupsAndKeys(database)
                        if !isSigned { #expect(found == wanted, context) }
                        #expect(found == wanted || !problems.isEmpty, context)
                    }
                } catch let error as YapDatabaseError {
                    #expect(error.code == .corrupt && isSigned && !problems.isEmpty, context)
                }
            }
        }
    }

    /// Without the questions of `lists`, which compare places and would fail where the order is wrong.
    private func groupsAndKeys(_ database: YapDatabase) throws -> Lists {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            var lists: Lists = [:]
            for group in view.allGroups() {
                for index in 0..<Int(view.numberOfItems(inGroup: group)) {
                    lists[group, default: []].append(try view.key(at: index, inGroup: group) ?? "none")
                }
            }
            return lists
        }
    }

    /// The check compares a summary with the pages if it claims to be of the present state.
    @Test(
        arguments: [
            (
                "UPDATE view_items_page SET count = count - 1, data = substr(data, 9) WHERE rowid = 1",
                "the summary of its pages gives"
            ),
            ("UPDATE view_items_page SET \"group\" = 'other' WHERE \"group\" = 'A'", "the groups have other names"),
            (
                "UPDATE view_items_page SET data = substr(data, 9, 8) || substr(data, 1, 8) || substr(data, 17) "
                    + "WHERE count > 1", "begin with row"
            ),
        ])
    func theCheckFindsWhatTheSummarySaysWrongly(sql: String, expected: String) throws {
        try withSummary { url, _ throws in
            try foreignProgram(url).execute(sql)
            let problems = try YapDatabase.check(url: url).map(\.description)
            #expect(problems.contains { $0.contains(expected) }, "\(problems)")
            try foreignProgram(url).execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
            let later = try YapDatabase.check(url: url).map(\.description)
            #expect(!later.contains { $0.contains("summary") })
        }
    }

    /// A search that went by a first row that is none would put rows into a wrong place.
    @Test func aPageThatBeginsOtherwiseIsAnError() throws {
        try withSummary { url, _ throws in
            try foreignProgram(url).execute(
                "UPDATE view_items_page SET data = substr(data, 9, 8) || substr(data, 1, 8) || substr(data, 17) "
                    + "WHERE count > 1")
            try withItems(url, fewest: .max) { database throws in
                let error = #expect(throws: YapDatabaseError.self) { try groupsAndKeys(database) }
                #expect(error?.code == .corrupt && error?.description.contains("begins with another row") == true)
            }
        }
    }

    @Test func theCheckFindsADamagedSummary() throws {
        try withSummary { url, _ throws in
            var bytes = try summaryBytes(url)
            bytes[bytes.count - 1] ^= 1
            try setSummary(bytes, url)
            let problems = try YapDatabase.check(url: url).map(\.description)
            #expect(problems.count == 1 && problems[0].contains("the summary of its pages is damaged"))
        }
    }

    /// A value of another type, an unknown number: no summary.
    @Test(
        arguments: [
            "data = 'text' WHERE key = 'pages'", "data = NULL WHERE key = 'pages'", "data = 7 WHERE key = 'pages'",
            "data = x'' WHERE key = 'pages'", "data = 'text' WHERE key = 'pagesSnapshot'",
            "data = x'00' WHERE key = 'pagesSnapshot'", "data = 9223372036854775807 WHERE key = 'pagesSnapshot'",
            "data = -1 WHERE key = 'pagesSnapshot'", "data = NULL WHERE key = 'pagesSnapshot'",
        ])
    func otherValuesAreIgnored(change: String) throws {
        try withSummary { url, wanted throws in
            try foreignProgram(url).execute("UPDATE yap2 SET \(change)")
            try withItems(url) { database throws in
                #expect(!isFromSummary(database))
                #expect(try lists(database) == wanted)
            }
            try withItems(url) { #expect(isFromSummary($0)) }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
