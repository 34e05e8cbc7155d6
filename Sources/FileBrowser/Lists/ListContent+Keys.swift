import SQLiteBridge
import YapDatabase

extension ListContent {
    /// Where a portion of keys ends that begins at a place: no entry of SQLite's index is passed twice on the way there.
    package static func endOfKeys(after place: Int) -> Int { (place / KeyOrder.stride + 1) * KeyOrder.stride }

    /// Calls with the place, the rowid and the key of each row at these places, and reads no values: millions a second in
    /// the order of the keys, hundreds of thousands in another one. A row that has no key, as an edge, is left out.
    package func visitKeys(
        ofGroup group: String, in places: Range<Int>, _ store: Store,
        _ body: (_ place: Int, _ rowid: Int64, _ key: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let source = sources[group] else { return }
        if let order = source as? KeyOrder { return try order.visitKeys(in: places, store, body) }
        let rowids = try source.rowids(in: places, store)
        guard let table = snapshot.schema.rows, subject.hasRowsOfTheDatabase else {
            for (place, rowid) in zip(places, rowids) {
                guard let key = try row(rowid, valueBytes: 0, store).address?.key else { continue }
                try key.bytes.withUnsafeBytes { try body(place, rowid, $0) }
            }
            return
        }
        let statement = try store.handle.statement(#"SELECT "key" FROM \#(table.name.quotedSQL) WHERE rowid = ?"#)
        defer { statement.reset() }
        for (place, rowid) in zip(places, rowids) {
            statement.reset()
            try statement.bind(rowid, at: 1)
            guard try statement.step() else { continue }
            try statement.withBytes(at: 0) { try body(place, rowid, $0) }
        }
    }
}

extension ListSubject {
    /// Whether its rows are rows of the row table, and their numbers the rowids there.
    package var hasRowsOfTheDatabase: Bool {
        switch self {
        case .relationship, .smallValues: false
        default: true
        }
    }
}
