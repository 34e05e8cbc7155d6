import Foundation
import ScreenPrograms

/// A pattern, for marking its matches on the screen.
struct SearchPattern: Hashable, Sendable {
    let text: String

    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Returns a text with its matches in a style of their own.
    func runs(_ text: String, _ style: Style, match: Style) -> Line {
        var line: Line = []
        var rest = text[...]
        while let range = rest.range(of: self.text, options: [.caseInsensitive]), !range.isEmpty {
            if range.lowerBound > rest.startIndex { line.append(Run(String(rest[..<range.lowerBound]), style)) }
            line.append(Run(String(rest[range]), Style(style.foreground, on: style.background, match.attributes)))
            rest = rest[range.upperBound...]
        }
        if !rest.isEmpty { line.append(Run(String(rest), style)) }
        return line
    }

    /// What stands before a pattern: `/`, `&`, `keys/`, `keys&`.
    static func sign(isFilter: Bool, isKeysOnly: Bool) -> String {
        (isKeysOnly ? "keys" : "") + (isFilter ? "&" : "/")
    }
}
