/// One group during the replay of the log.
struct ReplayedGroup {
    let name: String
    /// Whether the mappings held the group before the log, and whether they hold it after.
    let wasThere: Bool
    let isThere: Bool
    /// The number of rows before the log.
    let countBefore: Int
    /// The position in the log of the group's last reset, -1 without one. Earlier operations of the group have no
    /// effect.
    let lastReset: Int
    /// The offsets of the neighbours that a cell depends on.
    let dependencies: [Int]
    /// The end of the group that its window is pinned to; for a whole group the beginning.
    let pin: RangeOptions.Pin
    var rows: PieceTable
    private(set) var window: WindowReplay?
    /// Whether the log removed a row.
    private(set) var lostRows = false

    init(
        name: String, setup: GroupSetup?, wasThere: Bool, isThere: Bool, countBefore: Int, lastReset: Int,
        operations: Int
    ) {
        self.name = name
        self.wasThere = wasThere
        self.isThere = isThere
        self.countBefore = countBefore
        self.lastReset = lastReset
        self.dependencies = setup?.dependencies.sorted() ?? []
        self.pin = setup?.range?.pin ?? .beginning
        self.rows = PieceTable(count: countBefore, operations: operations)
        if let range = setup?.range, range.isFlexibleRange {
            let open = range.with(length: range.length(wanting: range.length, count: countBefore))
            self.window = WindowReplay(RowWindow(open, count: countBefore), range: range)
        }
    }

    /// Whether a section reset removed all rows that the group had before the log.
    var wasReset: Bool { lastReset >= 0 }

    mutating func insert(_ touch: Int32, at index: Int) {
        rows.insert(touch: touch, at: index)
        window?.insert(at: index)
    }

    mutating func remove(at index: Int) -> Piece {
        window?.delete(at: index)
        lostRows = true
        return rows.remove(at: index)
    }

    mutating func reset() {
        window?.deleteAll(countBefore)
        rows = PieceTable(count: 0)
    }
}
