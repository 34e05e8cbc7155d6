import Foundation

// The names of the original. `iterate…` has the same with ranges and flags of Swift.
extension YapDatabaseViewTransaction {
    /// Calls the block for the keys of a group until it sets `stop`. Positions of `range` beyond the end of the group are ignored.
    public func enumerateKeys(
        inGroup group: String, with options: NSEnumerationOptions = [], range: NSRange? = nil,
        using block: (_ collection: String, _ key: String, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        try iterateKeys(
            inGroup: group, reversed: options.contains(.reverse), range: range.map(\.positions), using: block)
    }

    /// Calls the block for keys and objects of a group until it sets `stop`. Only rows that pass `filter` are decoded.
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

    /// Calls the block for keys and metadata of a group until it sets `stop`. Only rows that pass `filter` are decoded.
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

    /// Calls the block for keys, objects and metadata of a group until it sets `stop`. Only rows that pass `filter` are
    /// decoded.
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
