import FileReading
import ScreenPrograms
import ObjectDecoding

extension RowPane {
    private var selected: (section: RowSection, row: Int)? { table.selectedPath.flatMap { sections[$0] } }

    /// Where the selected line leads.
    var target: RowTarget? { selected.flatMap { $0.section.target($0.row) } }

    /// Whether the selected line can be unfolded.
    var isFolded: Bool {
        guard let (section, row) = selected, case .value(let outline) = section.content else { return false }
        return outline.line(row).fold == .closed
    }

    /// The stored bytes of the value whose raw form is selected, or of the selected column.
    var copiedBytes: [UInt8]? {
        if case .bytes(let bytes)? = selected?.section.content { return bytes }
        if case .blob(let bytes)? = selectedColumn?.value.content { return bytes }
        return nil
    }

    /// The column of the list's own table that is selected.
    var selectedColumn: BrowsedRow.Column? {
        guard let (section, row) = selected, case .facts(let facts) = section.content, let stored = facts[row].stored
        else { return nil }
        return BrowsedRow.Column(name: facts[row].name, value: stored)
    }

    /// The part of the selected line to copy.
    var copiedValue: String? {
        guard let (section, row) = selected else { return nil }
        switch section.content {
        case .facts(let facts): return facts[row].stored?.text ?? facts[row].value
        case .bytes: return nil
        case .value(let outline):
            let value = outline.line(row).value
            if case .string(let text) = value { return text }
            return value.json
        }
    }

    /// The position of the selected line: `collection/key`, and the path in the object.
    var copiedPath: String? {
        guard let address = loaded?.row.address else { return nil }
        let row = "\(address.collection.text)/\(address.key.text)"
        guard let (section, line) = selected, case .value(let outline) = section.content else { return row }
        return "\(row) \(outline.line(line).path)"
    }

    /// Opens or closes a value of the part in which the selected line is.
    func toggleFold(_ path: ValuePath, at time: Double) {
        guard let part = selected?.section.part else { return }
        foldings[part, default: Folding()].toggle(path)
        rebuild(at: time)
    }

    /// Selects the line of a value of the same row. Returns false if it is folded away or does not exist.
    func select(_ path: ValuePath, at time: Double) -> Bool {
        guard let section = table.selectedPath?.section, sections.all.indices.contains(section),
            case .value(let outline) = sections.all[section].content, let line = outline.line(at: path)
        else { return false }
        update { $0.select(RowPath(section: section, row: line), source: $1, at: time) }
        return true
    }

    /// Unfolds all values, or folds all inside the object and the metadata, unless there are too many of them.
    func setAllOpen(_ isOpen: Bool, at time: Double) {
        for _ in 0..<(isOpen ? Self.maxLevels : 1) {
            let paths = foldedPaths(isOpen ? .closed : .open)
            guard !paths.isEmpty else { break }
            for (part, path) in paths { foldings[part, default: Folding()].toggle(path) }
            rebuild(at: time)
        }
    }

    private static let maxLevels = 12
    private static let maxFolds = 5_000

    /// Returns the paths of lines in a fold state. A whole value is opened, too, and not closed.
    private func foldedPaths(_ fold: DecodedLine.Fold) -> [(part: RowSection.Part, path: ValuePath)] {
        var paths: [(RowSection.Part, ValuePath)] = []
        for section in sections.all {
            guard let part = section.part, case .value(let outline) = section.content else { continue }
            for line in outline.lines(0..<min(outline.count, Self.maxFolds))
            where line.fold == fold && (line.depth > 0 || fold == .closed) {
                paths.append((part, line.path))
            }
        }
        return paths
    }
}
