import ListChanges

/// The decoded rows that a view's blocks compared most recently.
///
/// Searches look at the same few rows again and again: those in the middle of a group, and those that were just written.
/// Each row has exactly one slot, and caching it there replaces the row that used the slot before. An insert makes a dozen
/// look-ups, so these must be cheap: all operations cost O(1), and a row that is not cached one query.
final class ComparedRows: ExtensionMemory {
    /// What is held inside a transaction: enough for the first steps of every search, and all of a bulk of inserts.
    struct Limit {
        var slots = 16_384
        /// Bytes as stored; decoded values take several times as many.
        var bytes = 4 << 20
    }

    /// The limits between two transactions of a connection.
    private static let resting = Limit(slots: 1_024, bytes: 512 << 10)

    let needs: RowNeeds
    private let view: String
    private let limit: Limit
    /// The number of slots is a power of two.
    private var slots: [RowContent?] = []
    /// Rows added since the slots were made or the transaction began.
    private var added = 0
    private var bytes = 0

    init(view: String, needs: RowNeeds, limit: Limit = Limit()) {
        self.view = view
        self.needs = needs
        self.limit = limit
        forgetAll()
    }

    /// Returns the row, which must exist.
    func row(_ rowid: Int64, in transaction: YapDatabaseReadTransaction) throws -> RowContent {
        if let row = known(rowid) { return row }
        guard let row = try transaction.content(ofRowid: rowid, needs: needs) else {
            throw YapDatabaseError.damagedView(view, "row \(rowid) does not exist")
        }
        remember(row)
        return row
    }

    /// Returns the row if it is cached.
    func known(_ rowid: Int64) -> RowContent? {
        guard let row = slots[slot(of: rowid)], row.rowid == rowid else { return nil }
        return row
    }

    /// Caches a row that was just read or written.
    func remember(_ row: RowContent) {
        if bytes > limit.bytes { forgetAll() }
        if added > slots.count / 2, slots.count < limit.slots { resize(to: slots.count * 4) }
        put(row)
    }

    /// Caches as many rows that were just written as there is room for.
    func remember(_ rows: [RowContent]) {
        for row in rows.prefix(limit.slots) { remember(row) }
    }

    /// Removes a row that was changed or deleted.
    func forget(_ rowid: Int64) {
        guard let row = known(rowid) else { return }
        slots[slot(of: rowid)] = nil
        bytes -= row.size
    }

    func forgetAll() {
        slots = Array(repeating: nil, count: Self.resting.slots)
        added = 0
        bytes = 0
    }

    func trim() {
        if bytes > Self.resting.bytes { forgetAll() }
        if slots.count > Self.resting.slots { resize(to: Self.resting.slots) }
        added = 0
    }

    private func put(_ row: RowContent) {
        let slot = slot(of: row.rowid)
        if let former = slots[slot] { bytes -= former.size }
        slots[slot] = row
        added += 1
        bytes += row.size
    }

    private func resize(to slotCount: Int) {
        let rows = slots
        slots = Array(repeating: nil, count: slotCount)
        bytes = 0
        for case let row? in rows { put(row) }
        added = 0
    }

    /// Multiplies by the golden ratio, so that rowids with regular gaps do not share slots.
    private func slot(of rowid: Int64) -> Int {
        let bits = UInt64(slots.count.trailingZeroBitCount)
        return Int((UInt64(bitPattern: rowid) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bits))
    }
}
