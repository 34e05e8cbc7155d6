import Foundation

/// Tells where a row is in relation to the rows that are searched.
///
/// ```swift
/// let find = YapDatabaseViewFind.withObjectBlock { _, _, object in
///     let year = (object as! Movie).year
///     return year < 1990 ? .orderedAscending : year > 1999 ? .orderedDescending : .orderedSame
/// }
/// ```
///
/// The block returns `.orderedAscending` for a row before the wanted ones, `.orderedSame` for a wanted row and
/// `.orderedDescending` for one after them. It must agree with the order of the view.
public struct YapDatabaseViewFind: Sendable {
    /// (collection and key of a row)
    public typealias KeyBlock = @Sendable (String, String) throws -> ComparisonResult
    /// (collection, key and object of a row)
    public typealias ObjectBlock = @Sendable (String, String, Any) throws -> ComparisonResult
    /// (collection, key and metadata of a row)
    public typealias MetadataBlock = @Sendable (String, String, Any?) throws -> ComparisonResult
    /// (collection, key, object and metadata of a row)
    public typealias RowBlock = @Sendable (String, String, Any, Any?) throws -> ComparisonResult

    let needs: RowNeeds
    let compare: @Sendable (RowContent) throws -> ComparisonResult

    /// Finds rows by a block that needs the key.
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        Self(needs: []) { try block($0.key.collection, $0.key.key) }
    }
    /// Finds rows by a block that needs the object.
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        Self(needs: .object) { try block($0.key.collection, $0.key.key, $0.object) }
    }
    /// Finds rows by a block that needs the metadata.
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata) { try block($0.key.collection, $0.key.key, $0.metadata) }
    }
    /// Finds rows by a block that needs object and metadata.
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata]) { try block($0.key.collection, $0.key.key, $0.object, $0.metadata) }
    }
}
