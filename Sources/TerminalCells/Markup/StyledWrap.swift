/// Fills lines with styled text, breaking between words, between wide characters, and inside a word only if it is longer
/// than a line. O(1) for each glyph.
struct StyledWrap {
    private struct Piece {
        var glyph: Glyph
        var style: Int
    }

    let width: Int
    let level: UnicodeLevel
    private(set) var lines: [Line] = []
    /// The style and the link of each run given.
    private var styles: [Run] = []
    private var pieces: [Piece] = []
    private var used = 0
    private var column = 0
    /// The number of pieces after which the line may end, or nil.
    private var breakAfter: Int?

    init(width: Int, level: UnicodeLevel) {
        self.width = width
        self.level = level
    }

    /// Adds text of the same paragraph, until there are more lines than `maxLines`.
    mutating func add(_ run: Run, maxLines: Int = .max) {
        styles.append(Run("", run.style, link: run.link))
        for glyph in Glyphs(run.text, level: level, column: column) {
            column += glyph.width
            add(
                Piece(
                    glyph: glyph.width <= width ? glyph : Glyph(level == .ascii ? "?" : "\u{FFFD}"),
                    style: styles.count - 1))
            if lines.count > maxLines { return }
        }
    }

    /// Ends the paragraph. One without text is an empty line.
    mutating func endParagraph() {
        finish(pieces.count)
        (pieces, used, column, breakAfter, styles) = ([], 0, 0, nil, [])
    }

    private mutating func add(_ piece: Piece) {
        let isBlank = piece.glyph.character == " "
        if !pieces.isEmpty, used + piece.glyph.width > width, !(isBlank && used >= width) {
            let isBreak = isBlank || piece.glyph.width == 2 || pieces.last?.glyph.character == " "
            let cut = isBreak ? pieces.count : breakAfter ?? pieces.count
            finish(cut)
            pieces = Array(pieces[cut...].drop { $0.glyph.character == " " })
            used = pieces.reduce(0) { $0 + $1.glyph.width }
            breakAfter = nil
            if isBlank && pieces.isEmpty { return }
        } else if isBlank, used >= width {
            // The blank between two lines.
            breakAfter = pieces.count
            return
        }
        if piece.glyph.width == 2, !pieces.isEmpty { breakAfter = pieces.count }
        pieces.append(piece)
        used += piece.glyph.width
        if isBlank || piece.glyph.character == "-" || piece.glyph.width == 2 { breakAfter = pieces.count }
    }

    /// Makes a line of the first pieces, without blanks at its end.
    private mutating func finish(_ count: Int) {
        var end = count
        while end > 0, pieces[end - 1].glyph.character == " " { end -= 1 }
        var line: Line = []
        var style = -1
        for piece in pieces[..<end] {
            if piece.style != style {
                line.append(styles[piece.style])
                style = piece.style
            }
            line[line.count - 1].text.append(piece.glyph.character)
        }
        lines.append(line)
    }
}
