import Foundation
import SQLiteBridge

/// An independent reader of the file format: SQL and a few lines here.
struct IndependentReader {
    let path: String

    /// Every row of a query, NULL as nil.
    func rows(_ sql: String) throws -> [[String?]] {
        let handle = try SQLiteHandle(path: path, mode: .readOnlyAlone)
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        var rows: [[String?]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.text(at: $0) }) }
        return rows
    }

    /// Returns the rowids of a view by group, in order: each page names its predecessor.
    func groups(ofView view: String) throws -> [String: [Int]] {
        let pages = try rows("SELECT pageKey, \"group\", prevPageKey, hex(data) FROM \"view_\(view)_page\"")
        var groups: [String: [Int]] = [:]
        for group in Set(pages.map { $0[1]! }) {
            var previous = ""
            while let page = pages.first(where: { $0[1] == group && ($0[2] ?? "") == previous }) {
                groups[group, default: []] += Self.numbers(page[3]!)
                previous = page[0]!
            }
        }
        return groups
    }

    /// Little-endian 64-bit numbers in hexadecimal.
    private static func numbers(_ hex: String) -> [Int] {
        stride(from: 0, to: hex.count, by: 16).map { start in
            let digits = hex.dropFirst(start).prefix(16)
            let bytes = stride(from: 14, through: 0, by: -2).map { digits.dropFirst($0).prefix(2) }
            return Int(truncatingIfNeeded: UInt64(bytes.joined(), radix: 16)!)
        }
    }

    /// Decodes a row's bytes with Foundation's own readers.
    func object(_ hex: String?) throws -> Any? {
        guard let hex else { return nil }
        let data = Data(stride(from: 0, to: hex.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16)! })
        guard data.starts(with: Data("bplist".utf8)) else {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        }
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        guard (list as? [String: Any])?["$archiver"] != nil else { return list }
        let reader = try NSKeyedUnarchiver(forReadingFrom: data)
        reader.requiresSecureCoding = false
        reader.setClass(ArchivedMessage.self, forClassName: "Message")
        let value = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        return (value as? ArchivedMessage)?.fields ?? value.map(ArchivedMessage.json)
    }
}

/// The chat file's class, with its fields as the browser shows them.
private final class ArchivedMessage: NSObject, NSCoding {
    let fields: [String: Any]

    init(coder: NSCoder) {
        let texts = ["sender", "text", "conversation"].map { ($0, coder.decodeObject(forKey: $0) as Any) }
        fields = Dictionary(uniqueKeysWithValues: texts).merging([
            "$class": "Message", "date": Self.json(coder.decodeObject(forKey: "date") as Any),
            "serverID": coder.decodeInt64(forKey: "serverID"), "isRead": coder.decodeBool(forKey: "isRead"),
        ]) { $1 }
    }

    func encode(with coder: NSCoder) { preconditionFailure("This reader never writes.") }

    /// Returns a date in its JSON form; anything else unchanged.
    static func json(_ value: Any) -> Any {
        guard let date = value as? Date else { return value }
        let seconds = date.timeIntervalSinceReferenceDate
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded())
        return ["$date": date.formatted(style)]
    }
}
