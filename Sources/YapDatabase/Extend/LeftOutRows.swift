import FileEngine
import ListChanges

/// The rows that extensions leave out because they cannot be decoded, as the writers of a process know them.
///
/// Belongs to the writers: it is used in their turn only. While no row is left out, which is the rule, a write that decodes well costs one
/// test.
final class LeftOutRows: @unchecked Sendable {
    // @unchecked: the write gate admits one thread at a time.

    enum Change {
        /// The extension leaves the row out.
        case out(RowKey, RowColumns, YapDatabaseError)
        /// The extension has decoded the row, or the row is gone.
        case back
    }

    /// A row that was left out, for the program.
    struct Report: Sendable {
        let name: String
        let row: LeftOutRow
        /// Of the whole row.
        let digest: String
    }

    /// The rows that are noted, by extension; nil if that is to be read.
    private var noted: [String: Set<Int64>]?
    /// What the running transaction has found out.
    private var changes: [String: [Int64: Change]] = [:]
    /// How many more rows it has left out.
    private var others: [String: Int] = [:]

    /// Begins a transaction.
    /// - Parameter isKnown: whether the transaction builds on the state that the last one made.
    func begin(isKnown: Bool) {
        if !isKnown { noted = nil }
        if !changes.isEmpty || !others.isEmpty { (changes, others) = ([:], [:]) }
    }

    /// Forgets everything, because the transaction is undone.
    func forget() {
        noted = nil
        (changes, others) = ([:], [:])
    }

    var hasChanges: Bool { !changes.isEmpty || !others.isEmpty }

    /// Reads what is noted, if it is not known. Called at the beginning of each transaction.
    func load(_ read: () throws -> [String: Set<Int64>]) rethrows {
        if noted == nil { noted = try read() }
    }

    /// Whether a row is noted.
    var hasRows: Bool { !(noted?.isEmpty ?? true) || !changes.isEmpty }

    /// The rows that are noted for an extension.
    func rowids(of name: String) -> Set<Int64> { noted?[name] ?? [] }

    func add(_ change: Change, _ rowid: Int64, of name: String) {
        if changes[name]?[rowid] == nil, !rowids(of: name).contains(rowid) {
            if case .back = change { return }
            if changes[name]?.count ?? 0 >= Store.maxLeftOutRows { return add(others: 1, of: name) }
        }
        changes[name, default: [:]][rowid] = change
    }

    /// Whether an extension leaves a row out.
    func isOut(_ rowid: Int64, of name: String) -> Bool {
        switch changes[name]?[rowid] {
        case .out: true
        case .back: false
        case nil: rowids(of: name).contains(rowid)
        }
    }

    func add(others count: Int, of name: String) {
        if count > 0 { others[name, default: 0] += count }
    }

    /// The row is gone.
    func remove(_ rowid: Int64) {
        for name in Set(changes.keys).union(noted?.keys ?? [:].keys) { add(.back, rowid, of: name) }
    }

    /// All rows are gone.
    func removeAll() {
        for name in Set(changes.keys).union(noted?.keys ?? [:].keys) {
            for rowid in rowids(of: name).union(changes[name]?.keys ?? [:].keys) { add(.back, rowid, of: name) }
        }
        others = [:]
    }

    /// Forgets what is noted of an extension, whose notes are gone.
    func removeAll(of name: String) {
        noted?[name] = nil
        (changes[name], others[name]) = (nil, nil)
    }

    /// Returns what was found out about each extension, and forgets it.
    func popChanges() -> [(name: String, rows: [Int64: Change], others: Int)] {
        defer { (changes, others) = ([:], [:]) }
        return Set(changes.keys).union(others.keys).sorted().map { ($0, changes[$0] ?? [:], others[$0] ?? 0) }
    }

    /// Notes, or no longer notes, a row of an extension.
    func setNoted(_ isNoted: Bool, _ rowid: Int64, of name: String) {
        if isNoted {
            noted?[name, default: []].insert(rowid)
        } else if noted?[name]?.remove(rowid) != nil, noted?[name]?.isEmpty == true {
            noted?[name] = nil
        }
    }
}
