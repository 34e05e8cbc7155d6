/// A rectangle of cells: the content of a screen at one moment.
///
/// Row 0 is the top line. `TerminalScreen` turns a grid into bytes; tests turn it into lines of text.
public struct Grid: Hashable, Sendable {
    /// One column of the terminal.
    public struct Cell: Hashable, Sendable {
        var text: CellText
        /// The appearance of the column.
        public var style: Style

        /// Creates a cell; nil is a column that a wide character to the left covers.
        /// - Parameter style: the colours and attributes.
        public init(_ character: Character?, _ style: Style = .plain) {
            text = character.map(CellText.init) ?? .covered
            self.style = style
        }

        init(_ text: CellText, _ style: Style) {
            self.text = text
            self.style = style
        }

        /// The grapheme cluster in this column, which is safe to send to a terminal (no control character), or nil in
        /// columns that a wide character to the left covers.
        public var character: Character? {
            get { text.character }
            set { text = newValue.map(CellText.init) ?? .covered }
        }

        /// The character if it is a single ASCII byte, which is cheaper to get.
        public var ascii: UInt8? { text.ascii }

        /// Whether a wide character to the left covers this column.
        public var isCovered: Bool { text.isCovered }

        /// A space in the terminal's own colours.
        public static let blank = Cell(" ")
    }

    /// The number of columns.
    public let width: Int
    /// The number of lines.
    public let height: Int
    /// `height * width` cells, line by line.
    public private(set) var cells: [Cell]
    /// The links drawn so far, in the order in which they were drawn. A column belongs to the last one over it, unless
    /// something else was drawn there later.
    package var links: [Link] = []
    /// The position of the terminal's cursor, or nil to hide it.
    public var cursor: (x: Int, y: Int)? {
        get { cursorX.map { ($0, cursorY) } }
        set {
            cursorX = newValue?.x
            cursorY = newValue?.y ?? 0
        }
    }

    private var cursorX: Int?
    private var cursorY = 0

    /// Creates a grid of blank cells. Negative sizes count as 0.
    /// - Parameters:
    ///   - width: columns.
    ///   - height: lines.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    /// The cell in a column and a line, both counted from 0 and inside the grid.
    /// - Parameters:
    ///   - x: the column, counted from 0.
    ///   - y: the line, counted from 0.
    public subscript(x: Int, y: Int) -> Cell {
        get { cells[y * width + x] }
        set { cells[y * width + x] = newValue }
    }

    /// Overwrites a stretch of cells with one.
    mutating func update(_ range: Range<Int>, repeating cell: Cell) {
        cells.withUnsafeMutableBufferPointer { cells in
            UnsafeMutableBufferPointer(rebasing: cells[range]).update(repeating: cell)
        }
    }

    /// Overwrites a stretch of cells.
    mutating func update(_ range: Range<Int>, with line: ArraySlice<Cell>) {
        cells.withUnsafeMutableBufferPointer { cells in
            _ = UnsafeMutableBufferPointer(rebasing: cells[range]).update(fromContentsOf: line)
        }
    }

    /// Changes the styles of a stretch of cells; a cell without one is blank. Calls the function once for consecutive cells of one style.
    mutating func restyle(_ range: Range<Int>, _ change: (Style) -> Style?) {
        cells.withUnsafeMutableBufferPointer { cells in
            guard let start = cells.baseAddress else { return }
            var cell = start + range.lowerBound
            let end = start + range.upperBound
            while cell < end {
                let style = cell.pointee.style
                let changed = change(style)
                repeat {
                    if let changed { cell.pointee.style = changed } else { cell.pointee = .blank }
                    cell += 1
                } while cell < end && cell.pointee.style == style
            }
        }
    }
}

extension Grid {
    /// The text of each line, without styles and without blanks at its end: what a test compares.
    public var lines: [String] { (0..<height).map(text(ofLine:)) }

    /// The text of one line, without blanks at its end.
    public func text(ofLine y: Int) -> String {
        var text = ""
        var end = text.endIndex
        for x in 0..<width {
            let cell = self[x, y]
            guard let character = cell.character else { continue }
            text.append(character)
            if !cell.text.isBlank { end = text.endIndex }
        }
        return String(text[..<end])
    }
}
