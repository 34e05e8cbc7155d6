import ListChanges

/// Texts in the commands that messages name, for a person to paste into a shell.
extension String {
    /// The text in single quotes, whatever it has in it.
    package var shellQuoted: String { "'" + escaping("'", with: "'\\'") + "'" }

    /// The text as one word: as it is if no shell reads anything else into it, else in quotes.
    package var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
        return isPlain ? self : shellQuoted
    }
}
