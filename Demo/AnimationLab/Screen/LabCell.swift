import LiveTable

/// How a row of the lab looks: its key, its text, and at the right the neighbours that the mappings say it looks at.
struct LabCell {
    private static let keyWidth = 6
    let theme: Theme
    let mappings: YapDatabaseViewMappings

    func header(ofGroup group: String, count: Int) -> SectionHeader {
        let mappings = mappings.value
        let all = mappings.isUsingConsolidatedGroup ? count : mappings.fullCount(inGroup: group)
        return SectionHeader(group, detail: all == count ? "\(count)" : "\(count) of \(all)")
    }

    func cell(_ context: RowContext) throws -> RowCell {
        guard let row = try context.object() as? LabRow else { throw LabRefusal("This row is none of the lab's.") }
        let measure = TextMeasure(theme.unicode)
        let metadata = (try context.metadata() as? String).map { " (\($0))" } ?? ""
        let aside = try neighbors(context)
        let name = measure.padded(context.key.scenarioName, to: Self.keyWidth)
        let room = max(0, context.width - measure.width(of: name) - 1)
        let rest =
            aside.isEmpty
            ? measure.truncated(row.text + metadata, to: room)
            : measure.columns(row.text + metadata, aside, width: room)
        return RowCell([[Run(name + " ", Style(.terminal, .bold)), Run(rest)]])
    }

    /// `↑ basil`: what the row above says. A cell that is not drawn anew when it should be shows another row's text.
    private func neighbors(_ context: RowContext) throws -> String {
        let words = try mappings.cellDrawingDependencyOffsets(forGroup: context.group).sorted().compactMap {
            offset -> String? in
            guard let row = try context.neighbor(offset) as? LabRow else { return nil }
            let arrow = theme.unicode == .ascii ? (offset < 0 ? "^" : "v") : offset < 0 ? "↑" : "↓"
            return "\(arrow)\(abs(offset) == 1 ? "" : "\(abs(offset))") \(row.text)"
        }
        return words.joined(separator: " ")
    }
}
