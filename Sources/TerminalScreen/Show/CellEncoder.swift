import CNcurses
import TerminalCells

/// Encodes the cells of a grid as cells of ncurses. Text that ncurses and the terminal would measure differently from
/// the grid is replaced, so that nothing moves the terminal's cursor.
@MainActor struct CellEncoder {
    /// The most cached styles. A fade creates new styles with every frame, so the cache is emptied at this size.
    private static let styleLimit = 8192
    /// The marks that one cell of ncurses holds besides its first character.
    private static let markLimit = Int(CCHARW_MAX) - 1

    let colors: ColorDepth
    /// Whether characters beyond ASCII can be written.
    let isUnicode: Bool
    /// What the terminal is known to draw whole.
    var whole: WholePictures = []
    private(set) var pictures = PictureTable()
    private var pairs: PairTable
    /// Whether unused pairs may still be searched in this frame; the search walks over all cells.
    private var mayReclaim = true
    private var templates: [Style: cchar_t] = [:]
    private var lastStyle = Style.plain
    private var lastTemplate = yap_cell(32, 0, 0)

    init(colors: ColorDepth, isUnicode: Bool, colorPairs: Int) {
        self.colors = colors
        self.isUnicode = isUnicode
        pairs = PairTable(colorPairs: colors == .monochrome ? 0 : colorPairs)
    }

    /// Appends the cells that start in `columns`, which must begin at the start of a character.
    /// - Parameter styles: returns the styles that are on the screen before or after this frame; called only when colour pairs run out.
    mutating func encode(
        _ columns: Range<Int>, of line: UnsafeBufferPointer<Grid.Cell>, into encoded: inout [cchar_t],
        styles: () -> Set<Style>
    ) {
        var x = columns.lowerBound
        while x < columns.upperBound {
            var width = 1
            while x + width < line.count, line[x + width].isCovered { width += 1 }
            var cell = template(for: line[x].style, styles: styles)
            if width == 1, let ascii = line[x].ascii, ascii >= 0x20, ascii < 0x7F {
                yap_set_character(&cell, wchar_t(ascii))
                encoded.append(cell)
            } else {
                encodeCluster((line[x].character ?? " ").unicodeScalars, width: width, in: &cell, into: &encoded)
            }
            x += width
        }
    }

    /// Encodes a cluster in as many columns as the grid has for it: whole if the terminal is known to draw it so, otherwise scalars with
    /// a width as long as they fit, marks on top of them, blanks for the rest. Joiners and selectors are then left out, because terminals
    /// differ in whether these change the width of the text before them.
    private mutating func encodeCluster(
        _ scalars: Character.UnicodeScalarView, width: Int, in cell: inout cchar_t, into encoded: inout [cchar_t]
    ) {
        let needed = width == 2 && isUnicode ? WholePictures.needed(for: scalars) : nil
        if let needed, !needed.isEmpty, whole.isSuperset(of: needed), pictures.set(&cell, to: String(scalars)) {
            return encoded.append(cell)
        }
        var columnsLeft = width
        var marks = 0
        for scalar in scalars {
            let scalar = scalar.letterOfFlag ?? scalar
            let columns = Int(isUnicode ? wcwidth(wchar_t(scalar.value)) : scalar.asciiWidth)
            if columns > 0, columns <= columnsLeft {
                yap_set_character(&cell, wchar_t(scalar.value))
                encoded.append(cell)
                columnsLeft -= columns
                marks = 0
            } else if columns == 0, columnsLeft < width, marks < Self.markLimit, scalar.isMark {
                marks += 1
                yap_add_mark(&encoded[encoded.count - 1], wchar_t(scalar.value), Int32(marks))
            }
        }
        if columnsLeft == width {
            yap_set_character(&cell, isUnicode ? 0xFFFD : 0x3F)
            encoded.append(cell)
            columnsLeft -= 1
        }
        yap_set_character(&cell, 0x20)
        for _ in 0..<columnsLeft { encoded.append(cell) }
    }

    /// Returns a blank cell in a style.
    private mutating func template(for style: Style, styles: () -> Set<Style>) -> cchar_t {
        if style == lastStyle { return lastTemplate }
        lastTemplate = templates[style] ?? makeTemplate(for: style, styles: styles)
        lastStyle = style
        return lastTemplate
    }

    /// Must be called before each frame.
    mutating func beginFrame() { mayReclaim = true }

    private mutating func makeTemplate(for style: Style, styles: () -> Set<Style>) -> cchar_t {
        let lowered = LoweredStyle(style, for: colors)
        if templates.count == Self.styleLimit { templates.removeAll(keepingCapacity: true) }
        let template = yap_cell(32, lowered.attributes.ncurses, pairNumber(for: lowered.colors, styles: styles))
        templates[style] = template
        return template
    }

    private mutating func pairNumber(for pair: ColorPair, styles: () -> Set<Style>) -> Int32 {
        var found = pairs.number(for: pair)
        if found == nil, mayReclaim {
            mayReclaim = false
            pairs.keepOnly(Set(styles().map { LoweredStyle($0, for: colors).colors }))
            templates.removeAll(keepingCapacity: true)
            found = pairs.number(for: pair)
        }
        // The screen needs more colour pairs than the terminal has. The remaining text is shown in the terminal's default colours.
        guard let found else { return 0 }
        if found.isNew { init_extended_pair(found.number, pair.foreground, pair.background) }
        return found.number
    }
}

extension Attributes {
    @MainActor fileprivate var ncurses: attr_t {
        var result: attr_t = 0
        if contains(.bold) { result |= yap_attribute_bold() }
        if contains(.dim) { result |= yap_attribute_dim() }
        if contains(.italic) { result |= yap_attribute_italic() }
        if contains(.underline) { result |= yap_attribute_underline() }
        if contains(.reverse) { result |= yap_attribute_reverse() }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var asciiWidth: Int32 { (0x20..<0x7F).contains(value) ? 1 : -1 }

    fileprivate var isMark: Bool {
        let kind = properties.generalCategory
        return (kind == .nonspacingMark || kind == .enclosingMark) && !properties.isVariationSelector
    }
}
