import ListChanges

/// Writes to rows that are not committed yet, merged for each row.
struct PendingWrites: Sendable {
    enum Write: Sendable {
        case removed
        case row(SharedValue, metadata: SharedValue?)
        /// Changes an existing row. Nil keeps that part; `.some(nil)` removes the metadata.
        case parts(object: SharedValue?, metadata: SharedValue??)
    }

    struct Entry: Sendable {
        let key: RowKey
        let write: Write
        /// The number of the last write.
        fileprivate let number: Int
    }

    private var entries: [RowKey: Entry] = [:]
    private var lastNumber = 0

    init() {}

    /// Creates an empty value that continues the numbering, so that a running commit of dropped writes does not remove later
    /// ones.
    init(following former: PendingWrites) { lastNumber = former.lastNumber }

    subscript(key: RowKey) -> Write? { entries[key]?.write }

    /// All writes in order.
    var batch: [Entry] { entries.values.sorted { $0.number < $1.number } }

    mutating func set(_ key: RowKey, _ object: SharedValue, _ metadata: SharedValue?) {
        put(key, .row(object, metadata: metadata))
    }

    mutating func remove(_ key: RowKey) { put(key, .removed) }

    mutating func replace(_ key: RowKey, object: SharedValue?, metadata: SharedValue??) {
        switch entries[key]?.write {
        case .removed: break
        case .row(let former, let formerMetadata):
            put(key, .row(object ?? former, metadata: metadata ?? formerMetadata))
        case .parts(let former, let formerMetadata):
            put(key, .parts(object: object ?? former, metadata: metadata ?? formerMetadata))
        case nil: put(key, .parts(object: object, metadata: metadata))
        }
    }

    mutating func forget(_ key: RowKey) { entries[key] = nil }

    /// Removes the entries of a batch, except those that were written again meanwhile.
    mutating func forget(_ batch: [Entry]) {
        for entry in batch where entries[entry.key]?.number == entry.number { entries[entry.key] = nil }
    }

    private mutating func put(_ key: RowKey, _ write: Write) {
        lastNumber += 1
        entries[key] = Entry(key: key, write: write, number: lastNumber)
    }
}
