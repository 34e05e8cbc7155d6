extension TextField {
    /// The text wrapped to lines of the screen: which characters each has, and the column of each.
    ///
    /// A line breaks after a blank, or inside a word that is longer than a line. Blanks at its end stay there. The last
    /// column is left to the cursor. Cost: O(n) in the length of the text.
    struct Rows {
        /// The first character of each line.
        private(set) var starts = [0]
        /// The column before each character of the text, and behind the last one.
        private(set) var columns: [Int] = []
        private let characters: [Character]

        init(_ characters: [Character], width: Int, level: UnicodeLevel) {
            self.characters = characters
            columns.reserveCapacity(characters.count + 1)
            let limit = max(1, width == .max ? .max : width - 1)
            var column = 0
            /// The character after the last blank of the line.
            var breakAfter: Int?
            var index = 0
            while index < characters.count {
                let character = characters[index]
                let used = Self.width(of: character, column: column, level)
                if character != " ", character != "\n", column + used > limit, index > starts[starts.count - 1] {
                    // The word goes to the next line, unless it fills this one.
                    let start = breakAfter ?? index
                    starts.append(start)
                    columns.removeSubrange(start...)
                    (index, column, breakAfter) = (start, 0, nil)
                    continue
                }
                columns.append(column)
                column += used
                index += 1
                if character == " " { breakAfter = index }
                if character == "\n" {
                    starts.append(index)
                    (column, breakAfter) = (0, nil)
                }
            }
            columns.append(column)
        }

        var count: Int { starts.count }

        /// The characters of a line.
        func range(_ row: Int) -> Range<Int> {
            starts[row]..<(row + 1 < starts.count ? starts[row + 1] : characters.count)
        }

        /// The line of a place in the text.
        func row(of index: Int) -> Int { (starts.firstIndex { $0 > index } ?? starts.count) - 1 }

        /// Returns the place in a line that is nearest to a column.
        func index(row: Int, column: Int) -> Int {
            let range = range(row)
            // Behind its last character is the beginning of the next line.
            let last = row + 1 < starts.count ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
            return range.first { index in
                index >= last || columns[index] + (columns[index + 1] - columns[index] + 1) / 2 > column
            } ?? last
        }

        private static func width(of character: Character, column: Int, _ level: UnicodeLevel) -> Int {
            if character == "\n" { return 0 }
            if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F { return 1 }
            var width = 0
            for glyph in Glyphs(String(character), level: level, column: column) { width += glyph.width }
            return width
        }
    }

    /// Wraps the text to a rectangle in which it is drawn with this prompt: by its lines the cursor moves up and down.
    /// - Parameters:
    ///   - rect: the rectangle.
    ///   - prompt: what stands before the text.
    ///   - level: which characters the terminal can show.
    public mutating func wrap(to rect: Rect, prompt: Run = TextField.prompt, level: UnicodeLevel = .safe) {
        self.level = level
        columns = max(1, rect.width - TextMeasure(level).width(of: prompt.text))
        goalColumn = nil
    }

    /// Returns the number of lines that the text takes in a width, at most ``maxLines``. O(n) in its length.
    /// - Parameters:
    ///   - width: columns.
    ///   - prompt: what stands before the text.
    ///   - level: which characters the terminal can show.
    public func height(inWidth width: Int, prompt: Run = TextField.prompt, level: UnicodeLevel = .safe) -> Int {
        guard maxLines > 1 else { return 1 }
        let columns = max(1, width - TextMeasure(level).width(of: prompt.text))
        return min(maxLines, Rows(characters, width: columns, level: level).count)
    }

    /// Moves the cursor up by a line of the screen. Returns false in the first one.
    @discardableResult
    public mutating func moveUp() -> Bool { moveVertically(by: -1) }

    /// Moves the cursor down by a line of the screen. Returns false in the last one.
    @discardableResult
    public mutating func moveDown() -> Bool { moveVertically(by: 1) }

    private mutating func moveVertically(by step: Int) -> Bool {
        guard maxLines > 1 else { return false }
        let rows = Rows(characters, width: columns, level: level)
        let row = rows.row(of: cursor) + step
        guard (0..<rows.count).contains(row) else { return false }
        let column = goalColumn ?? rows.columns[cursor]
        cursor = rows.index(row: row, column: column)
        goalColumn = column
        return true
    }
}
