import LiveTable

/// The rows that a change-set gives, with a mark at the wrong ones.
struct AppliedSource: TableSource {
    let rows: ListSnapshot
    /// The rows before: a wrong row looks at its neighbours there.
    let before: ListSnapshot
    let wrong: Set<RowPath>
    let texts: [RowKey: String]
    let cell: LabCell

    var numberOfSections: Int { rows.sections.count }

    func numberOfRows(in section: Int) -> Int { rows.sections[section].rows.count }

    func header(of section: Int) -> SectionHeader? {
        let (group, count) = (rows.sections[section].group, numberOfRows(in: section))
        let isRight = cell.mappings.numberOfItems(inGroup: group) == count
        return isRight ? cell.header(ofGroup: group, count: count) : SectionHeader(group, detail: "\(count)!")
    }

    func key(at path: RowPath) -> RowKey { rows.sections[path.section].rows[path.row] }

    func path(of key: RowKey) -> RowPath? { rows.paths[key] }

    func cell(at path: RowPath, width: Int) -> RowCell {
        let key = key(at: path)
        let isWrong = wrong.contains(path)
        return cell.cell(
            key.scenarioName + (isWrong ? "!" : ""), texts[key] ?? "", aside: neighbors(path), width: width,
            isWrong ? cell.theme.wrong : .plain)
    }

    private func neighbors(_ path: RowPath) -> String {
        let rows = wrong.contains(path) ? before : rows
        guard let place = wrong.contains(path) ? before.paths[key(at: path)] : path else { return "" }
        let section = rows.sections[place.section]
        let words = cell.mappings.cellDrawingDependencyOffsets(forGroup: section.group).sorted().compactMap { offset in
            let row = place.row + offset
            return section.rows.indices.contains(row)
                ? texts[section.rows[row]].map { cell.neighbor(offset, $0) } : nil
        }
        return words.joined(separator: " ")
    }
}
