import LiveTable

extension LabScreen {
    /// More lines are not made: a box of so many is long enough for anybody to look for another way.
    private static let mostLines = 20_000

    /// Shows the whole change-set and the whole log of the last step, of which the panel may have room for a part only.
    func showDetails() throws {
        guard let move = session.lastMove else { throw LabRefusal("There is no change-set yet.") }
        let heading = Style(.terminal, on: .terminal, .bold)
        let changes = move.named.lines(theme, most: Self.mostLines)
        let log = move.step.advance.log.prefix(Self.mostLines).map { Line(text: $0.words) }
        overlay = .text(
            Overlay(
                "The last step",
                [Line(text: "CHANGE-SET", heading)] + changes + [[], Line(text: "LOG", heading)]
                    + (log.isEmpty ? [Line(text: "empty", theme.secondary)] : log)))
    }

    /// Whether a line of the panel stands for lines that are not seen.
    func isCut(_ line: String) -> Bool { line.contains(PanelPart.more(opensAll)) }

    /// The key that shows all lines, for those that say how many are not seen.
    var opensAll: String { keys.list[.details]?.keys.first.map { $0.map(\.description).joined() } ?? "" }
}
