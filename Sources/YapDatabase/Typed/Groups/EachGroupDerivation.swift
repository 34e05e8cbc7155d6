import FileEngine
import ListChanges

/// Derives a row for each group of a row that stands in several.
struct EachGroupDerivation<Row: Codable & Sendable, Group: Codable & Sendable>: RowDerivation {
    typealias Placed = YapPlacedRow<Row, Group>

    let list: String
    let source: String
    /// The groups of a row, by their names; each once.
    let groups: @Sendable (Row) -> [(name: String, group: Group)]
    let versionTag: String

    /// The place has the names of all groups, each after its length.
    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        let names = groups(try row.place(of: Row.self).pointee).map(\.name)
        return names.isEmpty ? nil : DerivedEntry(key: row.key.key, place: GroupNames(names).stored, values: [])
    }

    func isCurrent(
        _ row: RowContent, _ entry: DerivedEntry, in transaction: YapDatabaseReadTransaction
    ) throws -> Bool {
        let value = try row.place(of: Row.self).pointee
        return try groups(value).allSatisfy { name, group in
            let key = self.key(name, entry.key)
            guard let placed = try transaction.value(of: Placed.self, ofRow: key) else { return false }
            return try transaction.areStoredAlike(placed, Placed(group: group, row: value))
        }
    }

    func makeRun(_ rows: YapDatabaseDerivedRowsTransaction, _ transaction: YapDatabaseReadWriteTransaction)
        -> any DerivationRun
    {
        EachGroupRun(self, transaction)
    }

    fileprivate func key(_ group: String, _ key: String) -> RowKey {
        RowKey(collection: target, key: YapPlacedKey<String>(group: group, key: key).storedKey)
    }
}

/// Writes the rows that follow from rows that changed: by keys, as joins do.
private final class EachGroupRun<Row: Codable & Sendable, Group: Codable & Sendable>: DerivationRun {
    private let derivation: EachGroupDerivation<Row, Group>
    private unowned let transaction: YapDatabaseReadWriteTransaction
    /// The groups in which a row was, by its key.
    private var former = ExactDictionary<Set<ExactString>>()
    private static var limit: Int { 4_096 }

    init(_ derivation: EachGroupDerivation<Row, Group>, _ transaction: YapDatabaseReadWriteTransaction) {
        (self.derivation, self.transaction) = (derivation, transaction)
    }

    func change(from before: DerivedEntry?, to after: DerivedEntry?) throws {
        if let after, former[after.key] == nil { former[after.key] = [] }
        if let before {
            former[before.key, default: []].formUnion(GroupNames(stored: before.place).names.map { ExactString($0) })
        }
        if former.count >= Self.limit { try end() }
    }

    func end() throws {
        let changed = former.sorted { $0.key.precedes($1.key) }
        former = ExactDictionary()
        for (key, former) in changed {
            let row = try transaction.value(of: Row.self, ofRow: RowKey(collection: derivation.source, key: key))
            let groups = row.map { derivation.groups($0) } ?? []
            let left = former.subtracting(groups.map { ExactString($0.name) }).map(\.text)
            try transaction.remove(left.sorted { $0.precedes($1) }.map { derivation.key($0, key) })
            guard let row else { continue }
            for (name, group) in groups {
                try transaction.setValue(YapPlacedRow(group: group, row: row), derivation.key(name, key))
            }
        }
    }
}

/// Names of groups as one text: each after the number of its bytes.
struct GroupNames {
    let names: [String]

    init(_ names: [String]) { self.names = names }

    /// - Parameter stored: of a file, so of any form: what cannot be read ends it.
    init(stored: String) {
        var (names, rest): ([String], Substring.UTF8View) = ([], Substring(stored).utf8)
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")), let count = Int(Substring(rest[..<colon])) {
            let start = rest.index(after: colon)
            guard count >= 0, let end = rest.index(start, offsetBy: count, limitedBy: rest.endIndex) else { break }
            names.append(String(Substring(rest[start..<end])))
            rest = rest[end...]
        }
        self.names = names
    }

    var stored: String { names.map { "\($0.utf8.count):\($0)" }.joined() }
}
