import ListChanges

/// A source row that was changed, or that names a changed row.
struct SourceChange {
    let key: String
    /// What names the other row; empty where there is none.
    var place = ""
    /// The present source row, if it was read.
    var row: RowContent?
    /// The keys of the rows that may have been derived from the former source row.
    var former: [String] = []
    /// Whether only the row that the source row names was changed.
    var isJoined = false
}

/// The source rows whose derived rows are to be written, each once.
///
/// Rows are identified by their keys and not by their rowids. A row that was removed and saved again has another rowid, and another row may have
/// its old one.
struct SourceChanges {
    private var all: [SourceChange] = []
    /// Where in `all` the change of a key is.
    private var places = ExactDictionary<Int>()

    var count: Int { all.count }

    func contains(_ key: String) -> Bool { places[key] != nil }

    mutating func append(_ change: SourceChange) {
        places[change.key] = all.count
        all.append(change)
    }

    /// Passes the change of a key on, an empty one if there is none.
    mutating func update(_ key: String, _ body: (inout SourceChange) -> Void) {
        if !contains(key) { append(SourceChange(key: key)) }
        body(&all[places[key]!])
    }

    /// Takes them out, those that name the same row one after the other, and in the order of their keys. O(n log n).
    mutating func takeInOrder() -> [SourceChange] {
        defer { self = SourceChanges() }
        if all.count < 2 { return all }
        // Sorting moves numbers; the texts of a change would be counted at each move.
        let order = all.withUnsafeBufferPointer { all in
            all.indices.sorted {
                let order = all[$0].place.byteOrder(to: all[$1].place)
                return order == 0 ? all[$0].key.precedes(all[$1].key) : order < 0
            }
        }
        return order.map { all[$0] }
    }
}
