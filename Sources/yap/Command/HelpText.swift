import TerminalCells

/// A help text as a terminal shows it: its lines have up to 120 characters, and a narrower terminal would break them within words.
struct HelpText {
    let text: String

    /// - Parameter width: of the terminal; nil where the output goes elsewhere, and stays as it is.
    func lines(width: Int?) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let width, width >= 20, lines.contains(where: { $0.count > width }) else { return lines }
        var (result, paragraph): ([String], [String]) = ([], [])
        func endParagraph() {
            if !paragraph.isEmpty { result += Self.measure.wrapped(paragraph.joined(separator: " "), width: width) }
            paragraph = []
        }
        for line in lines {
            if !line.isEmpty, line.first != " " {
                paragraph.append(line)
                continue
            }
            endParagraph()
            let margin = margin(of: line, width: width)
            let spaces = String(repeating: " ", count: margin)
            let rest = Self.measure.wrapped(String(line.dropFirst(margin)), width: width - margin)
            result += rest.enumerated().map { $0 == 0 ? line.prefix(margin) + $1 : spaces + $1 }
        }
        endParagraph()
        return result
    }

    private static let measure = TextMeasure(.full)

    /// Where the text of an option begins; of other lines what they are indented by.
    private func margin(of line: String, width: Int) -> Int {
        let spaces = line.prefix { $0 == " " }.count
        guard line.dropFirst(spaces).first == "-", let gap = line.dropFirst(spaces).firstRange(of: "  ") else {
            return spaces
        }
        let text = line[gap.lowerBound...].firstIndex { $0 != " " } ?? gap.lowerBound
        let column = line.distance(from: line.startIndex, to: text)
        return column < width * 2 / 3 ? column : spaces
    }
}
