import ScreenPrograms

/// Gives a table the lines of a row.
struct RowLines: TableSource {
    let sections: RowSections
    let width: Int
    let theme: Theme

    var numberOfSections: Int { sections.all.count }
    func numberOfRows(in section: Int) -> Int { sections.all[section].count(width: width) }

    func header(of section: Int) -> SectionHeader? {
        SectionHeader(sections.all[section].title, detail: sections.all[section].detail)
    }

    func key(at path: RowPath) -> RowKey { RowKey(collection: String(path.section), key: String(path.row)) }

    func path(of key: RowKey) -> RowPath? {
        guard let section = Int(key.collection), let row = Int(key.key), section < numberOfSections,
            row < numberOfRows(in: section)
        else { return nil }
        return RowPath(section: section, row: row)
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        sections.all[path.section].cell(path.row, width: width, theme: theme)
    }
}
