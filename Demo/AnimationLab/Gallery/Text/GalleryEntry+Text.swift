extension GalleryEntry {
    /// The width at which sentences are wrapped.
    static let textWidth = 100

    /// Returns the whole entry as plain text: its explanation, the mappings, and each step side by side.
    func text(_ comparisons: [Comparison]) -> String {
        var lines = [title, String(repeating: "=", count: title.count)] + about.wrapped(at: Self.textWidth) + [""]
        lines += Self.list("list", scenario.list.map(\.words))
        lines += Self.list("mappings", scenario.mappings.words)
        for (number, comparison) in comparisons.enumerated() {
            let step = scenario.steps[number]
            let title = "Step \(number + 1) of \(comparisons.count). \(steps[number].text)"
            lines += [""] + title.wrapped(at: Self.textWidth) + [""]
            lines += Self.list("mappings", step.reconfigure?.map(\.words) ?? []).map { "  \($0)" }
            for commit in step.commits {
                let words = commit.map(\.words).shortened(to: Self.longestCommit).joined(separator: ", ")
                lines += Self.list("commit", words.wrapped(at: Self.textWidth - 12)).map { "  \($0)" }
            }
            lines += [""] + comparison.lines(other: steps[number].other)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns a word with lines beside it.
    private static func list(_ word: String, _ lines: [String]) -> [String] {
        zip([word] + Array(repeating: "", count: max(0, lines.count - 1)), lines).map { "\($0.padded(to: 8))  \($1)" }
    }

    /// A commit with more operations is abbreviated.
    private static let longestCommit = 8
}

extension Gallery {
    /// The names, one line each.
    static var list: String {
        let width = entries.map(\.name.count).max() ?? 0
        return entries.map { "\($0.name.padded(to: width))  \($0.kind.mark.padded(to: 8))  \($0.title)\n" }.joined()
    }
}

extension GalleryEntry.Kind {
    fileprivate var mark: String {
        switch self {
        case .example: "example"
        case .related: "related"
        case .trap: "trap"
        case .defect(let number): "defect \(number)"
        }
    }
}
