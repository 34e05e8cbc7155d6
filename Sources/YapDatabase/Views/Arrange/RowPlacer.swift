import FileEngine
import ListChanges

/// Decodes and places the rows of a view that is declared by fields, on several threads, and gives them back in their order.
///
/// Rows go to the threads in chunks, because two processors that change one count of references wait for each other:
/// what the threads share they take once for each chunk.
final class RowPlacer {
    private let place: FieldPlacing.ByBytes
    // Unchecked: a member is called when the one before has returned, and each row would be checked.
    @exclusivity(unchecked) private var chunk = StoredRows()
    @exclusivity(unchecked) private var ready: [PlacedRows] = []
    private lazy var work = OrderedWork<Result<PlacedRows, any Error>> { [unowned self] in ready.append(try $0.get()) }

    init(_ place: @escaping FieldPlacing.ByBytes) { self.place = place }

    /// Adds the next row.
    /// - Returns: rows that were placed meanwhile; nil for none.
    /// - Throws: what the placing of this row or of an earlier one threw.
    func add(_ row: ScannedRow) throws -> [PlacedRows]? {
        chunk.append(row)
        guard chunk.isFull else { return nil }
        try passOn()
        return popReady()
    }

    /// Waits for all rows.
    /// - Returns: those that were not returned yet.
    func finish() throws -> [PlacedRows] {
        if !chunk.isEmpty { try passOn() }
        try work.finish()
        return popReady()
    }

    private func passOn() throws {
        let (place, rows) = (place, chunk)
        chunk = StoredRows()
        try work.add { Result { try place(rows) } }
    }

    private func popReady() -> [PlacedRows] {
        if ready.isEmpty { return [] }
        defer { ready = [] }
        return ready
    }
}

/// Some rows as they are stored, for a thread that places them.
struct StoredRows: Sendable {
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
        var numbered = NumberedRows()
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
