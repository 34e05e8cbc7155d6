import Foundation
import LiveTable
import YapDatabase

/// A database, a view of its numbers and a live table of them over a whole screen.
@MainActor final class LiveList {
    let terminal: PseudoTerminal
    let database: YapDatabase
    let tables: LiveTables
    private let list: LiveTable

    init(_ terminal: PseudoTerminal, _ database: YapDatabase, rows: Int, motion: MotionLevel = .full) throws {
        self.terminal = terminal
        self.database = database
        try NumberList.add(0..<rows, to: database.newConnection())
        try NumberList.register(in: database)
        drainMainQueue()
        let mappings = YapDatabaseViewMappings(groups: [NumberList.group], view: NumberList.view)
        list = LiveTable(mappings: mappings, options: TableOptions(motion: motion)) { row in
            let data = try row.object() as? Data ?? Data()
            return RowCell([MessageRows.line(Int(data.last ?? 0), 0, width: row.width)])
        }
        tables = try LiveTables(connection: database.newConnection())
        try tables.add(list)
        try list.update { table, source in
            table.resize(width: PseudoTerminal.width, height: PseudoTerminal.height, source: source, at: 0)
        }
        terminal.screen.show(draw(at: 0))
    }

    func advance(at time: Double) throws {
        let misfits = try tables.advance(at: time)
        precondition(misfits.isEmpty, "A change-set does not fit: \(misfits)")
    }

    func draw(at time: Double) -> Grid {
        var grid = Grid(width: PseudoTerminal.width, height: PseudoTerminal.height)
        list.table.draw(into: &grid, in: grid.bounds, at: time)
        return grid
    }

    /// Returns the keys of the first rows, which are on the screen.
    func firstKeys(_ count: Int) throws -> [String] {
        try tables.connection.read { transaction in
            let view = transaction.ext(NumberList.view) as? YapDatabaseViewTransaction
            return try (0..<count).compactMap { try view?.rowKey(at: $0, inGroup: NumberList.group)?.key }
        }
    }

    func object(_ key: String) throws -> Data {
        try tables.connection.read {
            try $0.object(forKey: key, inCollection: NumberList.collection) as? Data ?? Data()
        }
    }
}

/// Runs the body with a live list on a new database.
@MainActor func withLiveList<Value>(
    rows: Int, motion: MotionLevel = .full, _ body: (LiveList) throws -> Value
) throws -> Value {
    try withScratchFolder { folder in
        // As a program for the terminal does, which observes `commits`.
        try withDatabase(folder.appending(path: "numbers.sqlite"), postsNotifications: false) { database in
            try withTerminal { terminal in
                try body(LiveList(terminal, database, rows: rows, motion: motion))
            }
        }
    }
}
