/// Places the rows of a view that is declared by fields: by a row's value alone, without a transaction, so that many rows can be
/// decoded and placed on several threads.
///
/// So the closures of a list run on any thread. `docs/decisions/fields-from-bytes.md` has the reasons and the
/// figures.
struct FieldPlacing: Sendable {
    /// Returns how rows are placed by their stored bytes; nil where the codings say that the bytes are something else.
    let byBytes: @Sendable (CodingTable) -> ByBytes?
    /// Throws if the object of a row is of another type.
    let check: @Sendable (RowContent) throws -> Void
    /// Places a row by its object.
    let byObject: @Sendable (Any, Row) throws -> PlacedRow?

    /// Returns how a row's number is read from its stored bytes; nil where numbers do not decide the order alone, or as above.
    let number: @Sendable (CodingTable) -> NumberByBytes?

    /// The bytes need not outlive the call; those of a NULL column are nil. The key is asked for where they cannot be decoded.
    typealias NumberByBytes = @Sendable (UnsafeRawBufferPointer?, _ key: () throws -> RowKey) throws -> UInt64
    /// Called on several threads. Takes many rows at a time, so that what the threads share is counted once for all of them: a count of
    /// references that two processors change takes longer than to read a field.
    typealias ByBytes = @Sendable (StoredRows) throws -> PlacedRows

    /// The row that is placed.
    struct Row {
        let rowid: Int64
        let key: RowKey
        /// The stored bytes of object and metadata.
        let size: Int
    }
}

/// Where a row belongs in a view that is declared by fields.
struct PlacedRow {
    let group: String
    /// The number of ``YapDatabaseViewSorting/prefix``.
    let number: UInt64
    /// What decides between rows with equal numbers; nil where these are equal.
    let content: RowContent?
}
