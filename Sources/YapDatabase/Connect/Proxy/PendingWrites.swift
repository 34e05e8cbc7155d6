import ListChanges

/// What was written to rows and is not committed yet: for each row the sum of its writes.
struct PendingWrites: Sendable {
    enum Write: Sendable {
        case removed
        case row(SharedValue, metadata: SharedValue?)
        /// Changes a row if it is there. Nil leaves that part as it is; metadata of `.some(nil)` becomes none.
        case parts(object: SharedValue?, metadata: SharedValue??)
    }

    struct Entry: Sendable {
        let key: RowKey
        let write: Write
        /// When it was written last, counted in writes.
        fileprivate let number: Int
    }

    private var entries: [RowKey: Entry] = [:]
    private var lastNumber = 0

    init() {}

    /// Without writes, going on with the numbers of those that are forgotten: what is being committed of them must not be
    /// taken for what comes.
    init(following former: PendingWrites) { lastNumber = former.lastNumber }

    subscript(key: RowKey) -> Write? { entries[key]?.write }

    /// All of them, in the order in which they were written.
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

    /// Forgets the entries of a batch that were not written again meanwhile.
    mutating func forget(_ batch: [Entry]) {
        for entry in batch where entries[entry.key]?.number == entry.number { entries[entry.key] = nil }
    }

    private mutating func put(_ key: RowKey, _ write: Write) {
        lastNumber += 1
        entries[key] = Entry(key: key, write: write, number: lastNumber)
    }
}
