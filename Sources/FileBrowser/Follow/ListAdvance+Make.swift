import ListChanges
import YapDatabase

extension ListAdvance {
    /// Rows of a list, before and after, that are compared. Reading them takes a microsecond each where they are entries
    /// of an index, and a fraction of that where they stand on a view's pages.
    private static let rowLimit = 300_000
    private static let pagedRowLimit = 2_000_000
    init(_ before: ListContent, reach: [Int64], to snapshot: FileSnapshot, _ catalog: Catalog) throws {
        content = try ListContent.orEmpty(before.subject, snapshot, catalog)
        // A list whose length was known is not to lose it.
        if before.isComplete { try content.learn() }
        do {
            log = try Self.log(before, content, reach: Array(reach.prefix(FileStep.reachLimit)))
        } catch let error as YapDatabaseError where error.code == .reloadNeeded {
            // The older state was not locked, and somebody wrote over it.
            log = nil
        }
    }

    private static func log(_ before: ListContent, _ after: ListContent, reach: [Int64]) throws -> [RawOperation]? {
        let limit = before.subject.isView ? pagedRowLimit : rowLimit
        guard before.isComplete, after.isComplete, before.rowCount + after.rowCount <= limit else { return nil }
        let (old, new) = try (before.sequences(), after.sequences())
        guard let moves = SequenceDifference.operations(from: old, to: new) else { return nil }
        return try moves + updates(before, after, new, reach: reach)
    }

    /// The rows in reach whose content is another.
    private static func updates(
        _ before: ListContent, _ after: ListContent, _ sequences: [RowSequence], reach: [Int64]
    ) throws -> [RawOperation] {
        var wanted: [Int64: ChangeFlags] = [:]
        for rowid in Set(reach) {
            let old = try before.snapshot.work { try before.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
            let new = try after.snapshot.work { try after.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
            let flags = new.changes(from: old)
            if !flags.isEmpty { wanted[rowid] = flags }
        }
        guard !wanted.isEmpty else { return [] }
        return sequences.flatMap { sequence in
            sequence.rowids.enumerated().compactMap { index, rowid in
                wanted[rowid].map { .updateRow(group: sequence.group, index: index, key: .of(rowid: rowid), flags: $0) }
            }
        }
    }
}

extension ListContent {
    /// A list of which nothing is there any more is empty: it may come again.
    fileprivate static func orEmpty(
        _ subject: ListSubject, _ snapshot: FileSnapshot, _ catalog: Catalog
    ) throws -> ListContent {
        do {
            return try ListContent(subject, snapshot, catalog: catalog, mustExist: false)
        } catch let error as YapDatabaseError where error.code == .badExtension || error.code == .notAYapDatabase {
            return ListContent(empty: subject, snapshot, damage: [error.message])
        }
    }

    fileprivate var rowCount: Int { sources.values.reduce(0) { $0 + $1.count.known } }

    /// Every row of every group.
    fileprivate func sequences() throws -> [RowSequence] {
        try groups.map { group in
            guard let source = sources[group] else { return RowSequence(group: group, rowids: []) }
            var rowids: [Int64] = []
            rowids.reserveCapacity(source.count.known)
            for start in stride(from: 0, to: source.count.known, by: KeyOrder.stride) {
                rowids += try snapshot.work { try source.rowids(in: start..<start + KeyOrder.stride, $0) }
            }
            return RowSequence(group: group, rowids: rowids)
        }
    }
}

extension BrowsedRow {
    /// What about the row is another than before.
    fileprivate func changes(from before: BrowsedRow) -> ChangeFlags {
        var flags: ChangeFlags = []
        if object != before.object || address != before.address || columns != before.columns || error != before.error {
            flags.insert(.object)
        }
        if metadata != before.metadata { flags.insert(.metadata) }
        return flags
    }
}
