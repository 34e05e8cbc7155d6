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
    public typealias KeyBlock = @Sendable (String, String) throws -> ComparisonResult
    public typealias ObjectBlock = @Sendable (String, String, Any) throws -> ComparisonResult
    public typealias MetadataBlock = @Sendable (String, String, Any?) throws -> ComparisonResult
    public typealias RowBlock = @Sendable (String, String, Any, Any?) throws -> ComparisonResult

    let needs: RowNeeds
    let compare: @Sendable (RowContent) throws -> ComparisonResult

    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        Self(needs: []) { try block($0.key.collection, $0.key.key) }
    }
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        Self(needs: .object) { try block($0.key.collection, $0.key.key, $0.object!) }
    }
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata) { try block($0.key.collection, $0.key.key, $0.metadata) }
    }
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata]) { try block($0.key.collection, $0.key.key, $0.object!, $0.metadata) }
    }
}
