import ListChanges

/// A row that was just inserted, set or touched, as the core passes it to extensions.
///
/// Object and metadata are those that the write was given. Where it was given none, they are read through the transaction
/// (its caches first) when an extension asks for them, so that an extension that looks at keys alone decodes nothing.
struct ChangedRow {
    let rowid: Int64
    let key: RowKey
    /// Which of object and metadata were set or touched.
    let flags: ChangeFlags
    /// Whether the row was only touched: its bytes are unchanged, and extensions evaluate it again.
    let isTouch: Bool
    /// The object and metadata that the write was given.
    let given: (object: Any?, metadata: Any??)
    /// The number of bytes that were written.
    let size: Int
    unowned let transaction: YapDatabaseReadTransaction

    func object() throws -> Any {
        if let object = given.object { return object }
        return try transaction.object(forRowid: rowid, key: key)
    }

    func metadata() throws -> Any? {
        if let metadata = given.metadata { return metadata }
        return try transaction.metadata(forRowid: rowid, key: key)
    }
}
