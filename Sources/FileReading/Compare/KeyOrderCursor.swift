import FileEngine
import SQLiteBridge

/// The rows of a state in the order of collection and key, some at a time.
struct KeyOrderCursor {
    private let snapshot: FileSnapshot
    private let table: FileSchema.Table
    private var rows: ArraySlice<BrowsedRow> = []
    private var last: BrowsedRow.Address?
    private var isOver = false

    /// The most rows, and bytes of values, that are read at once.
    private static let (portion, portionBytes) = (1_000, 4 << 20)

    init(_ snapshot: FileSnapshot) throws {
        self.snapshot = snapshot
        table = try snapshot.rowTable()
    }

    /// Returns the next row; nil at the end.
    /// - Throws: ``YapDatabaseError``, also if the index of the keys is in another order than it says.
    mutating func next() throws -> BrowsedRow? {
        if rows.isEmpty, !isOver { try load() }
        return rows.popFirst()
    }

    private mutating func load() throws {
        let start = last
        var (found, bytes, isCut) = ([BrowsedRow](), 0, false)
        try snapshot.work { store in
            try snapshot.withWholeValues(store) {
                let statement = try store.handle.statement(sql(after: start))
                defer { statement.reset() }
                if let start {
                    try start.collection.bind(to: statement, at: 1)
                    try start.key.bind(to: statement, at: 2)
                }
                while try !isCut && statement.step() {
                    guard let row = snapshot.rowOfJoin(statement.int64(at: 0), statement, from: 1) else { continue }
                    found.append(row)
                    bytes += (row.object?.size ?? 0) + (row.metadata?.size ?? 0)
                    isCut = bytes >= Self.portionBytes
                }
            }
        }
        for row in found {
            guard let address = row.address, last.map({ $0 < address }) ?? true else { throw Self.disorder }
            last = address
        }
        isOver = !isCut && found.count < Self.portion
        rows = found[...]
    }

    private func sql(after start: BrowsedRow.Address?) -> String {
        let values = ["data", "metadata"].map { table.has($0) ? $0.quotedSQL : "NULL" }.joined(separator: ", ")
        let condition = start == nil ? "" : #"WHERE ("collection", "key") > (?, ?) "#
        return """
            SELECT rowid, "collection", "key", \(values) FROM \(table.name.quotedSQL) \(condition)\
            ORDER BY "collection", "key" LIMIT \(Self.portion)
            """
    }

    private static let disorder = YapDatabaseError(
        .corrupt, "The index of the keys is not in order. Run `yap check` on the file; compare an export of it.")
}

extension BrowsedRow.Address: Comparable {
    package static func < (a: BrowsedRow.Address, b: BrowsedRow.Address) -> Bool {
        a.collection == b.collection ? a.key < b.key : a.collection < b.collection
    }
}
