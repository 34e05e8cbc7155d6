extension Array where Element == Run {
    /// Returns the line as exactly `width` cells: safe characters, a blank for half a wide character at the end, blanks
    /// after the text.
    ///
    /// Cost: `width`, whatever the length of the text.
    package func cells(width: Int, level: UnicodeLevel) -> [Grid.Cell] {
        var cells: [Grid.Cell] = []
        cells.reserveCapacity(Swift.max(0, width))
        for run in self where cells.count < width {
            if !run.appendASCII(to: &cells, width: width) { run.appendGlyphs(to: &cells, width: width, level) }
        }
        cells.append(contentsOf: repeatElement(.blank, count: Swift.max(0, width - cells.count)))
        return cells
    }
}

extension Run {
    /// Appends a text whose visible part is printable ASCII, one cell a byte. This is the common case.
    ///
    /// - Returns: false, with nothing appended, for any other text.
    fileprivate func appendASCII(to cells: inout [Grid.Cell], width: Int) -> Bool {
        let start = cells.count
        let style = linkedStyle
        let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            // Checks one byte more than is visible: it might be a mark over the last one.
            for byte in bytes.prefix(width - start + 1) where byte < 0x20 || byte > 0x7E { return false }
            for byte in bytes.prefix(width - start) {
                cells.append(Grid.Cell(CellText(ascii: byte), style))
            }
            return true
        }
        return isASCII ?? false
    }

    fileprivate func appendGlyphs(to cells: inout [Grid.Cell], width: Int, _ level: UnicodeLevel) {
        var glyphs = Glyphs(text, level: level, column: cells.count, limit: width - cells.count)
        let style = linkedStyle
        while cells.count < width, let glyph = glyphs.next() {
            if glyph.width == 1 {
                cells.append(Grid.Cell(glyph.character, style))
            } else if cells.count + 1 < width {
                cells.append(Grid.Cell(glyph.character, style))
                cells.append(Grid.Cell(CellText.covered, style))
            } else {
                cells.append(Grid.Cell(CellText.blank, style))
            }
        }
    }
}
