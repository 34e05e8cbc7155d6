import FileEngine
import ListChanges
import SQLiteBridge

/// Checks the entries of derived rows against the rows that they are of, and the derived rows against the entries.
///
/// What a row contributes only the program knows that declares the list. That each entry has its row, that each derived row has an entry, and that
/// the count and the figures of a group are those of its entries the file alone says. O(n log n) for n entries.
struct DerivedRowsCheck {
    private let store: Store
    private let name: String
    private let tableName: String
    private let table: String
    /// That of the derived rows.
    private let collection: String
    private var notes = ProblemNotes()
    /// The most findings of a kind that are read; ``ProblemNotes`` lists fewer.
    private static let limit = 10_000

    /// - Parameter name: of the extension.
    init(_ store: Store, _ name: String) {
        (self.store, self.name) = (store, name)
        tableName = TableOwner.Kind.derived.table(of: name)
        table = Store.quoted(tableName)
        collection = RowTable.collection(derivedBy: name) ?? ""
    }

    func problems() throws -> [YapDatabaseProblem] {
        var check = self
        try check.run()
        return check.notes.all.map {
            .inExtension(
                name, of: .derived, "\(TableOwner.Kind.derived.rawValue) \"\(name)\": \($0)", followsFromRows: true)
        }
    }

    private mutating func run() throws {
        // While no program keeps them, the rows of entries may go.
        guard let registered = try store.registeredExtension(name), !registered.isStale,
            try store.hasTable(tableName)
        else { return }
        for rowid in try store.rowidsWithoutRow(inTable: table, limit: Self.limit) {
            notes.add("has an entry for row \(rowid), which does not exist")
        }
        if try isOfGroups() { try checkGroups() } else { try checkKeys() }
    }

    /// Whether entries name groups, and not the keys of their rows.
    private func isOfGroups() throws -> Bool {
        try store.rowTables().contains { rows in
            try store.first(
                #"""
                SELECT 1 FROM \#(table) AS i JOIN "\#(rows.name)" AS d ON d."rowid" = i."rowid" WHERE i."key" = '' AND d."key" <> '' LIMIT 1
                """#, read: { _ in true }) ?? false
        }
    }

    // MARK: Rows that follow from one row

    private mutating func checkKeys() throws {
        for rows in try store.rowTables() {
            let wrong =
                #"FROM \#(table) AS i JOIN "\#(rows.name)" AS d ON d."rowid" = i."rowid" WHERE i."key" <> d."key""#
            for rowid in try store.all("SELECT i.\"rowid\" \(wrong) LIMIT \(Self.limit)", read: { $0.int64(at: 0) }) {
                notes.add("the entry of row \(rowid) has the key of another row")
            }
        }
        // Of several rows that follow from one row, each has its key after the number of its bytes, before something else.
        let bytes = #"CAST(d."key" AS BLOB)"#
        let start = #"CAST(substr(\#(bytes), instr(\#(bytes), x'3a') + 1, CAST(d."key" AS INTEGER)) AS TEXT)"#
        try addRowsWithoutEntry(
            #"d."key" NOT IN (SELECT "key" FROM \#(table)) AND \#(start) NOT IN (SELECT "key" FROM \#(table))"#)
    }

    private mutating func addRowsWithoutEntry(_ condition: String) throws {
        guard try store.hasTable(RowTable.derivedName) else { return }
        let keys = try store.all(
            #"SELECT d."key" FROM "\#(RowTable.derivedName)" AS d WHERE d."collection" = ? AND \#(condition) LIMIT \#(Self.limit)"#,
            bind: { try $0.bind(collection, at: 1) }, read: { $0.text(at: 0) ?? "" })
        for key in keys { notes.add("has the row \"\(key)\", which follows from no entry") }
    }

    // MARK: Groups

    private mutating func checkGroups() throws {
        for rowid in try store.all(
            #"SELECT "rowid" FROM \#(table) WHERE "key" <> '' LIMIT \#(Self.limit)"#, read: { $0.int64(at: 0) })
        { notes.add("the entry of row \(rowid) has a key, which those of groups do not have") }
        try addRowsWithoutEntry(#"d."key" NOT IN (SELECT "place" FROM \#(table))"#)
        // A row that could not be decoded is counted and has no entry.
        let countsAll = try store.leftOutRows(extension: name).isEmpty && store.otherLeftOutRows(extension: name) == 0
        // The values come after the columns of the table that are there twice.
        let entries = try store.handle.newStatement(#"SELECT "place", * FROM \#(table) ORDER BY "place""#)
        let values = 4..<max(4, entries.columnCount)
        let table = DerivedTable(
            store, name: name, values: values.map { _ in EntryValue(isSearched: false) }, findsPlaces: false)
        var group: CheckedGroup?
        while try entries.step() {
            let place = entries.text(at: 0) ?? ""
            if group.map({ !$0.name.hasSameBytes(as: place) }) ?? true {
                try end(group, countsAll: countsAll, table)
                group = CheckedGroup(name: place, stored: try storedGroup(place))
            }
            group?.add(values.map { entries.value(at: $0) })
        }
        try end(group, countsAll: countsAll, table)
    }

    private func storedGroup(_ name: String) throws -> StoredGroup? {
        try store.row(forKey: RowKey(collection: collection, key: name)) { _, row in
            row.withObject { try? YapDatabaseCodableFormat.propertyList.decode(StoredGroup.self, $0) }
        } ?? nil
    }

    private mutating func end(_ group: CheckedGroup?, countsAll: Bool, _ table: DerivedTable) throws {
        guard let group else { return }
        guard let stored = group.stored else {
            return notes.add("the group \"\(group.name)\" has \(group.count) entries, and no row that can be read")
        }
        if countsAll, stored.count != group.count {
            notes.add(
                "the row of the group \"\(group.name)\" counts \(stored.count), and it has \(group.count) entries")
        }
        for (number, (figure, state)) in zip(stored.figures, group.states).enumerated() {
            guard figure.state != state, try !table.hasBound(figure.state, number, of: group.name) else { continue }
            notes.add("the figure \(figure.name) of the group \"\(group.name)\" is not that of its entries")
        }
    }
}

/// What the row of a group has besides rows of the group.
private struct StoredGroup: Decodable {
    let count: Int
    let figures: [GroupFigure]
}

/// A group whose entries are added up.
private struct CheckedGroup {
    let name: String
    let stored: StoredGroup?
    private(set) var count = 0
    /// The figures; nil for one that an entry has no right value for.
    private(set) var states: [FigureState?]

    init(name: String, stored: StoredGroup?) {
        (self.name, self.stored) = (name, stored)
        states = stored?.figures.map { $0.state.ofNone } ?? []
    }

    mutating func add(_ values: [SQLValue]) {
        count += 1
        for index in states.indices
        where index >= values.count || states[index]?.change(values[index], isAdded: true) != true {
            states[index] = nil
        }
    }
}

extension FigureState {
    /// The figure of a group without rows.
    fileprivate var ofNone: FigureState {
        switch self {
        case .count: .count(0)
        case .whole: .whole(0)
        case .real: .real(ExactSum())
        case .extreme: .extreme(FigureBound(nil))
        }
    }
}

extension DerivedTable {
    /// Whether a figure is the least or the greatest value of a place. O(log n) where the values are searched.
    fileprivate func hasBound(_ state: FigureState, _ number: Int, of place: String) throws -> Bool {
        guard case .extreme(let bound) = state else { return false }
        return try [false, true].contains {
            FigureBound(try extreme(number, of: place, isGreatest: $0)) == bound
        }
    }
}
