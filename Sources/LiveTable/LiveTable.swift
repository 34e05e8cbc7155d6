import ListChanges
import TableModel
import YapDatabase

/// A list on screen that follows the database: mappings of a view, and the table that shows them.
///
/// ```swift
/// let roster = LiveTable(mappings: mappings) { row in
///     RowCell([Line(text: (try row.object() as? Buddy)?.name ?? "")])
/// }
/// let tables = try LiveTables(connection: database.newConnection())
/// try tables.add(roster)
/// ```
///
/// It shows rows as soon as it is part of ``LiveTables``, which move it from commit to commit. One thread uses it.
public final class LiveTable {
    /// Draws a row. A row whose maker throws shows the error's text in its place.
    public typealias CellMaker = (RowContext) throws -> RowCell
    /// The header of a group's section, nil for none; asked with the number of rows that the section shows.
    public typealias HeaderMaker = (_ group: String, _ count: Int) -> SectionHeader?

    public private(set) var mappings: YapDatabaseViewMappings
    public private(set) var table: Table
    let cell: CellMaker
    let header: HeaderMaker
    /// Set when the table is added to live tables, or by whoever moves it by hand.
    package var coordinator: YapDatabaseViewCoordinator?

    public init(
        mappings: YapDatabaseViewMappings, options: TableOptions = TableOptions(),
        header: @escaping HeaderMaker = { _, _ in nil }, cell: @escaping CellMaker
    ) {
        self.mappings = mappings
        self.header = header
        self.cell = cell
        table = Table(options: options)
    }

    /// Does something to the table that needs its rows: selecting, scrolling, resizing.
    ///
    /// - Throws: when the database cannot be read.
    @discardableResult
    public func update<T>(_ change: (inout Table, any TableSource) throws -> T) throws -> T {
        guard let coordinator else { fatalError("Add the table to LiveTables before it is asked for rows.") }
        return try coordinator.connection.read { transaction in
            let source = ViewSource(self, transaction: transaction)
            let result = try change(&table, source)
            if let error = source.error { throw error }
            return result
        }
    }

    /// Does something to the table that needs no rows.
    public func update<T>(_ change: (inout Table) -> T) -> T { change(&table) }

    /// Draws everything in another theme, as after the terminal told its background. Cells find it in
    /// ``RowContext/theme``.
    public func setTheme(_ theme: Theme, at time: Double) throws {
        var options = table.options
        options.theme = theme
        try update { table, source in table.setOptions(options, source: source, at: time) }
    }

    /// Changes the mappings (a range, an order) and shows the result at once; selection and scroll position stay with
    /// their rows.
    public func reconfigure(at time: Double, _ change: (YapDatabaseViewMappings) -> Void) throws {
        change(mappings)
        try update { table, source in table.reload(source: source, at: time) }
    }

    /// Shows other mappings in this table from now on, as a conversation is changed for another: at the opening edge,
    /// with nothing selected.
    public func show(_ mappings: YapDatabaseViewMappings, at time: Double) throws {
        let size = (table.width, table.height)
        let isFocused = table.isFocused
        coordinator?.unfollow(self.mappings)
        try coordinator?.follow(mappings)
        self.mappings = mappings
        table = Table(options: table.options)
        table.isFocused = isFocused
        try load()
        try update { table, source in table.resize(width: size.0, height: size.1, source: source, at: time) }
    }

    /// Has the table know its rows before it has a size: a pane may have no room for long, and is followed all the same.
    package func load() throws { try update { table, source in table.reload(source: source, at: 0) } }

    /// Asks other mappings from now on, for whoever brings what is shown in step with ``follow(_:at:)`` right afterwards.
    package func use(_ mappings: YapDatabaseViewMappings) { self.mappings = mappings }

    /// Shows what a commit left, moving what it moved.
    ///
    /// - Returns: a misfit, if the change-set did not lead to the rows that are there; the table shows the rows.
    package func follow(_ outcome: YapDatabaseViewOutcome, at time: Double) throws -> Misfit? {
        switch outcome {
        case .none: nil
        case .changes(let changes): try update { table, source in table.apply(changes, source: source, at: time) }
        case .reload:
            try update { table, source in
                table.reload(source: source, at: time)
                return nil
            }
        }
    }
}
