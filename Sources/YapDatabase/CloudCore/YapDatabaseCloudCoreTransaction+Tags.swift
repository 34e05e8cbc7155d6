import FileEngine
import Foundation

/// Values that belong to a resource of the cloud, such as the eTag of a file.
///
/// A resource is named by a key, such as its URI, and each of its tags by an identifier; nil is the identifier `""`. All of these
/// throw ``YapDatabaseError`` with `badExtension` unless ``YapDatabaseCloudCoreOptions/enableTagSupport`` is set.
extension YapDatabaseCloudCoreTransaction {
    /// A tag: a `String`, an `NSNumber` or `Data`; nil if there is none.
    /// - Parameters:
    ///   - key: the name of the resource, such as its URI.
    ///   - identifier: the name of the tag; nil is `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableTagSupport`` is not set; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func tag(forKey key: String, withIdentifier identifier: String?) throws -> Any? {
        try checkTagSupport()
        return try tables.tag(key, identifier ?? "").flatMap(Self.value)
    }

    /// Stores a tag.
    /// - Parameter tag: a `String`, a number or `Data`; nil removes the tag.
    /// - Throws: ``YapDatabaseError`` with `encodingFailed` for a value of another type, for NaN, and for an integer that is larger than
    ///   `Int64.max`. Nothing is stored then.
    public func setTag(_ tag: Any?, forKey key: String, withIdentifier identifier: String?) throws {
        guard let tag else { return try removeTag(forKey: key, withIdentifier: identifier) }
        try checkTagSupport()
        guard let value = Self.stored(tag) else {
            throw YapDatabaseError(
                .encodingFailed,
                tag is String || tag is Data || tag is NSNumber || tag is any Numeric
                    ? "A tag is a number that SQLite can store: not \(tag), which is NaN or larger than Int64.max. It was not stored."
                    : "A tag is a String, a number or Data, not \(type(of: tag)). It was not stored.")
        }
        try readWriteTransaction("setTag").step { try tables.setTag(value, key, identifier ?? "") }
    }

    /// Visits the tags of a key, in the order of their identifiers.
    /// - Parameters:
    ///   - key: the name of the resource, such as its URI.
    ///   - body: called on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableTagSupport``
    ///   is not set; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateTags(
        forKey key: String, with body: (_ identifier: String, _ tag: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try checkTagSupport()
        var stop = false
        for (identifier, tag) in try tables.tags(key) {
            guard let tag = Self.value(tag) else { continue }
            try body(identifier, tag, &stop)
            if stop { return }
        }
    }

    /// Removes a tag. Others of the key stay.
    /// - Parameters:
    ///   - key: the name of the resource, such as its URI.
    ///   - identifier: the name of the tag; nil is `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableTagSupport`` is not set;
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before.
    public func removeTag(forKey key: String, withIdentifier identifier: String?) throws {
        try checkTagSupport()
        try readWriteTransaction("removeTag").step { try tables.removeTag(key, identifier ?? "") }
    }

    /// Removes all tags of a key.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if ``YapDatabaseCloudCoreOptions/enableTagSupport`` is not set;
    ///   `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost; `transactionFailed` if it was lost before.
    public func removeAllTags(forKey key: String) throws {
        try checkTagSupport()
        try readWriteTransaction("removeAllTags").step { try tables.removeTags(key) }
    }

    private func checkTagSupport() throws {
        guard !cloud.settings.enableTagSupport else { return }
        throw YapDatabaseError(
            .badExtension,
            "\"\(name)\" stores no tags. Set YapDatabaseCloudCoreOptions.enableTagSupport before it is created.")
    }

    private static func value(_ stored: SQLValue) -> Any? {
        switch stored {
        case .null: nil
        case .integer(let integer): NSNumber(value: integer)
        case .real(let real): NSNumber(value: real)
        case .text(let text): text
        case .blob(let bytes): Data(bytes)
        }
    }

    private static func stored(_ tag: Any) -> SQLValue? {
        switch BinaryPropertyList(scalar: tag) {
        case .string(let string): .text(string)
        case .data(let data): .blob(Array(data))
        case .bool(let bool): .integer(bool ? 1 : 0)
        case .integer(let integer): .integer(integer)
        // SQLite stores what is not a number as NULL.
        case .real(let real): real.isNaN ? nil : .real(real)
        default: nil
        }
    }
}
