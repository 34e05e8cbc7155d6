import Foundation
import YapDatabase

/// The transactions of the probes. Transaction n of a writer leaves a state that is a function of n, so that any state
/// found later is either a committed one or broken.
///
/// `a`, `b` and `c` contain n. The entries of the last `kept` transactions are rows, three for each, and are in a view
/// with one group for each of the three, in order. With ``prepareAll(_:writers:tag:)`` they are in an extension of each kind too.
public struct Ledger {
    public static let view = "ledger"
    public static let kept = 60
    private static let marks = ["a", "b", "c"]

    public let writer: String

    public init(writer: String) { self.writer = writer }

    public struct Entry: Codable, Hashable, Sendable {
        public var number: Int
        public var lane: Int
        public var text: String
        /// Whose entry it is, for its edges; nil for one without.
        public var writer: String?

        public init(number: Int, lane: Int, text: String, writer: String? = nil) {
            self.number = number
            self.lane = lane
            self.text = text
            self.writer = writer
        }
    }

    private var marksCollection: String { "marks-\(writer)" }
    var entriesCollection: String { "entries-\(writer)" }

    public static func prepare(_ database: YapDatabase, writers: [String], tag: String = "1") throws {
        for ledger in writers.map({ Ledger(writer: $0) }) {
            database.registerCodableSerialization(Entry.self, forCollection: ledger.entriesCollection)
        }
        let view = YapDatabaseAutoView(
            grouping: .withObjectBlock { _, collection, _, object in
                (object as? Entry).map { "\(collection)/\($0.lane)" }
            },
            sorting: .withObjectBlock { _, _, _, _, first, _, _, second in
                let (a, b) = ((first as? Entry)?.number ?? 0, (second as? Entry)?.number ?? 0)
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            },
            versionTag: tag)
        try database.register(view, withName: Self.view)
    }

    /// - Parameter size: of the text in each entry, which determines how many pages a transaction changes.
    public func write(_ number: Int, size: Int, in transaction: YapDatabaseReadWriteTransaction) throws {
        for version in Self.marks { try transaction.setObject(number, forKey: version, inCollection: marksCollection) }
        for lane in 0..<3 {
            let entry = Entry(number: number, lane: lane, text: String(repeating: "x", count: size), writer: writer)
            try transaction.setObject(entry, forKey: Self.key(number, lane), inCollection: entriesCollection)
            // With a relationship, its rule removes the others.
            if lane > 0, transaction.ext(Self.graph) != nil { continue }
            let old = Self.key(number - Self.kept, lane)
            try transaction.removeObject(forKey: old, inCollection: entriesCollection)
        }
        try writeByHand(number, in: transaction)
    }

    /// Returns the number of the state that the transaction sees; throws if that state was never committed.
    public func number(in transaction: YapDatabaseReadTransaction) throws -> Int {
        let numbers = try Self.marks.map { version in
            try transaction.object(forKey: version, inCollection: marksCollection) as? Int ?? 0
        }
        try require(Set(numbers).count == 1, "\(writer): the marks are \(numbers), which no transaction wrote")
        let found = numbers[0]
        let kept = found == 0 ? 1..<1 : max(1, found - Self.kept + 1)..<found + 1
        try checkRows(kept, transaction)
        try checkView(kept, transaction)
        try checkExtensions(kept, transaction)
        return found
    }

    private func checkRows(_ kept: Range<Int>, _ transaction: YapDatabaseReadTransaction) throws {
        var entries: [String: Entry] = [:]
        try transaction.iterateKeysAndObjects(inCollection: entriesCollection) { (key, entry: Entry, _) in
            entries[key] = entry
        }
        let expected = kept.flatMap { number in (0..<3).map { Self.key(number, $0) } }
        let (missing, extra) = (Set(expected).subtracting(entries.keys), Set(entries.keys).subtracting(expected))
        try require(
            missing.isEmpty && extra.isEmpty, "\(writer): of \(kept) lacks \(missing.sorted()), has \(extra.sorted())")
        for (key, entry) in entries {
            try require(Self.key(entry.number, entry.lane) == key, "\(writer): the row \(key) is \(entry)")
        }
    }

    private func checkView(_ kept: Range<Int>, _ transaction: YapDatabaseReadTransaction) throws {
        guard let view = transaction.ext(Self.view) as? YapDatabaseViewTransaction else { return }
        for lane in 0..<3 {
            var keys: [String] = []
            try view.iterateKeys(inGroup: "\(entriesCollection)/\(lane)") { _, key, _, _ in keys.append(key) }
            try require(
                keys == kept.map { Self.key($0, lane) }, "\(writer): lane \(lane) of the view is \(keys), not \(kept)")
        }
    }

    static func key(_ number: Int, _ lane: Int) -> String { "\(number)-\(lane)" }
}
