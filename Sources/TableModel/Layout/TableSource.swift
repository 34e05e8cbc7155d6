import ListChanges

/// The rows of a list in one snapshot, from which a table lays out its visible part.
///
/// A table never keeps its source: every call that changes the table passes one. Each method should cost at most O(log
/// n); cells are requested only for rows on the screen.
public protocol TableSource {
    /// The number of sections, without those that are not shown.
    var numberOfSections: Int { get }
    /// Returns the number of rows that a section shows.
    func numberOfRows(in section: Int) -> Int
    /// Returns the header line above the rows of a section; nil for none.
    func header(of section: Int) -> SectionHeader?
    /// Returns the key of the row at a path, which exists.
    func key(at path: RowPath) -> RowKey
    /// Returns the keys of some rows of a section, which exist. Asked for many rows at once.
    /// - Parameters:
    ///   - rows: the rows, counted in the section.
    ///   - section: the section, counted from 0.
    func keys(of rows: Range<Int>, inSection section: Int) -> [RowKey]
    /// Returns a row's path, or nil if it is not shown. Called only after a reload, for the anchor and the selection.
    func path(of key: RowKey) -> RowPath?
    /// Returns the lines of a row, at most `width` columns wide. Date lines and unread markers are lines of the row
    /// below them.
    ///
    /// - Parameters:
    ///   - path: the row.
    ///   - width: columns.
    func cell(at path: RowPath, width: Int) -> RowCell
    /// The position of the shown rows in the whole list; rows outside count only for the scroll bar. Nil if all are
    /// shown.
    var rangePosition: RangePosition? { get }
}

extension TableSource {
    /// Asks for each key.
    /// - Parameters:
    ///   - rows: the rows, counted in the section.
    ///   - section: the section, counted from 0.
    public func keys(of rows: Range<Int>, inSection section: Int) -> [RowKey] {
        rows.map { key(at: RowPath(section: section, row: $0)) }
    }
    public func header(of section: Int) -> SectionHeader? { nil }
    public var rangePosition: RangePosition? { nil }
}

/// The header line of a section: its title, in upper case unless it is data, and a count or another short text at the right.
public struct SectionHeader: Hashable, Sendable {
    /// The text at the left.
    public var title: String
    /// The text at the right; empty for none.
    public var detail: String
    /// Whether the title is shown as it is: two names that differ in their letters' case alone are two names.
    public var isVerbatim: Bool

    /// Creates a header line.
    /// - Parameters:
    ///   - title: the text at the left.
    ///   - detail: the text at the right; empty for none.
    ///   - isVerbatim: whether the title is shown as it is, instead of in upper case.
    public init(_ title: String, detail: String = "", isVerbatim: Bool = false) {
        self.title = title
        self.detail = detail
        self.isVerbatim = isVerbatim
    }
}

/// The content of a row: lines of styled runs from top to bottom. A row without lines takes one blank line.
public struct RowCell: Hashable, Sendable {
    /// The lines from top to bottom.
    public var lines: [Line]
    /// The number of decoration lines at the top, beside which the selection bar is not drawn.
    public var decorations: Int

    /// Creates a cell of lines; the first `decorations` of them do not belong to the row itself.
    /// - Parameters:
    ///   - lines: the lines, from the first to the last.
    ///   - decorations: how many lines at the top are not beside the selection bar.
    public init(_ lines: [Line], decorations: Int = 0) {
        self.lines = lines
        self.decorations = decorations
    }
}
