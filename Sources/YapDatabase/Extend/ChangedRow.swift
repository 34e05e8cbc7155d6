import ListChanges

/// A row that was just inserted, set or touched, as an extension hears of it.
///
/// Object and metadata are handed over where the write had them in hand, and are read through the transaction (its
/// caches first) only when an extension asks: an extension that looks at keys alone costs no decode.
struct ChangedRow {
    let rowid: Int64
    let key: RowKey
    /// Which of object and metadata were set or touched.
    let flags: ChangeFlags
    /// The row's bytes are as they were; somebody only asked for it to be looked at anew.
    let isTouch: Bool
    /// What the write had in hand.
    let given: (object: Any?, metadata: Any??)
    /// How many bytes of it were written.
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
