import ListChanges
import SQLiteBridge

/// A row that an extension leaves out, because a program that keeps the extension could not decode it.
///
/// `yap2` has it under the extension's name, so that it goes with the extension:
///
///     key     undecodable:ROWID
///     value   the parts that the extension reads (o, m or om), a digest of them, and why they could not be decoded
///     key     undecodable
///     value   how many more there are, at least; not there if none
///
/// The digest tells whether the row is still the one that could not be decoded: programs that do not know these rows leave them as they
/// are.
package struct LeftOutRow: Hashable, Sendable {
    package let rowid: Int64
    package let key: RowKey
    package let cause: String

    package init(rowid: Int64, key: RowKey, cause: String) { (self.rowid, self.key, self.cause) = (rowid, key, cause) }
}

extension Store {
    private static let leftOutKey = "undecodable:"
    private static let othersKey = "undecodable"
    /// The most rows that are noted for one extension.
    package static let maxLeftOutRows = 1_000
    /// The most characters of a cause that are kept.
    private static let longestCause = 300
    /// The bytes of a value that the digest reads, beside its size.
    private static let digestedBytes = 64 << 10

    /// The rowids that are noted, by extension. Reads all of `yap2`.
    package func notedRowids() throws -> [String: Set<Int64>] {
        var noted: [String: Set<Int64>] = [:]
        let found = try all(
            #"SELECT "extension", "key" FROM "yap2" WHERE "key" > 'undecodable:' AND "key" < 'undecodable;'"#
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
        for (name, key) in found {
            if let rowid = Int64(key.dropFirst(Self.leftOutKey.count)) { noted[name, default: []].insert(rowid) }
        }
        return noted
    }

    /// The rows that an extension leaves out and that are still as they were.
    package func leftOutRows(extension name: String) throws -> [LeftOutRow] {
        let notes = try all(
            #"""
            SELECT "key", "data" FROM "yap2" WHERE "extension" = ? AND "key" > 'undecodable:' AND "key" < 'undecodable;' \#
            LIMIT \#(Self.maxLeftOutRows)
            """#, bind: { try $0.bind(name, at: 1) }
        ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
        return try notes.compactMap { key, note in
            let parts = note.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let rowid = Int64(key.dropFirst(Self.leftOutKey.count)),
                let columns = RowColumns(parts[0]), let (key, digest) = try digest(ofRow: rowid, columns),
                parts[1] == digest
            else { return nil }
            return LeftOutRow(rowid: rowid, key: key, cause: String(parts[2]))
        }.sorted { $0.rowid < $1.rowid }
    }

    /// How many more rows an extension leaves out, at least.
    package func otherLeftOutRows(extension name: String) throws -> Int {
        let count = try yapValue(extension: name, key: Self.othersKey)?.integer ?? 0
        return Int(clamping: max(0, count))
    }

    package func setOtherLeftOutRows(_ count: Int, extension name: String) throws {
        if count == 0 { return try removeYapValue(extension: name, key: Self.othersKey) }
        try setYapValue(.integer(Int64(count)), extension: name, key: Self.othersKey)
    }

    /// Notes a row that an extension leaves out.
    /// - Parameter digest: of the row as it is: ``digest(ofRow:_:)``.
    /// - Returns: false if the row is noted already.
    package func leaveOut(
        _ rowid: Int64, _ columns: RowColumns, digest: String, cause: String, extension name: String
    ) throws -> Bool {
        let cause = cause.prefix(Self.longestCause).filter { $0 != "\0" }
        let (key, note) = ("\(Self.leftOutKey)\(rowid)", "\(columns.letters) \(digest) \(cause)")
        if try yapText(extension: name, key: key) == note { return false }
        try setYapValue(.text(note), extension: name, key: key)
        return true
    }

    package func endLeavingOut(_ rowid: Int64, extension name: String) throws {
        try removeYapValue(extension: name, key: "\(Self.leftOutKey)\(rowid)")
    }

    package func endLeavingOutRows(extension name: String) throws {
        try run(
            #"DELETE FROM "yap2" WHERE "extension" = ? AND "key" >= 'undecodable' AND "key" < 'undecodable;'"#
        ) { try $0.bind(name, at: 1) }
    }

    /// The key of a row and a digest of its key and of these values; nil if there is no such row.
    package func digest(ofRow rowid: Int64, _ columns: RowColumns) throws -> (key: RowKey, digest: String)? {
        try row(rowid) { key, row in
            var digest = Digest()
            digest.add(key.collection)
            digest.add(key.key)
            if columns != .metadata { row.withObject { digest.add($0, atMost: Self.digestedBytes) } }
            if columns != .object { row.withMetadata { digest.add($0, atMost: Self.digestedBytes) } }
            return (key, String(digest.value, radix: 16))
        }
    }
}

extension RowColumns {
    fileprivate var letters: String {
        switch self {
        case .object: "o"
        case .metadata: "m"
        case .both: "om"
        }
    }

    fileprivate init?(_ letters: Substring) {
        switch letters {
        case "o": self = .object
        case "m": self = .metadata
        case "om": self = .both
        default: return nil
        }
    }
}

/// Fowler, Noll and Vo's function FNV-1a.
private struct Digest {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(UInt8.max)
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer?, atMost limit: Int) {
        for byte in bytes?.prefix(limit) ?? UnsafeRawBufferPointer(start: nil, count: 0).prefix(0) { add(byte) }
        withUnsafeBytes(of: (bytes?.count ?? -1).littleEndian) { for byte in $0 { add(byte) } }
    }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
