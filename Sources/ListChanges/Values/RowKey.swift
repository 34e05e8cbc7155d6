/// The identity of a row: the collection and the key under which it is stored.
///
/// Two snapshots hold the same row exactly if they hold the same `RowKey`; its place, its group and its content may all
/// differ.
///
/// Two keys are equal if their bytes are, as in SQLite: strings that Swift treats as equal may be different keys.
public struct RowKey: Sendable {
    /// The collection that holds the row; `""` is a collection, too.
    public var collection: String
    /// The row's key, unique in its collection.
    public var key: String

    /// Creates the identity of a row; the row need not exist.
    /// - Parameters:
    ///   - collection: the collection that holds the row.
    ///   - key: the key of the row, unique in its collection.
    public init(collection: String, key: String) {
        self.collection = collection
        self.key = key
    }
}

extension RowKey {
    /// Stands for a removed row whose key is not known, because a program removed it without a record. No change names it.
    package static func unknown(rowid: Int64) -> RowKey { RowKey(collection: "", key: "\(unknownMark)\(rowid)") }

    package var isUnknown: Bool {
        collection.isEmpty && key.utf8.first == 0 && key.hasPrefix(Self.unknownMark)
    }

    private static let unknownMark = "\u{0}removed row "
}

extension RowKey: Hashable {
    public static func == (one: RowKey, other: RowKey) -> Bool {
        one.key.hasSameBytes(as: other.key) && one.collection.hasSameBytes(as: other.collection)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(byteHash)
    }

    /// As of ``ExactString``.
    public func _rawHashValue(seed: Int) -> Int { byteHash.seeded(seed) }

    /// A hash of the bytes that depends on a secret of the process.
    package var byteHash: UInt64 {
        // Most keys differ from each other in the key, so a multiplication suffices to tell collections apart.
        key.byteHash &+ collection.byteHash &* 0x9E37_79B9_7F4A_7C15
    }
}

/// Encoded as `collection` and `key`, the names of the original's `YapCollectionKey`.
extension RowKey: Codable {}

extension RowKey: CustomStringConvertible {
    /// `collection/key`, or only the key in the collection `""`. Of a row that a list or a join derives, `name/key`.
    public var description: String { collection.isEmpty ? key : "\(Self.shown(collection: collection))/\(key)" }
}

extension RowKey {
    /// Begins the names of collections of derived rows: a private character, the last that there is, with which no program's collection begins.
    package static let derivedMark = "\u{10FFFD}"

    /// The name of a collection as a person knows it: that of the list or the join, of rows that one derives.
    package static func shown(collection: String) -> String {
        // By scalars: an accent with which a name begins would be one character with the mark.
        let scalars = collection.unicodeScalars
        return scalars.starts(with: derivedMark.unicodeScalars) ? String(scalars.dropFirst()) : collection
    }
}
