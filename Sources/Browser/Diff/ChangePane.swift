import FileReading
import ObjectDecoding
import ScreenPrograms

/// The panel at the right: the selected change, field by field.
@MainActor final class ChangePane {
    private(set) var table: Table
    private(set) var details: ChangeDetails?
    private var sections: [ChangeSection] = []

    init(_ options: TableOptions) {
        table = Table(pane: options, emptyText: "No change selected")
    }

    private var source: ChangeLines { ChangeLines(sections: sections, theme: table.options.theme) }

    func resize(_ area: Rect, isFocused: Bool, at time: Double) {
        table.resize(area, isFocused: isFocused, source: source, at: time)
    }

    func perform(_ command: TableCommand, at time: Double) { table.perform(command, source: source, at: time) }

    func show(_ theme: Theme, at time: Double) {
        table.setTheme(theme, source: ChangeLines(sections: sections, theme: theme), at: time)
    }

    func show(_ details: ChangeDetails?, at time: Double) {
        self.details = details
        sections = details?.sections ?? []
        table.reload(source: source, at: time)
        table.perform(.selectFirst, source: source, at: time)
        table.finishAnimation()
    }

    var selected: ChangeLine? {
        guard let path = table.selectedPath, sections.indices.contains(path.section),
            sections[path.section].lines.indices.contains(path.row)
        else { return nil }
        return sections[path.section].lines[path.row]
    }

    var copiedValue: String? {
        guard let value = selected?.value else { return nil }
        if case .string(let text) = value { return text }
        return value.json
    }

    func draw(into grid: inout Grid, in area: Rect, at time: Double) {
        let (head, rest) = area.splitTop(1)
        let theme = table.options.theme
        grid.fill(head)
        if let change = details?.change {
            let measure = TextMeasure(theme.unicode)
            let style = table.isFocused ? Style(theme.accent, on: .terminal, .bold) : theme.header
            let place = change.address.map { "\($0.collection.text)/\($0.key.text)" } ?? change.container
            let title = measure.truncatedInMiddle(place, to: max(0, head.width - 4))
            let sign = Run(" \(change.kind.rawValue) ", change.kind.style(theme))
            grid.draw([sign, Run(title, style)], x: head.x, y: head.y, in: head, level: theme.unicode)
        }
        table.draw(into: &grid, in: rest, at: time)
    }
}

/// Gives a table the lines of the panel.
struct ChangeLines: TableSource {
    let sections: [ChangeSection]
    let theme: Theme

    var numberOfSections: Int { sections.count }
    func numberOfRows(in section: Int) -> Int { sections[section].lines.count }

    func header(of section: Int) -> SectionHeader? {
        SectionHeader(sections[section].title, detail: String(sections[section].lines.count))
    }

    func key(at path: RowPath) -> RowKey { RowKey(collection: String(path.section), key: String(path.row)) }

    func path(of key: RowKey) -> RowPath? {
        guard let section = Int(key.collection), let row = Int(key.key), sections.indices.contains(section),
            sections[section].lines.indices.contains(row)
        else { return nil }
        return RowPath(section: section, row: row)
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        let lines = sections[path.section].lines
        let measure = TextMeasure(theme.unicode)
        let nameWidth = lines.prefix(100).map { measure.width(of: $0.name, limit: width) }.max() ?? 0
        return lines[path.row].cell(width: width, nameWidth: nameWidth, theme: theme)
    }
}
