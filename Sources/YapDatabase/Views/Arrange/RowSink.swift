import ListChanges

/// Takes the rows of a view, group by group, each in order.
protocol RowSink: AnyObject {
    /// Begins a group. Groups come in the order of their names.
    func begin(_ group: String) throws
    /// Adds the next row of the group.
    func add(_ row: ArrangedRow) throws
    /// Ends the group.
    func end() throws
}

/// A row in its place, with what is in hand of it.
struct ArrangedRow {
    let rowid: Int64
    /// Nil if there are too many rows to hold their keys.
    var key: RowKey?
    /// What decides the row's place in its group alone; nil where more does.
    var number: UInt64?
    /// What the view's blocks take, of some rows.
    var content: RowContent?
}

/// Collects the rows of a view.
final class GroupCollector: RowSink {
    private(set) var groups: [ArrangedGroup] = []
    /// The keys of some rows.
    private(set) var keys: [Int64: RowKey] = [:]
    private var group = ""
    private var rows: [Int64] = []

    /// The most keys that are held. The others are read again where they are needed.
    private static let mostKeys = 1 << 18

    func begin(_ group: String) { self.group = group }

    func add(_ row: ArrangedRow) {
        rows.append(row.rowid)
        if let key = row.key, keys.count < Self.mostKeys { keys[row.rowid] = key }
    }

    func end() {
        groups.append(ArrangedGroup(name: group, rows: rows))
        rows = []
    }
}
