import FileEngine
import ListChanges

/// The rows that extensions leave out because they cannot be decoded. All connections of the process share it.
///
/// Only the connection whose turn it is to write uses it. Usually no row is left out. Then a write whose row can be decoded costs one test.
final class LeftOutRows: @unchecked Sendable {
    // @unchecked: the write gate admits one thread at a time.

    enum Change {
        /// The extension leaves the row out.
        case out(RowKey, RowColumns, YapDatabaseError)
        /// The extension has decoded the row, or the row is gone.
        case back
    }

    /// A row that was left out, as it is reported to the program.
    struct Report: Sendable {
        let name: String
        let row: LeftOutRow
        /// The digest of the whole row.
        let digest: String
    }

    /// The rowids that the file notes as left out, by extension; nil if they have to be read.
    private var noted: [String: Set<Int64>]?
    /// The rows that the running transaction has left out, or no longer leaves out.
    private var changes: [String: [Int64: Change]] = [:]
    /// How many more rows the running transaction has left out, without their rowids.
    private var others: [String: Int] = [:]

    /// Begins a write transaction.
    /// - Parameter isKnown: whether the transaction begins at the state that the last write transaction made.
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

    /// Reads the notes of the file, if they are not known. Called at the beginning of each transaction.
    func load(_ read: () throws -> [String: Set<Int64>]) rethrows {
        if noted == nil { noted = try read() }
    }

    /// Whether a row is left out, or was before this transaction.
    var hasRows: Bool { !(noted?.isEmpty ?? true) || !changes.isEmpty }

    /// The rowids that the file notes as left out by an extension.
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

    /// Called when a row was removed: no extension leaves it out any more.
    func remove(_ rowid: Int64) {
        for name in Set(changes.keys).union(noted?.keys ?? [:].keys) { add(.back, rowid, of: name) }
    }

    /// Called when all rows were removed.
    func removeAll() {
        for name in Set(changes.keys).union(noted?.keys ?? [:].keys) { takeInAll(of: name) }
        others = [:]
    }

    /// Called when an extension has nothing left that names rows.
    func takeInAll(of name: String) {
        for rowid in rowids(of: name).union(changes[name]?.keys ?? [:].keys) { add(.back, rowid, of: name) }
    }

    /// Called when the notes of an extension were removed from the file.
    func removeAll(of name: String) {
        noted?[name] = nil
        (changes[name], others[name]) = (nil, nil)
    }

    /// Returns the changes of each extension that the running transaction has found, and clears them.
    func popChanges() -> [(name: String, rows: [Int64: Change], others: Int)] {
        defer { (changes, others) = ([:], [:]) }
        return Set(changes.keys).union(others.keys).sorted().map { ($0, changes[$0] ?? [:], others[$0] ?? 0) }
    }

    /// Follows the file, in which a row of an extension is now noted as left out, or no longer noted.
    func setNoted(_ isNoted: Bool, _ rowid: Int64, of name: String) {
        if isNoted {
            noted?[name, default: []].insert(rowid)
        } else if noted?[name]?.remove(rowid) != nil, noted?[name]?.isEmpty == true {
            noted?[name] = nil
        }
    }
}
