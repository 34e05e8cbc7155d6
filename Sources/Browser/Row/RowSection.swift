import FileReading
import ScreenPrograms
import ObjectDecoding

/// A part of the row pane: a decoded value, bytes, or a few facts.
struct RowSection: Sendable {
    /// A line that is not part of a value.
    struct Fact: Hashable, Sendable {
        var name: String
        var value: String
        /// Text after the value, shown if there is room.
        var aside = ""
        var target: RowTarget?
        var isWrong = false
        /// The value that the line shows the beginning of; nil for a line that is shown as it is.
        var stored: StoredValue?
    }

    enum Content: Sendable {
        case value(DecodedOutline)
        case bytes([UInt8])
        case facts([Fact])
    }

    /// The values of a row. Each is folded by itself: both may have the same paths.
    enum Part: String, Sendable {
        case object = "Object"
        case metadata = "Metadata"
    }

    var title: String
    var detail = ""
    /// The value that the content is of; nil for facts.
    var part: Part?
    var content: Content

    /// Returns the number of lines at a width.
    func count(width: Int) -> Int {
        switch content {
        case .value(let outline): outline.count
        case .bytes(let bytes): HexLine.count(of: bytes, width: width)
        case .facts(let facts): facts.count
        }
    }

    func cell(_ row: Int, width: Int, theme: Theme) -> RowCell {
        switch content {
        case .value(let outline): outline.line(row).cell(width: width, theme: theme)
        case .bytes(let bytes): RowCell([HexLine.line(bytes, row: row, width: width, theme: theme)])
        case .facts(let facts): facts[row].cell(width: width, nameWidth: nameWidth(facts, width, theme), theme)
        }
    }

    /// Returns the width of the widest name, limited so that values stay readable.
    private func nameWidth(_ facts: [Fact], _ width: Int, _ theme: Theme) -> Int {
        let measure = TextMeasure(theme.unicode)
        let widest = facts.prefix(100).map { measure.width(of: $0.value, limit: width) }.max() ?? 0
        let names = facts.prefix(100).map { measure.width(of: $0.name, limit: width) }.max() ?? 0
        return min(names, max(width / 2, width - 3 - widest))
    }

    func target(_ row: Int) -> RowTarget? {
        switch content {
        case .value(let outline):
            let line = outline.line(row)
            if case .reference(let path) = line.value { return .path(path) }
            return line.fold == .none ? nil : .fold(line.path)
        case .bytes: return nil
        case .facts(let facts): return facts[row].target
        }
    }
}

extension RowSection.Fact {
    fileprivate func cell(width: Int, nameWidth: Int, _ theme: Theme) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let name = measure.padded(name, to: nameWidth)
        let room = max(8, width - measure.width(of: name) - 3)
        let lines = measure.wrapped(
            measure.width(of: value + aside, limit: room + 1) <= room ? value + aside : value, width: room,
            maxLines: isWrong ? 6 : 3)
        let sign = target == nil ? " " : theme.unicode == .ascii ? ">" : "›"
        let blanks = String(repeating: " ", count: measure.width(of: name) + 3)
        return RowCell(
            lines.enumerated().map { index, text in
                let start: Line =
                    index > 0 ? [Run(blanks)] : [Run(sign, Style(theme.accent)), Run(name + "  ", theme.secondary)]
                return start + [Run(text, isWrong ? theme.wrong : .plain)]
            })
    }
}
