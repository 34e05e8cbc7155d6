import LiveTable

/// The rows that a change-set gives, with a mark at those that should not be there.
struct AppliedSource: TableSource {
    let rows: ListSnapshot
    let wrong: Set<RowPath>
    let texts: LabRows
    let cell: LabCell

    var numberOfSections: Int { rows.sections.count }

    func numberOfRows(in section: Int) -> Int { rows.sections[section].rows.count }

    func header(of section: Int) -> SectionHeader? {
        cell.header(ofGroup: rows.sections[section].group, count: numberOfRows(in: section))
    }

    func key(at path: RowPath) -> RowKey { rows.sections[path.section].rows[path.row] }

    func path(of key: RowKey) -> RowPath? { rows.paths[key] }

    func cell(at path: RowPath, width: Int) -> RowCell {
        let key = key(at: path)
        let isWrong = wrong.contains(path)
        return cell.cell(
            key.scenarioName + (isWrong ? "!" : ""), texts[key]?.row.text ?? "", width: width,
            isWrong ? cell.theme.wrong : .plain)
    }
}
