/// Gives the columns of an index that is declared by fields: of a row's value alone, without a transaction and a handler's dictionary.
///
/// The functions give nil for a value that SQLite cannot store. Then the handler is asked, whose caller makes the error.
struct FieldColumns: Sendable {
    /// Returns how columns are read from stored bytes; nil where the codings say that the bytes are something else.
    let byBytes: @Sendable (CodingTable) -> ByBytes?
    /// The columns of an object.
    let byObject: @Sendable (Any, RowKey) throws -> [SQLValue]?
    /// Whether a row without a single value is in the table.
    let keepsEmptyRows: Bool

    /// The bytes need not outlive the call; those of a NULL column are nil.
    typealias ByBytes = @Sendable (UnsafeRawBufferPointer?, RowKey) throws -> [SQLValue]?
}

extension FieldColumns {
    /// The columns as the table has them; nil if the row does not belong into it.
    func stored(_ columns: [SQLValue]) -> [SQLValue]? {
        keepsEmptyRows || columns.contains { $0 != .null } ? columns : nil
    }
}
