import Foundation
import Synchronization
import TableModel
import TerminalCells
import TerminalScreen
import YapDatabase

/// A list on the screen as a program would keep it by hand, of rows in a fixed order: a table in SQLite, a connection that reads the row of
/// which the writer says that it changed, and lines of cells whose tints fade as ours do. It has no change-sets, views, scrolling or motion.
@MainActor final class HandDrawnList {
    nonisolated static let update = #"UPDATE "database2" SET "data" = ? WHERE "collection" = ? AND "key" = ?"#

    let terminal: PseudoTerminal
    /// The rows on the screen, as they were at first.
    let rows: [(key: String, object: Data)]
    /// The number of the newest commit, which changed the row of that number, modulo the rows.
    nonisolated let newest = Atomic(0)

    private let reader: RawHandle
    private let read: RawStatement
    private var lines: [[Grid.Cell]]
    /// When each row changed.
    private var changes: [Double]
    private let theme = Theme()
    private static let (duration, steps) = (0.5, 8.0)

    init(_ terminal: PseudoTerminal, _ url: URL) throws {
        self.terminal = terminal
        reader = try RawHandle(url)
        let insert = try reader.prepare(#"INSERT INTO "database2" ("collection", "key", "data") VALUES (?, ?, ?)"#)
        var rows: [(key: String, object: Data)] = []
        try reader.inTransaction {
            try NumberList.forEach(0..<10_000) { key, object in
                try insert.run(NumberList.collection, key, object)
                if rows.count < PseudoTerminal.height - 2 { rows.append((key, object)) }
            }
        }
        self.rows = rows
        read = try reader.prepare(#"SELECT "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        lines = rows.map { Self.cells($0.object) }
        changes = rows.map { _ in -1 }
        try reader.execute("BEGIN")
        terminal.screen.show(draw(at: 0))
    }

    private static func cells(_ object: Data) -> [Grid.Cell] {
        MessageRows.line(Int(object.last ?? 0), 0, width: PseudoTerminal.width)
            .cells(width: PseudoTerminal.width, level: .safe)
    }

    /// Reads the row that changed last, in the newest state.
    func advance(at time: Double) throws {
        let row = newest.load(ordering: .acquiring) % rows.count
        try reader.execute("COMMIT")
        try reader.execute("BEGIN")
        guard let object = try read.first(NumberList.collection, rows[row].key, read: { $0.data(0) }) else {
            throw RawError("The row \(rows[row].key) is gone.")
        }
        show(row, object, at: time)
    }

    func show(_ row: Int, _ object: Data, at time: Double) {
        lines[row] = Self.cells(object)
        changes[row] = time
    }

    func draw(at time: Double) -> Grid {
        var grid = Grid(width: PseudoTerminal.width, height: PseudoTerminal.height)
        for (row, line) in lines.enumerated() {
            let level = level(changes[row], at: time)
            if level == 0 {
                grid.copy(line, x: 0, y: row, in: grid.bounds)
            } else {
                grid.copy(line, x: 0, y: row, in: grid.bounds) { theme.tinted($0, level: level) }
            }
        }
        return grid
    }

    /// When the next tint pales.
    func nextFrame(after time: Double) -> Double? {
        let step = Self.duration / Self.steps
        return changes.filter { time < $0 + Self.duration }.map {
            $0 + (((time - $0) / step).rounded(.down) + 1) * step
        }.min()
    }

    private func level(_ change: Double, at time: Double) -> Double {
        let passed = (time - change) / Self.duration
        return change < 0 || passed >= 1 ? 0 : 1 - (passed * Self.steps).rounded(.down) / Self.steps
    }
}
