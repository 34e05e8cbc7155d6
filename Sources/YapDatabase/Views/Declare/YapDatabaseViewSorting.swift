import Foundation

/// Decides which of two rows of one group comes first.
///
/// ```swift
/// let sorting = YapDatabaseViewSorting.withObjectBlock { _, group, _, key1, object1, _, key2, object2 in
///     (object1 as! Book).title.compare((object2 as! Book).title)
/// }
/// ```
///
/// Rows that compare as `.orderedSame` keep the order in which they were inserted; in a view whose blocks take nothing but keys, those that
/// were there before the view are in the order of their keys. An insert calls the block for O(log n) pairs. The block must define a total
/// order; one that contradicts itself leaves the view unsorted, but never damaged, and where that is noticed the log handler is told
/// (``YapDatabase/setLogHandler(_:)``).
///
/// A block runs on the thread of the transaction that writes the row, and on threads of the library while the view is filled or brought
/// up to date.
public struct YapDatabaseViewSorting: Sendable {
    /// (transaction, group, collection and key of the first row, of the second)
    public typealias KeyBlock =
        @Sendable (YapDatabaseReadTransaction, String, String, String, String, String) throws -> ComparisonResult
    /// (transaction, group, collection, key and object of the first row, of the second)
    public typealias ObjectBlock =
        @Sendable (YapDatabaseReadTransaction, String, String, String, Any, String, String, Any) throws ->
        ComparisonResult
    /// (transaction, group, collection, key and metadata of the first row, of the second)
    public typealias MetadataBlock =
        @Sendable (YapDatabaseReadTransaction, String, String, String, Any?, String, String, Any?) throws ->
        ComparisonResult
    /// (transaction, group, collection, key, object and metadata of the first row, of the second)
    public typealias RowBlock =
        @Sendable (YapDatabaseReadTransaction, String, String, String, Any, Any?, String, String, Any, Any?) throws ->
        ComparisonResult

    let needs: RowNeeds
    let invoke: YapDatabaseBlockInvoke
    private let block: Block
    /// A number for a row, such that rows with different numbers are ordered as the numbers are. The block decides about the others.
    ///
    /// A list declared by fields gets it from the first field, as far as 64 bits can tell values apart. Sorts and
    /// merges compare these numbers first.
    let prefix: (@Sendable (RowContent) throws -> UInt64)?
    /// The numbers of all fields that decide, in their turn, up to the first field that has none. Places are estimated with them.
    let steps: [Step]
    /// Compares rows by what is read out of their bytes; nil if that does not decide the order.
    let keys: SortKeys?

    struct Step: Sendable {
        let number: @Sendable (RowContent) throws -> UInt64
        /// Whether distances between the numbers are those of the fields. Of texts they are not.
        let isEven: Bool
    }

    typealias Block =
        @Sendable (YapDatabaseReadTransaction, String, RowContent, RowContent) throws -> ComparisonResult

    init(
        needs: RowNeeds, invoke: YapDatabaseBlockInvoke, prefix: (@Sendable (RowContent) throws -> UInt64)? = nil,
        steps: [Step] = [], keys: SortKeys? = nil, block: @escaping Block
    ) {
        (self.needs, self.invoke, self.block) = (needs, invoke, block)
        (self.prefix, self.steps, self.keys) = (prefix, steps, keys)
    }

    /// The number of a row, where numbers decide the order alone.
    func number(of row: RowContent) throws -> UInt64 {
        // Not `map`, for which the closure would be wrapped in an object with each call.
        guard let prefix else { return 0 }
        return try row.prefix(prefix)
    }

    /// Returns about how far a row is from the first row on the way to the last, from 0 to 1, by the first field in which they differ. Nil where that
    /// field's numbers do not tell, or the row is not between them.
    func share(of row: RowContent, between first: RowContent, and last: RowContent) throws -> Double? {
        if let keys, first.isKeyAlone || last.isKeyAlone {
            return keys.share(
                of: try row.sortKey(keys), between: try first.sortKey(keys), and: try last.sortKey(keys))
        }
        for step in steps {
            let (least, number, most) = (try step.number(first), try step.number(row), try step.number(last))
            if least == number, number == most { continue }
            return step.isEven ? Self.share(of: number, between: least, and: most) : nil
        }
        return nil
    }

    /// The same for numbers. A row belongs behind those that are equal to it, which end about half a number later. Where these begin with the first,
    /// nothing says how many they are.
    static func share(of number: UInt64, between least: UInt64, and most: UInt64) -> Double? {
        guard least < number, number <= most else { return nil }
        return min((Double(number - least) + 0.5) / Double(most - least), 1)
    }

    func compare(
        _ transaction: YapDatabaseReadTransaction, _ group: String, _ first: RowContent, _ second: RowContent
    ) throws -> ComparisonResult {
        // Of two rows at hand, the first fields mostly decide.
        if let keys, first.isKeyAlone || second.isKeyAlone {
            return keys.compare(try first.sortKey(keys), try second.sortKey(keys))
        }
        if let prefix {
            let (a, b) = (try first.prefix(prefix), try second.prefix(prefix))
            if a != b { return a < b ? .orderedAscending : .orderedDescending }
        }
        return try block(transaction, group, first, second)
    }

    /// Sorts by a block that needs only the key. It is called once for a row.
    ///
    /// ```swift
    /// let sorting = YapDatabaseViewSorting.withKeyBlock { _, group, _, key1, _, key2 in key1.compare(key2) }
    /// ```
    public static func withKeyBlock(_ block: @escaping KeyBlock) -> Self {
        withOptions(.onInsertOnly, keyBlock: block)
    }
    /// Sorts by a block that needs the object. It is called again when the object was set or touched.
    ///
    /// ```swift
    /// let sorting = YapDatabaseViewSorting.withObjectBlock { _, group, _, _, object1, _, _, object2 in
    ///     ((object1 as? Book)?.title ?? "").compare((object2 as? Book)?.title ?? "")
    /// }
    /// ```
    public static func withObjectBlock(_ block: @escaping ObjectBlock) -> Self {
        withOptions([.ifObjectModified, .ifObjectTouched], objectBlock: block)
    }
    /// Sorts by a block that needs the metadata. It is called again when the metadata were set or touched.
    ///
    /// ```swift
    /// let sorting = YapDatabaseViewSorting.withMetadataBlock { _, group, _, _, metadata1, _, _, metadata2 in
    ///     (metadata1 as? Date ?? .distantPast).compare(metadata2 as? Date ?? .distantPast)
    /// }
    /// ```
    public static func withMetadataBlock(_ block: @escaping MetadataBlock) -> Self {
        withOptions([.ifMetadataModified, .ifMetadataTouched], metadataBlock: block)
    }
    /// Sorts by a block that needs object and metadata. It is called again after every change of the row.
    ///
    /// ```swift
    /// let sorting = YapDatabaseViewSorting.withRowBlock { _, group, _, key1, object1, date1, _, key2, object2, date2 in
    ///     let order = (date1 as? Date ?? .distantPast).compare(date2 as? Date ?? .distantPast)
    ///     return order == .orderedSame ? key1.compare(key2) : order
    /// }
    /// ```
    public static func withRowBlock(_ block: @escaping RowBlock) -> Self {
        withOptions(.any, rowBlock: block)
    }

    /// Sorts by a block that needs the key and is called again as `options` say.
    ///
    /// ```swift
    /// let sorting = YapDatabaseViewSorting.withOptions(.any, keyBlock: { _, group, _, key1, _, key2 in key1.compare(key2) })
    /// ```
    ///
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - keyBlock: receives the key.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, keyBlock: @escaping KeyBlock) -> Self {
        Self(needs: [], invoke: options) { transaction, group, a, b in
            try keyBlock(transaction, group, a.key.collection, a.key.key, b.key.collection, b.key.key)
        }
    }
    /// Sorts by a block that needs the object and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - objectBlock: receives key and object.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, objectBlock: @escaping ObjectBlock) -> Self {
        Self(needs: .object, invoke: options) { transaction, group, a, b in
            try objectBlock(
                transaction, group, a.key.collection, a.key.key, a.object, b.key.collection, b.key.key, b.object)
        }
    }
    /// Sorts by a block that needs the metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - metadataBlock: receives key and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, metadataBlock: @escaping MetadataBlock) -> Self {
        Self(needs: .metadata, invoke: options) { transaction, group, a, b in
            try metadataBlock(
                transaction, group, a.key.collection, a.key.key, a.metadata, b.key.collection, b.key.key, b.metadata)
        }
    }
    /// Sorts by a block that needs object and metadata and is called again as `options` say.
    /// - Parameters:
    ///   - options: when the block is called again for a row.
    ///   - rowBlock: receives key, object and metadata.
    public static func withOptions(_ options: YapDatabaseBlockInvoke, rowBlock: @escaping RowBlock) -> Self {
        Self(needs: [.object, .metadata], invoke: options) { transaction, group, a, b in
            try rowBlock(
                transaction, group, a.key.collection, a.key.key, a.object, a.metadata, b.key.collection, b.key.key,
                b.object, b.metadata)
        }
    }
}

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
/// `.orderedDescending` for one after them. It must agree with the order of the view. It runs on the thread that searches.
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
