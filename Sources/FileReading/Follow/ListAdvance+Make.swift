import ListChanges
import FileEngine

extension ListAdvance {
    /// The most rows of a list, before and after, that are compared. Reading one takes a microsecond as an entry of an
    /// index, and a fraction of that on a view's page.
    private static let rowLimit = 300_000
    private static let pagedRowLimit = 2_000_000

    init(
        _ before: ListContent, reach: [Int64]?, _ changes: LogChanges, to snapshot: FileSnapshot, _ catalog: Catalog
    ) throws {
        content = try ListContent.orEmpty(before.subject, snapshot, catalog).counted(like: before, changes.keys)
        content.keepKeys(of: before, except: changes.rows)
        do {
            // While one commit follows the other, this is the only time to count.
            try content.loadAll()
        } catch let error as YapDatabaseError where error.isDamage {}
        do {
            log =
                try reach == nil
                ? nil : Self.log(before, content, reach: Array((reach ?? []).prefix(FileStep.reachLimit)), changes.rows)
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            // Nothing holds the older state any more, and its rows were not read in time.
            log = nil
        }
    }

    private static func log(
        _ before: ListContent, _ after: ListContent, reach: [Int64], _ touched: TouchedRows
    ) throws -> [RawOperation]? {
        let limit = before.subject.isView ? pagedRowLimit : rowLimit
        guard before.isComplete, after.isComplete, before.rowCount + after.rowCount <= limit else { return nil }
        let (old, new) = try (before.sequences(), after.sequences())
        var reused = ReusedRowids(before, after, touched)
        guard try reused.compare(reach) else { return nil }
        while let moves = SequenceDifference.operations(from: old, to: new, reused: reused.rowids) {
            let known = reused.rowids.count
            guard try reused.compare(moves.movedRowids) else { return nil }
            guard reused.rowids.count == known else { continue }
            let reach = Set(reach).subtracting(reused.rowids)
            return try moves + updates(before, after, new, reach: reach, touched)
        }
        return nil
    }

    /// Finds the rows in reach whose content changed.
    private static func updates(
        _ before: ListContent, _ after: ListContent, _ sequences: [RowSequence], reach: Set<Int64>,
        _ touched: TouchedRows
    ) throws -> [RawOperation] {
        var wanted: [Int64: ChangeFlags] = [:]
        for rowid in reach where touched.contains(rowid) || !before.subject.hasStoredRows {
            let flags = try flags(of: rowid, before, after)
            if !flags.isEmpty { wanted[rowid] = flags }
        }
        guard !wanted.isEmpty else { return [] }
        return sequences.flatMap { sequence in
            sequence.rowids.enumerated().compactMap { index, rowid in
                wanted[rowid].map { .updateRow(group: sequence.group, index: index, key: .of(rowid: rowid), flags: $0) }
            }
        }
    }

    /// Returns which parts of a row changed; all of them if the earlier row can no longer be read.
    private static func flags(of rowid: Int64, _ before: ListContent, _ after: ListContent) throws -> ChangeFlags {
        let new = try after.snapshot.work { try after.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
        do {
            let old = try before.snapshot.work { try before.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
            return new.changes(from: old)
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            return [.object, .metadata]
        }
    }
}

extension ListContent {
    /// Returns an empty list if its subject no longer exists: it may come back.
    fileprivate static func orEmpty(
        _ subject: ListSubject, _ snapshot: FileSnapshot, _ catalog: Catalog
    ) throws -> ListContent {
        do {
            return try ListContent(subject, snapshot, catalog: catalog, mustExist: false)
        } catch let error as YapDatabaseError where error.code == .badExtension || error.code == .notAYapDatabase {
            return ListContent(empty: subject, snapshot, damage: [error.message])
        }
    }

    /// Returns the same list with the counts of an older state where these still hold.
    fileprivate func counted(like before: ListContent, _ keys: TouchedKeys?) throws -> ListContent {
        guard let keys, groups.count == 1, let fresh = sources[groups[0]] as? KeyOrder,
            let old = before.sources[groups[0]] as? KeyOrder
        else { return self }
        let table = try snapshot.rowTable()
        let order = try snapshot.work { try old.advanced(to: fresh, keys, table, $0) }
        return order.map { ListContent(self, showing: ExactDictionary([(groups[0], $0)])) } ?? self
    }

    fileprivate var rowCount: Int { sources.values.reduce(0) { $0 + $1.count.known } }

    /// Returns the rows of every group and keeps them for the next difference.
    fileprivate func sequences() throws -> [RowSequence] {
        if let known = knownSequences.withLock({ $0 }) { return known }
        let sequences = try groups.map { group in
            guard let source = sources[group] else { return RowSequence(group: group, rowids: []) }
            var rowids: [Int64] = []
            rowids.reserveCapacity(source.count.known)
            for start in stride(from: 0, to: source.count.known, by: KeyOrder.stride) {
                rowids += try snapshot.work { try source.rowids(in: start..<start + KeyOrder.stride, $0) }
            }
            return RowSequence(group: group, rowids: rowids)
        }
        knownSequences.withLock { $0 = sequences }
        return sequences
    }
}

extension [RawOperation] {
    /// The rows that are removed and inserted again.
    fileprivate var movedRowids: [Int64] {
        var removed: Set<Int64> = []
        return compactMap { operation in
            switch operation {
            case .deleteRow(_, _, let key):
                if let rowid = key.rowid { removed.insert(rowid) }
                return nil
            case .insertRow(_, _, let key): return key.rowid.flatMap { removed.contains($0) ? $0 : nil }
            default: return nil
            }
        }
    }
}

extension BrowsedRow {
    /// Returns which parts of the row changed.
    fileprivate func changes(from before: BrowsedRow) -> ChangeFlags {
        var flags: ChangeFlags = []
        if object != before.object || address != before.address || columns != before.columns || error != before.error {
            flags.insert(.object)
        }
        if metadata != before.metadata { flags.insert(.metadata) }
        return flags
    }
}
