import FileEngine
import ListChanges

/// Places the rows of a view that is declared by fields. It needs only a row's value and no transaction, so several threads can decode and place
/// rows at once. For that reason the closures of a list run on any thread.
///
/// `docs/decisions/fields-from-bytes.md` has the reasons and the figures.
struct FieldPlacing: Sendable {
    /// Returns a function that places rows by their stored bytes; nil if the codings store another form of the value.
    let byBytes: @Sendable (CodingTable) -> ByBytes?
    /// Throws if the object of a row is not of the view's type.
    let check: @Sendable (RowContent) throws -> Void
    /// Places a row by its object.
    let byObject: @Sendable (Any, Row) throws -> RowPlacement?

    /// Returns a function that reads a row's sort number from its stored bytes; nil if the number does not decide the order alone, or if the
    /// codings store another form of the value.
    let number: @Sendable (CodingTable) -> NumberByBytes?

    /// Returns a function that reads what decides a row's order from its stored bytes; nil if a number decides alone, if the bytes do not tell, or
    /// if the codings store another form of the value.
    let sortKey: @Sendable (CodingTable) -> SortKeyByBytes?

    /// Reads a sort key from stored bytes, as ``NumberByBytes`` reads a number.
    typealias SortKeyByBytes = @Sendable (UnsafeRawBufferPointer?, _ key: () throws -> RowKey) throws -> SortKey
    /// Reads a sort number from stored bytes, which are nil for a NULL column and need not outlive the call. The key is only used in the error if
    /// the bytes cannot be decoded.
    typealias NumberByBytes = @Sendable (UnsafeRawBufferPointer?, _ key: () throws -> RowKey) throws -> UInt64
    /// Places many rows in one call. Called on several threads.
    ///
    /// A call retains objects that the threads share. If two processors change the same reference count, that takes longer than to read a field,
    /// so it happens once for many rows.
    typealias ByBytes = @Sendable (StoredBatch) throws -> PlacedBatch

    /// The row that is to be placed.
    struct Row {
        let rowid: Int64
        let key: RowKey
        /// The stored bytes of object and metadata.
        let size: Int
    }
}

/// Where a row belongs in a view that is declared by fields.
struct RowPlacement {
    let group: String
    /// The row's sort number, from ``YapDatabaseViewSorting/prefix``.
    let number: UInt64
    /// The content that decides the order of rows with equal numbers; nil if the number decides alone.
    let content: RowContent?
}

/// The stored bytes of some rows, for a thread that places them.
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
    /// - Parameter place: receives a row's bytes, which need not outlive the call; they are empty for a NULL column. It returns nil for a row
    ///   that is not in the view. A row is left out if `place` throws that it cannot be decoded.
    @inline(__always)
    func placed(
        by place: (UnsafeRawBufferPointer, FieldPlacing.Row) throws -> RowPlacement?
    ) throws -> PlacedBatch {
        var placed = PlacedBatch()
        try forEach { _, row, bytes in
            do {
                placed.append(try place(bytes, row), row)
            } catch {
                try placed.leaveOut(row, error)
            }
        }
        return placed
    }

    /// Passes on each row with its index and its bytes, which need not outlive the call; they are empty for a NULL column.
    @inline(__always)
    func forEach(_ body: (Int, FieldPlacing.Row, UnsafeRawBufferPointer) throws -> Void) rethrows {
        var start = 0
        try bytes.withUnsafeBytes { bytes in
            for (index, (row, end)) in rows.enumerated() {
                try body(index, row, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }
}

/// Some placed rows by group. A group has its rows in the order in which they came.
struct PlacedBatch: @unchecked Sendable {
    // @unchecked: one thread makes it and hands it over, with the contents, to the thread that asked for it.

    private(set) var groups: [Group] = []
    private var places = ExactDictionary<Int>()
    /// Up to this number of groups, a name is compared with the name of each group, which is faster than to compute its hash for each row.
    private static let few = 16
    private(set) var count = 0
    /// The number of rows that are not in the view.
    private(set) var excluded = 0
    private(set) var undecodable = UndecodableRows()

    struct Group {
        let name: String
        /// The rows, if their numbers decide the order alone.
        var numbered = NumberBatch()
        /// The rows of any other view.
        var contents: [RowContent] = []
    }

    /// Notes a row that cannot be decoded.
    /// - Throws: the error, if it does not say that the row cannot be decoded.
    mutating func leaveOut(_ row: FieldPlacing.Row, _ error: any Error) throws {
        guard let cause = YapDatabaseError(undecodable: error) else { throw error }
        excluded += 1
        undecodable.add(UndecodableRows.Row(rowid: row.rowid, key: row.key, error: cause))
    }

    mutating func append(_ placed: RowPlacement?, _ row: FieldPlacing.Row) {
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

/// Rows whose order is decided by their numbers alone.
struct NumberBatch: Sendable {
    private(set) var rowids: [Int64] = []
    private(set) var numbers: [UInt64] = []
    private(set) var keys: [RowKey] = []

    /// The bytes that the rows take in memory, about. Most keys are too long to be stored in place.
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
