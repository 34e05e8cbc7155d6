import TableModel
import YapDatabase

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
                group == YapList<Value, Key, Metadata>.onlyGroup ? nil : SectionHeader(group, detail: "\(count)")
            }
        ) { row in try cell(row.transaction[list].value(of: row.row)) }
    }
}

extension RowCell {
    /// Creates a cell of one line of text in the terminal's colours.
    public init(_ text: String) { self.init([Line(text: text)]) }
}
