import LiveTable

extension LabScreen {
    /// The most lines of the details, more than anyone reads in a box.
    private static let mostLines = 20_000

    /// Shows the whole change-set and the whole log of the last step, of which the panel may show only a part.
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

    /// Whether a line of the panel stands for hidden lines.
    func isCut(_ line: String) -> Bool { line.contains(PanelPart.more(opensAll)) }

    /// The key that shows all lines, named beside the number of hidden ones.
    var opensAll: String { keys.list[.details]?.keys.first.map { $0.map(\.description).joined() } ?? "" }
}
