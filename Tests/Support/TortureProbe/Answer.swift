import Foundation
import TortureLedger
import YapDatabase

/// All that a database returns about its content.
struct Answer: Equatable {
    private var rows: [String: String] = [:]
    private var groups: [String: [String]] = [:]

    init(_ transaction: YapDatabaseReadTransaction) throws {
        for collection in try transaction.allCollections() {
            try transaction.iterateKeysAndObjects(inCollection: collection) { (key, object: Any, _) in
                rows["\(collection)/\(key)"] = "\(object)"
            }
        }
        guard let view = transaction.ext(Ledger.view) as? YapDatabaseViewTransaction else { return }
        for group in view.allGroups() {
            try view.iterateKeys(inGroup: group) { collection, key, _, _ in
                groups[group, default: []].append("\(collection)/\(key)")
            }
        }
    }

    /// Opens the file, reads all of it, writes a row and reads that.
    static func byUse(of path: String) throws -> Answer {
        var options = YapDatabaseOptions()
        // The test does not simulate a power failure.
        options.pragmaSynchronous = .off
        let database = try YapDatabase(url: URL(filePath: path), options: options)
        defer { try? database.close() }
        try Ledger.prepare(database, writers: writers)
        let connection = try database.newConnection()
        let answer = try connection.read { try Answer($0) }
        let entry = Ledger.Entry(number: 1_000_000, lane: 0, text: "new")
        try connection.readWrite { try $0.setObject(entry, forKey: "new", inCollection: "entries-w0") }
        let found = try connection.read { try $0.object(forKey: "new", inCollection: "entries-w0") }
        try require(found as? Ledger.Entry == entry, "the row just written is \(found ?? "missing")")
        return answer
    }

    /// Returns the differences as text.
    func difference(from other: Answer) -> String {
        let rows = Set(rows.map { "\($0): \($1)" }).symmetricDifference(other.rows.map { "\($0): \($1)" })
        let groups = Set(groups.map { "\($0): \($1)" }).symmetricDifference(other.groups.map { "\($0): \($1)" })
        return (rows.sorted() + groups.sorted()).joined(separator: "\n").prefix(2_000).description
    }

    /// Whether the number of rows and groups is the same, and all but a few texts: the possible effect of one byte in a
    /// stored text.
    func differsInOneText(from other: Answer) -> Bool {
        let common = rows.filter { other.rows[$0.key] == $0.value }.count
        return rows.count == other.rows.count && common >= rows.count - 1
            && groups.values.map(\.count).sorted() == other.groups.values.map(\.count).sorted()
    }
}
