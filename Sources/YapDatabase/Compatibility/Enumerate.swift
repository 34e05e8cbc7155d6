import Foundation
import ListChanges

// What secondary indexes, R-trees and full-text searches find, under the original's other names: `enumerate…` is `iterate…`.

extension YapDatabaseRowFinder {
    /// The original's other name of ``iterateKeys(matching:using:)``.
    public func enumerateKeys(
        matching query: Query, using block: (String, String, inout Bool) throws -> Void
    ) throws { try iterateKeys(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndMetadata(matching:using:)``.
    public func enumerateKeysAndMetadata(
        matching query: Query, using block: (String, String, Any?, inout Bool) throws -> Void
    ) throws { try iterateKeysAndMetadata(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndObjects(matching:using:)``.
    public func enumerateKeysAndObjects(
        matching query: Query, using block: (String, String, Any, inout Bool) throws -> Void
    ) throws { try iterateKeysAndObjects(matching: query, using: block) }

    /// The original's other name of ``iterateRows(matching:using:)``.
    public func enumerateRows(
        matching query: Query, using block: (String, String, Any, Any?, inout Bool) throws -> Void
    ) throws { try iterateRows(matching: query, using: block) }
}

// The names of the original. `iterate…` has the same with ranges and flags of Swift.
extension YapDatabaseViewTransaction {
    /// The original's form of ``iterateKeys(inGroup:reversed:range:using:)``. Positions of `range` beyond the end of the group are ignored.
    public func enumerateKeys(
        inGroup group: String, with options: NSEnumerationOptions = [], range: NSRange? = nil,
        using block: (_ collection: String, _ key: String, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        try iterateKeys(
            inGroup: group, reversed: options.contains(.reverse), range: range.map(\.positions), using: block)
    }

    /// The original's form of ``iterateKeysAndObjects(inGroup:reversed:range:filter:using:)``.
    public func enumerateKeysAndObjects(
        inGroup group: String, with options: NSEnumerationOptions = [], range: NSRange? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterateKeysAndObjects(
            inGroup: group, reversed: options.contains(.reverse), range: range.map(\.positions), filter: filter,
            using: block)
    }

    /// The original's form of ``iterateKeysAndMetadata(inGroup:reversed:range:filter:using:)``.
    public func enumerateKeysAndMetadata(
        inGroup group: String, with options: NSEnumerationOptions = [], range: NSRange? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (
            _ collection: String, _ key: String, _ metadata: Any?, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterateKeysAndMetadata(
            inGroup: group, reversed: options.contains(.reverse), range: range.map(\.positions), filter: filter,
            using: block)
    }

    /// The original's form of ``iterateRows(inGroup:reversed:range:filter:using:)``.
    public func enumerateRows(
        inGroup group: String, with options: NSEnumerationOptions = [], range: NSRange? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterateRows(
            inGroup: group, reversed: options.contains(.reverse), range: range.map(\.positions), filter: filter,
            using: block)
    }
}

extension NSRange {
    /// Empty for a range that was not found.
    fileprivate var positions: Range<Int> { Range(self) ?? 0..<0 }
}

// Other forms of `rowKey(at:inGroup:)` and `object(at:inGroup:)`. They throw what these throw.
extension YapDatabaseViewTransaction {
    /// The original's form of ``rowKey(at:inGroup:)``.
    public func getCollectionKey(atIndex index: Int, inGroup group: String) throws -> (String, String)? {
        try rowKey(at: index, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The key alone of ``rowKey(at:inGroup:)``.
    public func key(at index: Int, inGroup group: String) throws -> String? {
        try rowKey(at: index, inGroup: group)?.key
    }

    /// The collection alone of ``rowKey(at:inGroup:)``.
    public func collection(at index: Int, inGroup group: String) throws -> String? {
        try rowKey(at: index, inGroup: group)?.collection
    }

    /// The original's form of ``rowKey(at:inGroup:)`` for the first row.
    public func getFirstKey(inGroup group: String) throws -> (collection: String, key: String)? {
        try rowKey(at: 0, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The original's form of ``rowKey(at:inGroup:)`` for the last row.
    public func getLastKey(inGroup group: String) throws -> (collection: String, key: String)? {
        try rowKey(at: numberOfItems(inGroup: group) - 1, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The form of `object(at:inGroup:)` in the original's documents.
    public func object(atIndex index: Int, inGroup group: String) throws -> Any? {
        try object(at: index, inGroup: group)
    }
}
