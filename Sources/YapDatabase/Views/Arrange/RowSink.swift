import ListChanges

/// Takes the rows of a view, group by group, each in order.
protocol RowSink: AnyObject {
    /// Begins a group. Groups come in the order of their names.
    func begin(_ group: String) throws
    /// Adds the next row of the group.
    /// - Parameter key: nil if there are too many rows to hold their keys.
    func add(_ rowid: Int64, _ key: RowKey?) throws
    /// Ends the group.
    func end() throws
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

    func add(_ rowid: Int64, _ key: RowKey?) {
        rows.append(rowid)
        if let key, keys.count < Self.mostKeys { keys[rowid] = key }
    }

    func end() {
        groups.append(ArrangedGroup(name: group, rows: rows))
        rows = []
    }
}
