import ListChanges
import TableModel
import YapDatabase

/// A list on screen that follows the database: mappings of a view and the table that shows them.
///
/// ```swift
/// let roster = LiveTable(mappings: mappings) { row in
///     RowCell([Line(text: (try row.object() as? Buddy)?.name ?? "")])
/// }
/// let tables = try LiveTables(connection: database.newConnection())
/// try tables.add(roster)
/// ```
///
/// It shows rows as soon as it is part of ``LiveTables``, which advance it from commit to commit. Use it on one thread.
public final class LiveTable {
    /// Makes the cell of a row. If it throws, the row shows the text of the error.
    public typealias CellMaker = (RowContext) throws -> RowCell
    /// Makes the header of a group's section, or returns nil for none. `count` is the number of rows that the section
    /// shows.
    public typealias HeaderMaker = (_ group: String, _ count: Int) -> SectionHeader?

    /// What the table shows of its view, as of the commit on the screen.
    public private(set) var mappings: YapDatabaseViewMappings
    /// The table as it is on the screen; `update` changes it.
    public private(set) var table: Table
    let cell: CellMaker
    let header: HeaderMaker
    /// Set by ``LiveTables/add(_:)``, or by a caller that advances the table itself.
    package var coordinator: YapDatabaseViewCoordinator?

    /// Creates a table for mappings of a view. It reads no row until it is added to ``LiveTables``.
    ///
    /// The closures run on the thread that uses the table.
    ///
    /// - Parameters:
    ///   - mappings: what is shown; they belong to this table from now on.
    ///   - options: appearance and behaviour.
    ///   - header: makes the line above a section; by default there is none.
    ///   - cell: makes the lines of a row, called for rows on the screen.
    public init(
        mappings: YapDatabaseViewMappings, options: TableOptions = TableOptions(),
        header: @escaping HeaderMaker = { _, _ in nil }, cell: @escaping CellMaker
    ) {
        self.mappings = mappings
        self.header = header
        self.cell = cell
        table = Table(options: options)
    }

    /// Changes the table with access to its rows: selects, scrolls or resizes.
    ///
    /// The closure runs on the calling thread, in the transaction of the commit on the screen.
    ///
    /// ```swift
    /// try roster.update { table, rows in table.select(RowPath(section: 0, row: 0), source: rows, at: now) }
    /// let selected = roster.update { table in table.selectedPath }
    /// ```
    ///
    /// - Throws: ``YapDatabase/YapDatabaseError`` when the database cannot be read.
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

    /// Changes the table without access to its rows.
    ///
    /// The closure runs on the calling thread.
    public func update<T>(_ change: (inout Table) -> T) -> T { change(&table) }

    /// Redraws the table in another theme, for example when the terminal reports its background. Cells find the theme
    /// in ``RowContext/theme``.
    ///
    /// Costs the cells of the visible rows.
    ///
    /// ```swift
    /// try roster.setTheme(Theme(background: .light), at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - theme: the colours and symbols.
    ///   - time: seconds of the clock that draws the tables.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `closed`, `corrupt`, `inputOutput` or `interrupted` if the database cannot be
    ///   read.
    public func setTheme(_ theme: Theme, at time: Double) throws {
        try update { table, source in table.setTheme(theme, source: source, at: time) }
    }

    /// Changes the mappings (a range, an order) and shows the result at once. Rows keep their selection and scroll
    /// position.
    ///
    /// Costs the cells of the visible rows.
    ///
    /// ```swift
    /// try roster.reconfigure(at: now) { mappings in mappings.setIsReversed(true, forGroup: "messages") }
    /// ```
    ///
    /// - Parameters:
    ///   - time: seconds of the clock that draws the tables.
    ///   - change: changes the mappings; runs on the calling thread.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `closed`, `corrupt`, `inputOutput` or `interrupted` if the database cannot be
    ///   read.
    public func reconfigure(at time: Double, _ change: (YapDatabaseViewMappings) -> Void) throws {
        change(mappings)
        mappings.showSettings()
        try update { table, source in table.reload(source: source, at: time) }
    }

    /// Replaces the mappings, for example to show another conversation. The table opens at its opening edge with no
    /// selection.
    ///
    /// ```swift
    /// try roster.show(YapDatabaseViewMappings(groups: ["anna"], view: "messages"), at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - mappings: what is shown from now on; they belong to this table.
    ///   - time: seconds of the clock that draws the tables.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `badExtension` if another program has registered another view under the name;
    ///   `closed`, `corrupt`, `inputOutput` or `interrupted` if the database cannot be read.
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

    /// Loads the rows before the table has a size. A pane may have no room for a long time and still follows its rows.
    package func load() throws { try update { table, source in table.reload(source: source, at: 0) } }

    /// Replaces the mappings. The caller must bring the table in step with ``apply(_:at:)`` right afterwards.
    package func use(_ mappings: YapDatabaseViewMappings) { self.mappings = mappings }

    /// Shows the state after a commit and animates the rows that it moved.
    ///
    /// - Returns: a misfit if the change-set does not lead to the present rows; the table shows the present rows in any
    ///   case.
    package func apply(_ outcome: Outcome, at time: Double) throws -> Misfit? {
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

extension LiveTable {
    /// Creates a table of a typed list: each cell is made from a value.
    ///
    /// ```swift
    /// let table = LiveTable(order, .last(50)) { book in RowCell(book.title) }
    /// ```
    ///
    /// The closures run on the thread that uses the table.
    ///
    /// - Parameters:
    ///   - shown: which groups, in which direction and range.
    ///   - header: the header of a group's section; by default its name and number of rows if there are several groups.
    public convenience init<Value, Key, Metadata>(
        _ list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all, options: TableOptions = TableOptions(),
        header: HeaderMaker? = nil, cell: @escaping (Value) throws -> RowCell
    ) {
        self.init(
            mappings: list.mappings(shown), options: options,
            header: header ?? { group, count in
                group == YapList<Value, Key, Metadata>.onlyGroup
                    ? nil : SectionHeader(group, detail: "\(count)", isVerbatim: true)
            }
        ) { row in try cell(row.transaction[list].value(of: row.row)) }
    }
}

extension RowCell {
    /// Creates a cell of one line of text in the terminal's colours.
    public init(_ text: String) { self.init([Line(text: text)]) }
}
