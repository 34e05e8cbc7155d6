import FileEngine
import Foundation
import ListChanges

/// One transaction's part in derived rows. Nothing reads it: lists over the derived rows do.
///
/// A change of a source row is only noted. The derived rows are updated when one of the lists over them is read, when very many source rows have
/// changed, and before the commit. So the row of a group is written once, even if many rows of the group change.
public final class YapDatabaseDerivedRowsTransaction: YapDatabaseExtensionTransaction, TransactionHooks, ViewFollower {
    private let derived: YapDatabaseDerivedRows
    private(set) lazy var table = DerivedTable(
        transaction.store, name: name, values: derived.derivation.values, findsPlaces: derived.derivation.joined != nil)
    /// The source rows that were changed since the derived rows were right.
    private var changed: Set<Int64> = []
    /// The first of them as it was written, so that the one row of a small transaction is not read again.
    private var first: RowContent?
    /// The keys of the rows of the joined collection that were changed since then.
    private var changedJoined: Set<ExactString> = []
    /// Whether a view that is read for the entries was arranged again as a whole, so that each row may contribute something else.
    private var isRearranged = false
    private var isUpdating = false
    /// The most changes that wait, at some 100 bytes each.
    private static let limit = 16_384

    init(_ derived: YapDatabaseDerivedRows, name: String, transaction: YapDatabaseReadTransaction) {
        self.derived = derived
        super.init(name: name, transaction: transaction)
    }

    var derivation: any RowDerivation { derived.derivation }

    /// The transaction if the derived rows may be written in it. A state that is completed in memory has the tables as they are: a write brings
    /// them up to date.
    private var writer: YapDatabaseReadWriteTransaction? {
        (transaction as? YapDatabaseReadWriteTransaction).flatMap { $0.isCompleting ? nil : $0 }
    }

    // MARK: Registering

    package func register(previous: RegisteredExtension?, progress: Progress?) throws {
        if previous == derived.registered, try table.exists() { return }
        guard let transaction = writer else { return }
        try transaction.derivingRows { try fill(transaction, progress) }
    }

    private func fill(_ transaction: YapDatabaseReadWriteTransaction, _ progress: Progress?) throws {
        try transaction.store.dropTables(ofExtension: name)
        try transaction.removeAllObjects(inCollection: derivation.target)
        try table.create()
        try updateUpstream()
        var counter = try ProgressCounter(progress) { try transaction.count(allowedCollections: sourceRows) }
        let fill = try derivation.makeFill(self, transaction)
        try transaction.enumerateRows(allowedCollections: sourceRows, columns: .values) { row, _ in
            try counter.add()
            try fill.add(row)
        }
        try fill.endEntries()
        try table.createIndexes()
        try fill.end()
    }

    // MARK: Hooks

    package func didInsert(_ row: ChangedRow) throws {
        keepIfFirst(row)
        try note(row.rowid, row.key)
    }

    package func didUpdate(_ row: ChangedRow) throws {
        keepIfFirst(row)
        try note(row.rowid, row.key)
    }

    private func keepIfFirst(_ row: ChangedRow) {
        guard changed.isEmpty || first?.rowid == row.rowid else { return }
        first = nil
        guard let object = row.given.object, derivation.isRow(object), !transaction.mixesTypes,
            row.key.collection.hasSameBytes(as: derivation.source)
        else { return }
        first = RowContent(rowid: row.rowid, key: row.key, object: object, metadata: nil, size: row.size)
    }

    package func didRemove(_ rows: [RemovedRow]) throws {
        first = nil
        if rows.count >= Self.manyRows, try clearIfNoSourceIsLeft() { return }
        for row in rows { try note(row.rowid, row.key) }
    }

    /// From this number on it is asked whether they were all.
    private static let manyRows = 16

    /// Removes all derived rows at once if the collection that was emptied has all their sources.
    private func clearIfNoSourceIsLeft() throws -> Bool {
        guard !isUpdating, let transaction = writer, try !transaction.store.hasRows(inCollection: derivation.source)
        else { return false }
        forgetChanges()
        isUpdating = true
        defer { isUpdating = false }
        try transaction.derivingRows { try transaction.removeAllObjects(inCollection: derivation.target) }
        try table.removeAll()
        transaction.leftOutRows.takeInAll(of: name)
        return true
    }

    package func didRemoveAll() throws {
        forgetChanges()
        try table.removeAll()
    }

    private func forgetChanges() {
        (changed, first, changedJoined, isRearranged) = ([], nil, [], false)
    }

    private func note(_ rowid: Int64, _ key: RowKey) throws {
        add(rowid, key)
        if changed.count + changedJoined.count >= Self.limit { try updateDerivedRows() }
    }

    private func add(_ rowid: Int64, _ key: RowKey) {
        if key.collection.hasSameBytes(as: derivation.source) { changed.insert(rowid) }
        if let joined = derivation.joined, key.collection.hasSameBytes(as: joined) {
            changedJoined.insert(ExactString(key.key))
            // Left out again if a row names it and it cannot be decoded still.
            takeIn(rowid)
        }
    }

    package var hasRowsToChange: Bool { (isRearranged || !changed.isEmpty || !changedJoined.isEmpty) && !isUpdating }

    var followsRows: Bool { derivation.followsViews }

    /// A view that is read for the entries has changed.
    func follow(_ view: YapDatabaseViewTransaction, _ change: FollowedChange) throws {
        switch change {
        case .rearranged, .cleared: isRearranged = true
        case .placed(let row, _): if followsRows { try note(row.rowid, row.key) }
        // Others that left with it may still be in the view: the rows follow later.
        case .left(let rowid, let key): if followsRows { add(rowid, key) }
        }
    }

    package func changeRows() throws { try updateDerivedRows() }

    /// Brings the source rows up to date, where these are derived rows themselves.
    private func updateUpstream() throws {
        for name in derived.upstream {
            try (transaction.hooks(ofExtension: name) as? YapDatabaseDerivedRowsTransaction)?.updateDerivedRows()
        }
    }

    /// Brings the derived rows up to date. O(k log n) for k changed rows, and writing the derived rows that these change.
    func updateDerivedRows() throws {
        guard !isUpdating, let transaction = writer else { return }
        try updateUpstream()
        guard hasRowsToChange else { return }
        isUpdating = true
        defer { isUpdating = false }
        try transaction.derivingRows { try deriveChangedRows(transaction) }
    }

    private func deriveChangedRows(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let (rows, joined) = (try rowsToDerive(), changedJoined.map(\.text).sorted { $0.precedes($1) })
        let first = first
        forgetChanges()
        let run = derivation.makeRun(self, transaction)
        var former: Set<ExactString> = []
        for rowid in rows {
            let (before, row) = (try table.entry(rowid), try content(ofRow: rowid, first))
            let after = try row.flatMap(entry)
            // Another value may have the same figures. The run hears of it all the same, because a group shows its first or last value.
            if before != after { try table.set(after, rowid) }
            if before != nil || after != nil { try run.change(from: before, to: after, row) }
            if let before, transaction.leftOutRows.hasRows, after?.place.hasSameBytes(as: before.place) != true {
                former.insert(ExactString(before.place))
            }
        }
        for place in try joined + noLongerNamed(former) {
            // Entries are up to date by now: these rows are as they were.
            try table.forEachKey(ofPlace: place) { try run.changeJoined($0, ofPlace: place) }
        }
        try run.end()
    }

    /// Takes in the rows of the joined collection that are left out and that a row has named until now. Another row may name them still.
    private func noLongerNamed(_ places: Set<ExactString>) throws -> [String] {
        guard let joined = derivation.joined else { return [] }
        return try places.map(\.text).filter { place in
            let key = RowKey(collection: joined, key: place)
            guard let rowid = try transaction.store.rowid(forKey: key), isLeftOut(rowid) else { return false }
            takeIn(rowid)
            return true
        }
    }

    /// The rows whose entries may be others, in ascending order.
    private func rowsToDerive() throws -> [Int64] {
        guard isRearranged else { return changed.sorted() }
        try table.forEachRowid { changed.insert($0) }
        for name in derivation.views {
            guard let view = transaction.hooks(ofExtension: name) as? YapDatabaseViewTransaction else { continue }
            changed.formUnion(try view.settledPages().allRowids)
        }
        return changed.sorted()
    }

    // MARK: The time

    /// The moment at which a row has to be derived again; nil for none. O(log n).
    func nextMoment() throws -> Date? {
        guard derivation.isTimed, let value = try table.extreme(0, of: "", isGreatest: false) else { return nil }
        return value.moment ?? .distantPast
    }

    /// Whether the clock stands before a moment that had come, or an entry was damaged so that it has none.
    func isAhead() throws -> Bool {
        guard derivation.isTimed, let value = try table.extreme(1, of: "", isGreatest: true) else { return false }
        return value.moment.map { $0 > transaction.now } ?? true
    }

    /// Derives each row again whose moment has come, or whose entry was damaged so that it has none.
    func deriveDueRows() throws {
        try deriveRows { try table.rowids(whereValue: 0, isMoreThan: false, $0) }
        try deriveRows { _ in try table.rowidsWithoutNumber(0) }
    }

    /// Derives each row again whose moment had come before the clock was set back. Texts are more than any number.
    func deriveRowsAheadOfClock() throws { try deriveRows { try table.rowids(whereValue: 1, isMoreThan: true, $0) } }

    /// Derives each row again whose moment has come, or had come before the clock was set back.
    package func followClock() throws {
        guard derivation.isTimed else { return }
        try deriveDueRows()
        try deriveRowsAheadOfClock()
    }

    private func deriveRows(_ find: (Double) throws -> [Int64]) throws {
        var last: [Int64] = []
        while true {
            let some = try find(transaction.now.timeIntervalSinceReferenceDate)
            // A row that was derived again has other moments.
            if some.isEmpty || some == last { return }
            changed.formUnion(some)
            try updateDerivedRows()
            last = some
        }
    }

    private var sourceRows: YapWhitelistBlacklist { YapWhitelistBlacklist(whitelist: [derivation.source]) }

    /// A row as it is; nil for one that is gone, is of another collection or cannot be decoded.
    /// - Parameter known: a row that need not be read.
    private func content(ofRow rowid: Int64, _ known: RowContent?) throws -> RowContent? {
        if let known, known.rowid == rowid {
            takeIn(rowid)
            return known
        }
        let row = try transaction.store.row(rowid) { key, row in
            guard key.collection.hasSameBytes(as: derivation.source) else { return nil as RowContent? }
            return try decoding(rowid, key, .object) { try transaction.content(rowid, .object, key, row) }
        }
        return row ?? nil
    }

    /// What a row contributes now; nil for nothing.
    private func entry(of row: RowContent) throws -> DerivedEntry? {
        try decoding(row.rowid, row.key, .object) { try derivation.entry(of: row, in: transaction) } ?? nil
    }

    /// The value of a row of the joined collection; nil if there is none, or none that can be decoded, which is noted.
    func valueOrLeaveOut<Value: Decodable>(of type: Value.Type, ofRow key: RowKey) throws -> Value? {
        do {
            return try transaction.value(of: type, .key(key), key, keeps: false)
        } catch {
            guard let rowid = try transaction.store.rowid(forKey: key) else { throw error }
            try leaveOut(rowid, key, .object, error)
            return nil
        }
    }

    // MARK: Rows that changed while it was not notified

    package func place(_ rows: RowsToPlace) throws {
        guard writer != nil else { return }
        if rows.isAllGone { try table.forEachRowid { changed.insert($0) } }
        for row in rows.removed {
            // A comparison knows only the rowids of rows that are gone.
            changed.insert(row.rowid)
            add(row.rowid, row.key)
        }
        for row in rows.changed { add(row.rowid, row.key) }
        try updateDerivedRows()
    }

    /// Nothing says which rows came into a list, or left it, without a change of their own.
    package func canPlace(_ rows: RowsToPlace) -> Bool { !derivation.followsViews }

    package func goneRows() throws -> [Int64] {
        var gone: [Int64] = []
        try table.forEachRowid { rowid in
            let key = try transaction.store.key(forRowid: rowid)
            if key?.collection.hasSameBytes(as: derivation.source) != true { gone.append(rowid) }
        }
        return gone
    }

    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? {
        var (found, count, unnoted) = (RowComparison(), 0, UndecodableNotes(of: self))
        let reader = SourceReader(transaction)
        try transaction.enumerateRows(allowedCollections: sourceRows, columns: .values) { row, _ in
            if count % 256 == 0 { try check() }
            count += 1
            var isUnnoted = false
            let isRight = try unnoted.ifDecodable(row.rowid, &isUnnoted) {
                let content = try RowContent(row, needs: .object)
                let entry = try derivation.entry(of: content, in: transaction)
                guard try table.entry(row.rowid) == entry else { return false }
                return try entry.map { try derivation.isCurrent(content, $0, reader) } ?? true
            }
            if try isUnnoted || !(isRight ?? (table.entry(row.rowid) == nil)) { found.misplaced.append(row.key) }
        }
        for key in reader.undecodable {
            guard let rowid = try transaction.store.rowid(forKey: key), try unnoted.mustBeNoted(rowid) else { continue }
            found.misplaced.append(key)
        }
        found.gone = try goneRows()
        return found
    }

    package func numberOfRowsToCompare() throws -> Int {
        try transaction.count(allowedCollections: sourceRows)
    }
}

extension YapDatabaseReadTransaction {
    /// Brings derived rows up to date before they are read. If that fails, the commit and each later write throw the error.
    func updateDerivedRows(of collection: String) {
        guard let name = RowTable.derivingExtension(ofCollection: collection),
            let write = self as? YapDatabaseReadWriteTransaction
        else { return }
        try? write.step { try write.hooks(ofExtension: name)?.changeRows() }
    }

    /// Whether two values are stored as the same bytes, apart from marks of a version.
    func areStoredAlike<Value: Encodable>(_ one: Value, _ other: Value) throws -> Bool {
        let format = YapDatabaseCodableFormat.propertyList
        return try format.encode(one) == format.encode(other)
    }
}

extension SQLValue {
    /// The moment that an entry has. A derivation writes a real number. Another number may come out of a damaged file: its row is derived again at
    /// that moment, and the others are not kept from theirs. Nil for what is no number.
    fileprivate var moment: Date? {
        switch self {
        case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
        case .text, .blob, .null: nil
        }
    }
}
