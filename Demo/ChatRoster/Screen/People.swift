import LiveTable

/// The colours of the people in the chat, for drawing cells.
final class People {
    private var colors: PersonColors

    init(_ names: some Sequence<String>) { colors = PersonColors(names) }

    func style(of name: String, _ theme: Theme) -> Style {
        Style(theme.color(ofPerson: colors.number(of: name)), on: .terminal, .bold)
    }
}
