import ListChanges
import FileEngine

extension ListContent {
    /// A row that an enumeration has reached.
    package struct Stop {
        package var group: String
        /// The place in the whole group; nil if unknown.
        package var index: Int?
        package var rowid: Int64
    }

    /// The rows found at once, in a fraction of a millisecond.
    private static let portion = 500

    /// Calls `body` with one row after the other, group by group, in constant memory. From the beginning, the first
    /// rows come at once, however many rows there are.
    /// - Parameter body: also gets the store to read the row from.
    package func enumerate(_ selection: RowSelection, _ body: (Stop, Store) throws -> Void) throws {
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
        _ group: String, _ source: any RowSource, limit: Int, _ body: (Stop, Store) throws -> Void
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
        _ group: String, _ source: any RowSource, limit: Int, isReversed: Bool, _ body: (Stop, Store) throws -> Void
    ) throws {
        guard let rowids = try snapshot.work({ try source.lastRowids(limit, $0) }) else {
            let selection = RowSelection(.last(limit), isReversed: isReversed)
            return try mapped(group, source, selection, body)
        }
        try snapshot.work { store in
            for rowid in isReversed ? rowids.reversed() : rowids {
                try body(Stop(group: group, index: nil, rowid: rowid), store)
            }
        }
    }

    /// Counts the rows and lets mappings decide which of them are selected.
    private func mapped(
        _ group: String, _ source: any RowSource, _ selection: RowSelection, _ body: (Stop, Store) throws -> Void
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
        _ body: (Stop, Store) throws -> Void
    ) throws {
        try snapshot.work { store in
            let stops = zip(places, try source.rowids(in: places, store)).map {
                Stop(group: group, index: $0, rowid: $1)
            }
            for stop in isReversed ? stops.reversed() : stops { try body(stop, store) }
        }
    }
}
