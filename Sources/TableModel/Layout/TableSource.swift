import ListChanges

/// The rows of a list at one snapshot: what a table asks while it lays out what can be seen.
///
/// A table never keeps its source: every change comes with the source to read from. Each call should cost at most
/// O(log n); only rows on the screen are asked for their cells.
public protocol TableSource {
    var numberOfSections: Int { get }
    func numberOfRows(in section: Int) -> Int
    /// What stands above the rows of a section; nil for no header line.
    func header(of section: Int) -> SectionHeader?
    func key(at path: RowPath) -> RowKey
    /// Where a row is, or nil when it is not shown. Asked after a reload only, for the anchor and the selection.
    func path(of key: RowKey) -> RowPath?
    /// The lines of a row, at most `width` columns wide: date lines and unread markers are lines of the row below them.
    func cell(at path: RowPath, width: Int) -> RowCell
    /// Where the shown rows stand among those of the whole list; those outside only count for the scroll bar. Nil when all
    /// are shown.
    var rangePosition: RangePosition? { get }
}

extension TableSource {
    public func header(of section: Int) -> SectionHeader? { nil }
    public var rangePosition: RangePosition? { nil }
}

/// The header line of a section: its title in upper case, and a count or another short text at the right.
public struct SectionHeader: Hashable, Sendable {
    public var title: String
    public var detail: String

    public init(_ title: String, detail: String = "") {
        self.title = title
        self.detail = detail
    }
}

/// How a row looks: lines of styled runs from top to bottom; a row without lines takes one blank line.
public struct RowCell: Hashable, Sendable {
    public var lines: [Line]
    /// The number of lines at the top that are decoration: the selection's bar does not stand beside them.
    public var decorations: Int

    public init(_ lines: [Line], decorations: Int = 0) {
        self.lines = lines
        self.decorations = decorations
    }
}
