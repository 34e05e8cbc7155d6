import TerminalCells

/// The bytes that notify the user or set the terminal's title. Their texts come from other people, so control characters are
/// replaced as in everything that is drawn, and long ones are cut.
struct NotificationSequence {
    /// The most columns of a text: more than any notification or title bar shows.
    private static let limit = 200

    /// The level at which texts are made safe.
    let level: UnicodeLevel

    /// OSC 9 or OSC 777.
    func notification(title: String, body: String, as form: TerminalFeatures.Notification) -> String {
        switch form {
        case .text:
            let text = safe(title.isEmpty ? body : "\(title): \(body)")
            // Some terminals take a number in this place for a command.
            return "\u{1B}]9;\(text.first?.isNumber == true ? " " : "")\(text)\u{07}"
        case .titleAndText:
            // The title ends at the first semicolon.
            return "\u{1B}]777;notify;\(safe(title).replacing(";", with: ","));\(safe(body))\u{07}"
        }
    }

    /// OSC 2.
    func title(_ text: String) -> String { "\u{1B}]2;\(safe(text))\u{07}" }

    private func safe(_ text: String) -> String { TextMeasure(level).truncated(text, to: Self.limit) }
}
