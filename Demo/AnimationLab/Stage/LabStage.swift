import Foundation
import LiveTable

/// A session on screen: its list in an animated table and in one that only reloads.
final class LabStage {
    let entry: LabEntry
    let session: LabSession
    /// The flaws of the entry's steps when it was opened.
    let flaws: [Flaw]
    let table: LiveTable
    /// The same list in a table without change-sets.
    let plain: LiveTable

    /// The cells for the names of the rows in both tables, and in one beside them.
    var nameWidth: Int { names.width }
    private let names: Names

    /// Shared with the blocks that make cells.
    private final class Names {
        var width = 0
    }

    /// Whether the database stays open when another entry is shown.
    private let isKept: Bool

    init(
        _ entry: LabEntry, _ session: LabSession, flaws: [Flaw] = [], isKept: Bool = false, _ options: TableOptions
    ) throws {
        self.entry = entry
        self.isKept = isKept
        self.flaws = flaws
        self.session = session
        let coordinator = try YapDatabaseViewCoordinator(connection: session.database.reader)
        let names = Names()
        names.width = LabCell.nameWidth(session.texts.keys, options.theme)
        self.names = names
        func cell() -> LabCell {
            LabCell(
                theme: options.theme, mappings: session.list.mappings, nameWidth: names.width,
                waiting: session.hasWaitingEdits ? session.rows : nil)
        }
        let tables = [options.motion, .none].map { motion in
            var options = options
            options.motion = motion
            let table = LiveTable(
                mappings: session.list.mappings, options: options,
                header: { cell().header(ofGroup: $0, count: $1) }, cell: { try cell().cell($0) })
            table.coordinator = coordinator
            return table
        }
        (table, plain) = (tables[0], tables[1])
        for list in tables { try list.load() }
    }

    /// Shows the result of a step in both tables.
    ///
    /// - Returns: a misfit if the change-set does not lead to the present rows.
    func show(_ outcome: Outcome, at time: Double) throws -> Misfit? {
        for list in [table, plain] { list.use(session.list.mappings) }
        let width = LabCell.nameWidth(session.texts.keys, table.table.options.theme)
        let isOther = width != names.width
        names.width = width
        if outcome != .none { _ = try plain.apply(.reload, at: time) }
        let misfit = try table.apply(outcome, at: time)
        if isOther { try redraw(at: time) }
        return misfit
    }

    func setTheme(_ theme: Theme, at time: Double) throws {
        for list in [table, plain] { try list.setTheme(theme, at: time) }
    }

    /// Performs a command in both tables.
    func perform(_ command: TableCommand, at time: Double) throws {
        for list in [table, plain] {
            try list.update { table, source in table.perform(command, source: source, at: time) }
        }
    }

    /// Selects a row if it is shown.
    func select(_ key: RowKey, at time: Double) throws {
        for list in [table, plain] {
            try list.update { table, source in
                if let path = source.path(of: key) { table.select(path, source: source, at: time) }
            }
        }
    }

    /// Redraws the rows in place, because pending edits have changed.
    func redraw(at time: Double) throws {
        for list in [table, plain] {
            try list.update { table, source in table.setOptions(table.options, source: source, at: time) }
        }
    }

    /// Reloads everything without animation.
    func reload(at time: Double) throws { _ = try show(.reload, at: time) }

    /// Closes a throwaway database.
    func close() throws { if !isKept { try session.database.close() } }
}
