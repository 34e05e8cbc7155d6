import FileEngine
import ListChanges

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

    /// Returns how a row's number is read from its stored bytes; nil where other things than numbers decide the order too, and where the
    /// codings say that the bytes are something else.
    let number: @Sendable (CodingTable) -> NumberByBytes?

    /// The bytes need not outlive the call; those of a NULL column are nil. The key is asked for where they cannot be decoded.
    typealias NumberByBytes = @Sendable (UnsafeRawBufferPointer?, _ key: () throws -> RowKey) throws -> UInt64
    /// Called on several threads. Takes many rows at a time, so that what the threads share is counted once for all of them: a count of
    /// references that two processors change takes longer than to read a field.
    typealias ByBytes = @Sendable (StoredBatch) throws -> PlacedRows

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

/// Some rows as they are stored, for a thread that places them.
struct StoredBatch: Sendable {
    /// Enough work to be worth a change of threads, and little memory.
    private static let (rowLimit, byteLimit) = (512, 128 << 10)

    private var rows: [(row: FieldPlacing.Row, end: Int)] = []
    private var bytes: [UInt8] = []

    var isEmpty: Bool { rows.isEmpty }
    var isFull: Bool { rows.count >= Self.rowLimit || bytes.count >= Self.byteLimit }

    mutating func append(_ row: ScannedRow) {
        let size = row.appendObject(to: &bytes)
        rows.append((FieldPlacing.Row(rowid: row.rowid, key: row.key, size: size), bytes.count))
    }

    /// Places the rows one by one.
    /// - Parameter place: gets a row's bytes, none for a NULL column, which need not outlive the call. Returns nil for a row that is not in
    ///   the view. A row for which it throws that it cannot be decoded is left out.
    @inline(__always)
    func placed(
        by place: (UnsafeRawBufferPointer, FieldPlacing.Row) throws -> PlacedRow?
    ) throws -> PlacedRows {
        var placed = PlacedRows()
        var start = 0
        try bytes.withUnsafeBytes { bytes in
            for (row, end) in rows {
                do {
                    placed.append(try place(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), row), row)
                } catch {
                    try placed.leaveOut(row, error)
                }
                start = end
            }
        }
        return placed
    }
}

/// Rows with their places, by group, each group in the order in which the rows came.
struct PlacedRows: @unchecked Sendable {
    // @unchecked: a thread makes it and hands it over, with the contents, to the one that asked for it.

    private(set) var groups: [Group] = []
    private var places = ExactDictionary<Int>()
    /// Of so many groups, names that are stored in the same way are found without their hash: it would be computed for each row.
    private static let few = 16
    private(set) var count = 0
    /// The number of rows that are not in the view.
    private(set) var excluded = 0
    private(set) var undecodable = UndecodableRows()

    struct Group {
        let name: String
        /// Of a view whose order the numbers decide alone.
        var numbered = NumberBatch()
        /// Of any other view.
        var contents: [RowContent] = []
    }

    /// - Throws: the error if it says something else than that the row cannot be decoded.
    mutating func leaveOut(_ row: FieldPlacing.Row, _ error: any Error) throws {
        guard let cause = YapDatabaseError(undecodable: error) else { throw error }
        excluded += 1
        undecodable.add(UndecodableRows.Row(rowid: row.rowid, key: row.key, error: cause))
    }

    mutating func append(_ placed: PlacedRow?, _ row: FieldPlacing.Row) {
        guard let placed else { return excluded += 1 }
        count += 1
        let place = place(of: placed.group)
        if let content = placed.content {
            groups[place].contents.append(content)
        } else {
            groups[place].numbered.append(row.rowid, placed.number, row.key)
        }
    }

    private mutating func place(of group: String) -> Int {
        if groups.count <= Self.few {
            for place in groups.indices where groups[place].name.isSameValue(as: group) { return place }
        }
        if let place = places[group] { return place }
        places[group] = groups.count
        groups.append(Group(name: group))
        return groups.count - 1
    }
}

extension FieldPlacing.Row {
    init(_ row: DecodedRow) { self.init(rowid: row.rowid, key: row.key, size: row.size) }
}

/// Rows of which the number is all that decides their order.
struct NumberBatch: Sendable {
    private(set) var rowids: [Int64] = []
    private(set) var numbers: [UInt64] = []
    private(set) var keys: [RowKey] = []

    /// What they take in memory, about: most keys are too long to be stored in place.
    var size: Int { 112 * rowids.count }

    mutating func append(_ rowid: Int64, _ number: UInt64, _ key: RowKey) {
        rowids.append(rowid)
        numbers.append(number)
        keys.append(key)
    }

    mutating func append(_ others: NumberBatch) {
        rowids += others.rowids
        numbers += others.numbers
        keys += others.keys
    }
}
