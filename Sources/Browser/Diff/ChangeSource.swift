import FileReading
import ScreenPrograms

/// Gives a table the list of changes. Reads again what differs in those near the screen.
final class ChangeSource: TableSource {
    private static let summaryLimit = 2_000

    let store: ChangeStore
    let reader: ChangeReader
    var sections = ChangeSections()
    var theme: Theme
    var pattern: SearchPattern?
    private var summaries: [Int: String] = [:]
    /// The first error since ``takeError()``.
    private var error: (any Error)?

    init(_ store: ChangeStore, _ reader: ChangeReader, theme: Theme) {
        (self.store, self.reader, self.theme) = (store, reader, theme)
    }

    var numberOfSections: Int { sections.all.count }
    func numberOfRows(in section: Int) -> Int { sections.all[section].count }

    func header(of section: Int) -> SectionHeader? {
        let section = sections.all[section]
        let title = section.title.isEmpty ? "(no name)" : section.title
        return SectionHeader(
            section.isView ? "view \(title)" : title, detail: RowCount(section.count).description,
            isVerbatim: true)
    }

    func key(at path: RowPath) -> RowKey {
        RowKey(collection: "", key: sections.place(of: path).map { String(sections.index(at: $0)) } ?? "none")
    }

    func path(of key: RowKey) -> RowPath? { Int(key.key).flatMap { sections.path(ofIndex: $0) } }

    func cell(at path: RowPath, width: Int) -> RowCell {
        guard let place = sections.place(of: path) else { return RowCell([]) }
        let index = sections.index(at: place)
        let change = store[index]
        let style = change.kind.style(theme)
        let measure = TextMeasure(theme.unicode)
        let summary = summary(of: index, change)
        let nameWidth = summary.isEmpty ? width - 2 : max(8, min(width - 2, width * 2 / 5))
        let name = measure.truncatedInMiddle(change.name, to: nameWidth)
        var line: Line = [Run("\(change.kind.rawValue) ", Style(style.foreground, on: .terminal, .bold))]
        line += pattern?.runs(name, style, match: theme.match) ?? [Run(name, style)]
        let rest = width - 2 - measure.width(of: name) - 2
        if rest > 3, !summary.isEmpty {
            let text = measure.truncated(summary, to: rest)
            line.append(Run("  "))
            line += pattern?.runs(text, theme.secondary, match: theme.match) ?? [Run(text, theme.secondary)]
        }
        return RowCell([line])
    }

    private func summary(of index: Int, _ change: FileChange) -> String {
        guard case .row = change else { return "" }
        if let known = summaries[index] { return known }
        if summaries.count >= Self.summaryLimit { summaries = [:] }
        do {
            let made = try reader.details(of: change, valueBytes: RowTexts.valueBytes).summary()
            summaries[index] = made
            return made
        } catch {
            self.error = self.error ?? error
            return ""
        }
    }

    func takeError() -> (any Error)? {
        defer { error = nil }
        return error
    }
}
