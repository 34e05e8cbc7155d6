import LiveTable

/// The cell of a row in the lab: its key and text, and at the right the neighbours that it depends on and its pending
/// edit.
struct LabCell {
    let theme: Theme
    let mappings: YapDatabaseViewMappings
    /// The cells that the names of the list's rows have in common, so that the texts stand below each other.
    let nameWidth: Int
    /// The rows after pending edits; nil if there are none.
    var waiting: LabRows?

    func header(ofGroup group: String, count: Int) -> SectionHeader {
        let mappings = mappings.value
        let all = mappings.isUsingConsolidatedGroup ? count : mappings.fullCount(inGroup: group)
        return SectionHeader(group, detail: all == count ? "\(count)" : "\(count) of \(all)")
    }

    func cell(_ context: RowContext) throws -> RowCell {
        let object = try context.object()
        if let shown = object as? any LabShown {
            return cell(
                context.key.scenarioName, shown.text, aside: try neighbors(context), width: context.width)
        }
        guard let row = object as? LabRow else { throw LabRefusal("This row is not the lab's.") }
        let metadata = try context.metadata() as? String
        let mark = waiting.flatMap { LabRows.Content(row: row, metadata: metadata).change(to: $0[context.key]) }
        let aside = [try neighbors(context), mark?.sign(theme) ?? ""].filter { !$0.isEmpty }
        return cell(
            context.key.scenarioName, row.text + (metadata.map { " (\($0))" } ?? ""),
            aside: aside.joined(separator: " "), width: context.width)
    }

    /// Returns a cell with a name, a text, and secondary text at the right.
    func cell(_ name: String, _ text: String, aside: String = "", width: Int, _ style: Style = .plain) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        // A name without anything beside it has the whole line; else the text has at least half of it.
        let isAlone = text.isEmpty && aside.isEmpty
        let most = max(0, isAlone ? width - 1 : width / 2)
        let name = measure.padded(name, to: min(nameWidth, max(most, min(width, Self.leastNameWidth))))
        let room = max(0, width - measure.width(of: name) - 1)
        let rest = aside.isEmpty ? measure.truncated(text, to: room) : measure.columns(text, aside, width: room)
        var bold = style
        bold.attributes.insert(.bold)
        return RowCell([[Run(name + " ", bold), Run(rest, style)]])
    }

    private static let leastNameWidth = 6

    /// Returns the cells for the names of some rows, with one for the mark of a wrong row.
    static func nameWidth(_ keys: some Sequence<RowKey>, _ theme: Theme) -> Int {
        let measure = TextMeasure(theme.unicode)
        return keys.reduce(leastNameWidth) { max($0, measure.width(of: $1.scenarioName) + 1) }
    }

    /// Returns `↑ basil`: the text of the row above. A cell that is not redrawn in time shows another row's text.
    private func neighbors(_ context: RowContext) throws -> String {
        let words = try mappings.cellDrawingDependencyOffsets(forGroup: context.group).sorted().compactMap {
            offset -> String? in
            let row = try context.neighbor(offset)
            return ((row as? LabRow)?.text ?? (row as? any LabShown)?.text).map { neighbor(offset, $0) }
        }
        return words.joined(separator: " ")
    }

    func neighbor(_ offset: Int, _ text: String) -> String {
        let arrow = theme.unicode == .ascii ? (offset < 0 ? "^" : "v") : offset < 0 ? "↑" : "↓"
        return "\(arrow)\(abs(offset) == 1 ? "" : "\(abs(offset))") \(text)"
    }
}

extension LabRows.Content {
    /// Returns the kind of change that pending edits will make to the row; nil for none.
    fileprivate func change(to other: LabRows.Content?) -> ChangeType? {
        guard let other else { return .delete }
        if (other.row.group, other.row.sort) != (row.group, row.sort) { return .move }
        return other == self ? nil : .update
    }
}
