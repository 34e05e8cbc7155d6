import ListChanges

/// A row that was just inserted, set or touched, as the core passes it to extensions.
///
/// Object and metadata are those that the write was given. Where it was given none, they are read through the transaction
/// (its caches first) when an extension asks for them, so that an extension that looks at keys alone decodes nothing.
package struct ChangedRow {
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

/// A row that is about to be inserted, set or touched, as the core passes it to observers.
package struct PendingWrite {
    let key: RowKey
    let isNew: Bool
    /// Which of object and metadata will be set or touched.
    let flags: ChangeFlags
    let isTouch: Bool
    /// The object and metadata that the write was given.
    let given: (object: Any?, metadata: Any??)
}

/// Rows that changed while an extension was not notified.
package struct RowsToPlace {
    /// Whether all rows were removed before `changed` were written.
    var isAllGone = false
    /// With the rowids that they had. Other rows, in `changed`, may have these now.
    var removed: [RemovedRow] = []
    /// New rows, and rows with other values, by rowid.
    var changed: [ChangedRow] = []
    /// Whether a comparison found them. Then an extension that depends on others must compare itself, too.
    var mayLackOthers = false
}
