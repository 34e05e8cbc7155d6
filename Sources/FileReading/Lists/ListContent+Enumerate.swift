import ListChanges
import FileEngine

extension ListContent {
    /// A row that an enumeration has reached.
    package struct Stop {
        package var group: String
        /// The place in the whole group; nil if unknown.
        package var index: Int?
        package var row: BrowsedRow
    }

    /// The rows found at once, in a fraction of a millisecond.
    private static let portion = 500

    /// Calls `body` with one row after the other, group by group, in constant memory. From the beginning, the first
    /// rows come at once, however many rows there are. Values are complete, however large.
    package func enumerate(_ selection: RowSelection, _ body: (Stop) throws -> Void) throws {
        for group in groups {
            guard let source = sources[group] else { continue }
            switch (selection.range, selection.isReversed) {
            case (.all, false): try forward(group, source, limit: .max, body)
            case (.first(let limit), false): try forward(group, source, limit: limit, body)
            case (.last(let limit), let isReversed) where !source.count.isComplete && limit <= Self.portion:
                try last(group, source, limit: limit, isReversed: isReversed, body)
            default: try mapped(group, source, selection, body)
            }
        }
    }

    private func forward(
        _ group: String, _ source: any RowSource, limit: Int, _ body: (Stop) throws -> Void
    ) throws {
        var place = 0
        while place < limit {
            let end = min(limit, source.count.known, place + Self.portion)
            if place < end {
                try read(group, source, place..<end, isReversed: false, body)
                place = end
            } else if try !snapshot.work({ try source.loadMore($0) }), place >= source.count.known {
                return
            }
        }
    }

    private func last(
        _ group: String, _ source: any RowSource, limit: Int, isReversed: Bool, _ body: (Stop) throws -> Void
    ) throws {
        guard let rowids = try snapshot.work({ try source.lastRowids(limit, $0) }) else {
            let selection = RowSelection(.last(limit), isReversed: isReversed)
            return try mapped(group, source, selection, body)
        }
        try snapshot.work { store in
            for rowid in isReversed ? rowids.reversed() : rowids {
                try body(Stop(group: group, index: nil, row: row(rowid, valueBytes: FileSnapshot.wholeValues, store)))
            }
        }
    }

    /// Counts the rows and lets mappings decide which of them are selected.
    private func mapped(
        _ group: String, _ source: any RowSource, _ selection: RowSelection, _ body: (Stop) throws -> Void
    ) throws {
        while try snapshot.work({ try source.loadMore($0) }) {}
        var mappings = Mappings(groups: [group])
        selection.apply(to: &mappings, groups: [group])
        mappings.update(counts: [group: source.count.known])
        let position = mappings.rangePosition(forGroup: group)
        let start = selection.isReversed ? position.offsetFromEnd : position.offsetFromBeginning
        for offset in stride(from: 0, to: position.length, by: Self.portion) {
            let count = min(Self.portion, position.length - offset)
            let low = selection.isReversed ? start + position.length - offset - count : start + offset
            try read(group, source, low..<low + count, isReversed: selection.isReversed, body)
        }
    }

    private func read(
        _ group: String, _ source: any RowSource, _ places: Range<Int>, isReversed: Bool,
        _ body: (Stop) throws -> Void
    ) throws {
        try snapshot.work { store in
            var places = places
            if !isReversed, let order = source as? KeyOrder {
                places = try together(group, order, places, store, body)
                if places.isEmpty { return }
            }
            let rowids = Array(zip(places, try source.rowids(in: places, store)))
            for (place, rowid) in isReversed ? rowids.reversed() : rowids {
                let row = try row(rowid, valueBytes: FileSnapshot.wholeValues, store)
                try body(Stop(group: group, index: place, row: row))
            }
        }
    }

    /// Reads rows by one statement.
    /// - Returns: the places that are left, from the first that cannot be read so.
    private func together(
        _ group: String, _ order: KeyOrder, _ places: Range<Int>, _ store: Store, _ body: (Stop) throws -> Void
    ) throws -> Range<Int> {
        var place = places.lowerBound
        var failure: (any Error)?
        let table = try snapshot.rowTable()
        do {
            try snapshot.withWholeValues(store) {
                try order.visitRows(in: places, table, store) { rowid, statement in
                    guard let row = snapshot.rowOfJoin(rowid, statement, from: 1) else { throw ReadFailure() }
                    place += 1
                    do {
                        try body(Stop(group: group, index: place - 1, row: row))
                    } catch {
                        failure = error
                        throw error
                    }
                }
            }
            return places.upperBound..<places.upperBound
        } catch {
            if let failure { throw failure }
            return place..<places.upperBound
        }
    }

    private struct ReadFailure: Error {}
}
