import CNcurses
import TableModel

/// Turns the cells of a grid into cells of ncurses. Nothing that could move the terminal's cursor gets through: what
/// ncurses and the terminal would measure differently from the grid is replaced.
@MainActor struct CellEncoder {
    /// A fade makes new styles with every frame; past this many, they are made anew.
    private static let styleLimit = 8192
    /// What one cell of ncurses holds beside its first character.
    private static let markLimit = 4

    let depth: ColorDepth
    /// Whether characters beyond ASCII can be written at all.
    let isUnicode: Bool
    private var pairs: PairTable
    private var templates: [Style: cchar_t] = [:]
    private var lastStyle = Style.plain
    private var lastTemplate = yap_cell(32, 0, 0)

    init(depth: ColorDepth, isUnicode: Bool, colorPairs: Int) {
        self.depth = depth
        self.isUnicode = isUnicode
        pairs = PairTable(colorPairs: depth == .monochrome ? 0 : colorPairs)
    }

    /// Appends the cells that start in `columns`, which begins with the start of a character. `styles` are those that
    /// are on the screen now or will be after this frame; they are asked for only when colour pairs run out.
    mutating func encode(
        _ columns: Range<Int>, of line: UnsafeBufferPointer<Grid.Cell>, into encoded: inout [cchar_t],
        styles: () -> Set<Style>
    ) {
        var x = columns.lowerBound
        while x < columns.upperBound {
            var width = 1
            while x + width < line.count, line[x + width].character == nil { width += 1 }
            var cell = template(for: line[x].style, styles: styles)
            encode(line[x].character ?? " ", width: width, in: &cell, into: &encoded)
            x += width
        }
    }

    private mutating func encode(
        _ character: Character, width: Int, in cell: inout cchar_t, into encoded: inout [cchar_t]
    ) {
        var scalars = character.unicodeScalars.makeIterator()
        let first = scalars.next().unsafelyUnwrapped
        if width == 1, first.value >= 32, first.value < 127, scalars.next() == nil {
            yap_set_character(&cell, wchar_t(first.value))
            encoded.append(cell)
            return
        }
        let isDrawable = isUnicode ? wcwidth(wchar_t(first.value)) == width : first.isASCII && first.value >= 32
        let base = isDrawable ? first : isUnicode ? "\u{FFFD}" : "?"
        let columnsUsed = isDrawable && isUnicode ? width : 1
        yap_set_character(&cell, wchar_t(base.value))
        encoded.append(cell)
        if isDrawable, isUnicode { addMarks(of: character, to: &encoded[encoded.count - 1]) }
        yap_set_character(&cell, 32)
        for _ in columnsUsed..<max(width, columnsUsed) { encoded.append(cell) }
    }

    /// Combining marks have no width of their own. Joiners and selectors change the width of what is before them in some
    /// terminals and not in others, so they are left out.
    private func addMarks(of character: Character, to cell: inout cchar_t) {
        var marks: [wchar_t] = []
        for scalar in character.unicodeScalars.dropFirst() {
            let kind = scalar.properties.generalCategory
            guard kind == .nonspacingMark || kind == .enclosingMark, !scalar.properties.isVariationSelector,
                wcwidth(wchar_t(scalar.value)) == 0
            else { continue }
            marks.append(wchar_t(scalar.value))
            if marks.count == Self.markLimit { break }
        }
        withUnsafeMutableBytes(of: &cell.chars) { bytes in
            let characters = bytes.assumingMemoryBound(to: wchar_t.self)
            for (index, mark) in marks.enumerated() { characters[index + 1] = mark }
        }
    }

    /// A blank cell in a style.
    private mutating func template(for style: Style, styles: () -> Set<Style>) -> cchar_t {
        if style == lastStyle { return lastTemplate }
        lastTemplate = templates[style] ?? makeTemplate(for: style, styles: styles)
        lastStyle = style
        return lastTemplate
    }

    private mutating func makeTemplate(for style: Style, styles: () -> Set<Style>) -> cchar_t {
        let lowered = LoweredStyle(style, for: depth)
        if templates.count == Self.styleLimit { templates.removeAll(keepingCapacity: true) }
        let template = yap_cell(32, lowered.attributes.ncurses, pairNumber(for: lowered.colors, styles: styles))
        templates[style] = template
        return template
    }

    private mutating func pairNumber(for colors: ColorPair, styles: () -> Set<Style>) -> Int32 {
        var pair = pairs.number(for: colors)
        if pair == nil {
            pairs.keepOnly(Set(styles().map { LoweredStyle($0, for: depth).colors }))
            templates.removeAll(keepingCapacity: true)
            pair = pairs.number(for: colors)
        }
        // More pairs on one screen than the terminal has: the rest is shown in the terminal's own colours.
        guard let pair else { return 0 }
        if pair.isNew { init_extended_pair(pair.number, colors.foreground, colors.background) }
        return pair.number
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
