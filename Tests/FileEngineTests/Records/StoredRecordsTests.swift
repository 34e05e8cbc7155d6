import SeededRandom
import TestSupport
import Testing

@testable import FileEngine

/// Commit records are found only as a chain without gaps.
@Suite struct StoredRecordsTests {
    /// Commits with records, of which some are left out.
    private func versions(_ store: Store, _ count: Int, leaving out: Set<Int> = [], size: Int = 3) throws
        -> [FileVersion]
    {
        var versions = [try store.read { try store.beginReadAgain() }]
        for number in 0..<count {
            var record: CommitRecord?
            let (before, after) = try store.write {
                try store.setYapValue(.integer(Int64(number)), extension: "test", key: "value")
                guard !out.contains(number) else { return }
                var after = versions.last!
                after.number += 1
                after.change = after.change.map { $0 &+ 1 }
                record = CommitRecord(before: versions.last!, after: after, content: Array(repeating: 9, count: size))
                try store.append(record!)
            }
            #expect(before == versions.last)
            if let record { #expect(record.after == after) }
            versions.append(after)
        }
        return versions
    }

    @Test func aWholeChainIsFoundBetweenAnyTwoVersions() throws {
        try withTemporaryStore { store, _ in
            let versions = try versions(store, 12)
            for from in versions.indices {
                for to in versions.indices {
                    let records = try store.read { store.records(from: versions[from], to: versions[to]) }
                    #expect(records?.count == (from < to ? to - from : nil), "from \(from) to \(to)")
                }
            }
        }
    }

    @Test func aChainWithAGapIsNoChain() throws {
        try withTemporaryStore { store, _ in
            let versions = try versions(store, 8, leaving: [3])
            #expect(try store.read { store.records(from: versions[0], to: versions[3]) }?.count == 3)
            #expect(try store.read { store.records(from: versions[0], to: versions[4]) } == nil)
            #expect(try store.read { store.records(from: versions[4], to: versions[8]) }?.count == 4)
        }
    }

    @Test func aRecordThatIsTooLargeIsLeftOut() throws {
        try withTemporaryStore { store, _ in
            let versions = try versions(store, 1, size: Store.recordLimit)
            #expect(try store.read { store.records(from: versions[0], to: versions[1]) } == nil)
        }
    }

    @Test func aTableOfAnotherShapeIsLeftAloneAndCostsNoCommit() throws {
        try withTemporaryStore { store, _ in
            try store.execute(#"CREATE TABLE "yap_commits" ("x")"#)
            let versions = try versions(store, 2)
            #expect(try store.read { store.records(from: versions[0], to: versions[2]) } == nil)
            #expect(try store.first("SELECT count(*) FROM yap_commits") { $0.int64(at: 0) } == 0)
        }
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func bytesThatAreNoRecordAreNone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<random.below(30)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            guard let record = CommitRecord(bytes[...]) else { continue }
            // What was read is written as bytes that mean the same.
            let again = CommitRecord(record.bytes[...])
            #expect(again?.before == record.before && again?.after == record.after, "seed \(seed): \(bytes)")
            #expect(again.map { Array($0.content) } == Array(record.content), "seed \(seed): \(bytes)")
        }
    }
}

extension Store {
    /// The version of the read transaction that is open.
    fileprivate func beginReadAgain() throws -> FileVersion {
        try rollback()
        return try beginRead()
    }
}
