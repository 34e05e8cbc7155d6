import ListChanges

/// The changes of a list between two snapshots.
struct Course {
    let rows: [[Int]]
    let log: [Edit]
    let newRows: [[Int]]
    let operations: [RawOperation]
    let counts: [String: Int]
    let replay: NaiveReplay

    init(rows: [[Int]], log: [Edit], newRows: [[Int]]) {
        (self.rows, self.log, self.newRows) = (rows, log, newRows)
        operations = log.map(\.operation)
        counts = Dictionary(uniqueKeysWithValues: newRows.indices.map { (ModelList.names[$0], newRows[$0].count) })
        replay = NaiveReplay(rows, log)
    }
}
