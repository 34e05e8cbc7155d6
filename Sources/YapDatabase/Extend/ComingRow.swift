import ListChanges

/// A row that is about to be inserted, set or touched, as the core passes it to observers.
struct ComingRow {
    let key: RowKey
    let isNew: Bool
    /// Which of object and metadata will be set or touched.
    let flags: ChangeFlags
    let isTouch: Bool
    /// The object and metadata that the write was given.
    let given: (object: Any?, metadata: Any??)
}
