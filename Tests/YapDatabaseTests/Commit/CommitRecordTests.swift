import Foundation
import ListChanges
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
import ViewPageKeys
@testable import YapDatabase

/// The table by which processes tell each other of their commits, played by two stores of one file.
@Suite struct CommitRecordTests {
    private func version(_ number: Int) -> FileVersion { FileVersion(number: number, change: UInt32(number + 100)) }

    private func record(_ number: Int, key: String = "k", index: Int = 0) -> CommitRecord {
        var changes = RowChanges()
        changes.insert(.object, for: RowKey(collection: "c", key: key))
        let insertion = RawOperation.insertRow(group: "A", index: index, key: RowKey(collection: "c", key: key))
        let log = ViewLog(operations: OperationLog([insertion]))
        let content = CommitContent(edits: RowEdits(changes), logs: ["view": log.bytes ?? []], isIncomplete: false)
        return CommitRecord(before: version(number - 1), after: version(number), content: content.bytes)
    }

    /// New rows are written as they are listed.
    @Test(arguments: 1...(20 as UInt64)) func aRecordSaysWhatWasEdited(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var edits = RowEdits()
        for _ in 0..<random.below(60) {
            let key = RowKey(collection: random.pick(["a", "b", "e\u{301}", "\u{e9}"]), key: "\(random.below(12))")
            switch random.below(12) {
            case 0: edits.clear(key.collection)
            case 1 where random.below(4) == 0: edits.clearAll()
            case 2...6: edits.insert(key)
            default: edits.change(random.pick([.object, .metadata, .removed, [.object, .metadata]]), for: key)
            }
        }
        let content = CommitContent(edits: edits, logs: [:], isIncomplete: false)
        let read = try #require(CommitContent(content.bytes[...])).changes
        let written = edits.changes
        let context: Comment = "seed \(seed)"
        #expect(read.rows == written.rows && read.count == written.count, context)
        #expect(read.isAllCleared == written.isAllCleared, context)
        #expect(read.clearedCollections == written.clearedCollections, context)
    }

    private func logs(_ record: CommitRecord) -> [String: any ExtensionLog]? {
        guard let read = CommitContent(record.content)?.logs.mapValues({ ViewLog($0[...]) }) else { return nil }
        return read.values.contains { $0 == nil } ? nil : read.compactMapValues { $0 }
    }

    private func state(_ rows: Int) -> ViewState {
        var state = ViewState()
        let content = PageContent(PageKey("p"), rows: Array(0..<Int64(rows)))
        let page = Page(count: rows, content: content)
        if rows > 0 {
            state.groups = SortedTree(sorted: [("A", PageList(pages: SortedTree(sorted: [(0, page)])))])
        }
        return state
    }

    private func snapshot(_ number: Int, rows: Int) -> Snapshot {
        let entry = Snapshot.Entry(name: "view", extension: RecordingExtension(), state: state(rows))
        return Snapshot(version: version(number), extensions: [entry])
    }

    private func withStores(_ body: (Store, Store) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            let path = database.databaseURL.path
            let stores = try (0..<2).map { _ in try Store(path: path, mode: .readWrite, busyTimeout: 1_000) }
            try body(stores[0], stores[1])
        }
    }

    private func append(_ records: [CommitRecord], _ store: Store) throws {
        try store.inWriteTransaction { for record in records { try store.append(record) } }
    }

    private func keys(_ store: Store, from before: Int, to after: Int) -> [String]? {
        store.records(from: version(before), to: version(after))?.flatMap { record in
            CommitContent(record.content)?.changes.rows.values.flatMap { $0.keys.map(\.text) } ?? []
        }
    }

    @Test func aChainOfRecordsLeadsFromOneStateToAnother() throws {
        try withStores { writer, reader in
            #expect(keys(reader, from: 4, to: 5) == nil)
            for number in 5...9 { try append([record(number, key: "k\(number)")], writer) }
            #expect(keys(reader, from: 4, to: 6) == ["k5", "k6"])
            #expect(keys(reader, from: 7, to: 9) == ["k8", "k9"])
            // A link is missing, the ends do not fit, or there is nothing between them.
            for (before, after) in [(3, 5), (7, 10), (9, 7), (7, 7)] {
                #expect(keys(reader, from: before, to: after) == nil)
            }
            #expect(reader.records(from: FileVersion(number: 4, change: 7), to: version(5)) == nil)
        }
    }

    @Test func aRecordIsGoneWithItsCommit() throws {
        try withStores { writer, reader in
            try append([record(5)], writer)
            struct Refused: Error {}
            #expect(throws: Refused.self) {
                try writer.inWriteTransaction {
                    try writer.append(record(6))
                    throw Refused()
                }
            }
            #expect(keys(reader, from: 4, to: 5) == ["k"] && keys(reader, from: 5, to: 6) == nil)
        }
    }

    @Test func whatIsKeptIsBounded() throws {
        try withStores { writer, reader in
            for start in stride(from: 1, through: 3_000, by: 100) {
                try append((start..<start + 100).map { record($0) }, writer)
            }
            let count = try reader.first("SELECT COUNT(*) FROM yap_commits") { Int($0.int64(at: 0)) } ?? 0
            #expect((500...Store.recordCountLimit + 100).contains(count))
            let long = String(repeating: "k", count: Store.recordLimit / 2 - 1_000)
            for number in 3_001...3_020 { try append([record(number, key: long)], writer) }
            let bytes = try reader.first("SELECT SUM(length(data)) FROM yap_commits") { Int($0.int64(at: 0)) } ?? 0
            #expect(bytes <= 2 * Store.recordsLimit)
            #expect(keys(reader, from: 3_018, to: 3_020)?.count == 2)
            // One that is larger is a reload.
            try append([record(3_021, key: long + long)], writer)
            #expect(keys(reader, from: 3_020, to: 3_021) == nil)
        }
    }

    /// What another program may have put in the place of the table.
    private static let strangers = [
        "CREATE TABLE yap_commits (number TEXT, data INTEGER CHECK (0))",
        "CREATE TABLE Yap_Commits (\"number\" INTEGER PRIMARY KEY, \"data\" BLOB)",
        "CREATE VIEW yap_commits AS SELECT 1 AS number, x'00' AS data",
        "CREATE VIEW yap_commits AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS number, 0 AS data FROM n",
        "CREATE VIRTUAL TABLE yap_commits USING fts4(number, data)",
    ]

    @Test(.ends(within: 300), arguments: strangers) func whateverHasItsNameCostsExactnessOnly(_ stranger: String)
        throws
    {
        try withStores { writer, reader in
            let program = try foreignProgram(URL(filePath: writer.handle.path))
            try program.execute(stranger)
            try append([record(5)], writer)
            #expect(keys(reader, from: 4, to: 5) == nil)
            reader.dropRecords()
            try program.execute("DROP \(stranger.hasPrefix("CREATE VIEW") ? "VIEW" : "TABLE") yap_commits")
            try append([record(6)], writer)
            #expect(keys(reader, from: 5, to: 6) == ["k"])
            // Dropped behind the back of a store that has seen it.
            try program.execute("DROP TABLE yap_commits")
            try append([record(7)], writer)
            try append([record(8)], writer)
            #expect(keys(reader, from: 7, to: 8) == ["k"])
        }
    }

    /// What a random record had.
    @Test func versionsWhoseNumbersAreFarApartAreNotNumberedThrough() {
        let (least, most) = (FileVersion(number: .min, change: 1), FileVersion(number: .max, change: 0))
        #expect(!least.isNumberedThrough(most) && !most.isNumberedThrough(least))
    }

    @Test func damagedRecordsAreNotBelieved() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SplitMix64(seed: seed)
        let whole = record(5, key: String(repeating: "key", count: 20)).bytes
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[bytes.indices.randomElement(using: &random)!] = .random(in: 0...255, using: &random)
                case 1: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
                default:
                    // The largest numbers that the format can tell.
                    let place = Int.random(in: 0...bytes.count, using: &random)
                    bytes.insert(contentsOf: [UInt8](repeating: 0xff, count: 9) + [0x01], at: place)
                }
                if bytes.isEmpty { bytes = whole }
            }
            guard let read = CommitRecord(bytes[...]) else { continue }
            let logs = logs(read) ?? [:]
            for operation in logs.values.flatMap({ ($0 as? ViewLog)?.operations ?? .empty }) {
                if case .insertRow(_, let index, _) = operation { #expect(index >= 0, "seed \(seed)") }
            }
            // Must not trap, whatever it says.
            _ = read.bytes
            _ = CommitContent(read.content)?.bytes
            _ = read.before.isNumberedThrough(read.after)
            _ = snapshot(5, rows: 2).isReached(from: snapshot(4, rows: 1), by: [logs])
        }
    }

    @Test(arguments: [-1, 1, 5, Int.max]) func aLogThatDoesNotFitTheRowsIsNotBelieved(index: Int) {
        let before = snapshot(4, rows: 1)
        func agrees(_ record: CommitRecord, with rows: Int) -> Bool {
            logs(record).map { snapshot(5, rows: rows).isReached(from: before, by: [$0]) } ?? false
        }
        #expect(agrees(record(5, index: 1), with: 2))
        #expect(!agrees(record(5, index: 1), with: 3))
        if index > 1 { #expect(!agrees(record(5, index: index), with: 2)) }
        let isIndex = (0...Int(Int32.max)).contains(index)
        #expect((logs(record(5, index: index)) != nil) == isIndex)
    }
}
