import FileReading
import ScreenPrograms

/// The tree at the left: its unfolded, marked and selected items.
@MainActor final class TreePane {
    /// Above this number of lines, a change of the tree is shown without animation, because computing it would take
    /// long.
    private static let maxAnimatedRows = 2_000

    private(set) var table: Table
    private(set) var rows = TreeSections.empty
    private(set) var known: TreeKnowledge?
    var open: Set<TreeItem> = []
    var marked: Set<TreeItem> = []

    init(_ options: TableOptions) {
        table = Table(pane: options, emptyText: "The file holds nothing")
    }

    var selected: TreeItem? { rows.row(at: table.selectedPath)?.item }

    var selectedTitle: String? { rows.row(at: table.selectedPath)?.title }

    private var source: TreeSource { TreeSource(rows: rows, theme: table.options.theme) }

    func resize(_ area: Rect, isFocused: Bool, at time: Double) {
        table.resize(area, isFocused: isFocused, source: source, at: time)
    }

    func perform(_ command: TableCommand, at time: Double) {
        table.perform(command, source: source, at: time)
    }

    /// Redraws everything in another theme.
    func show(_ theme: Theme, at time: Double) {
        table.setTheme(theme, source: TreeSource(rows: rows, theme: theme), at: time)
    }

    func setProgress(_ text: String?) { table.progress = text.map { Table.Progress($0) } }

    /// Shows more knowledge of the same state of the file, or of another state, and animates the difference.
    func show(_ known: TreeKnowledge, at time: Double) {
        self.known = known
        rebuild(animated: true, at: time)
        if table.selection == nil { select(firstShown, at: time) }
    }

    /// Shows another state of the file and animates the difference.
    func advance(to catalog: Catalog, notes: [String], at time: Double) {
        guard let known else { return }
        show(known.advanced(to: catalog, notes: notes), at: time)
    }

    func update(at time: Double, _ change: (inout TreeKnowledge) -> Void) {
        guard var known else { return }
        change(&known)
        show(known, at: time)
    }

    func select(_ item: TreeItem?, at time: Double) {
        if let parent = item?.parent, !open.contains(parent) {
            open.insert(parent)
            rebuild(animated: false, at: time)
        }
        guard let path = item.flatMap(rows.path(of:)) else { return }
        table.select(path, source: source, at: time)
    }

    /// The item to select first: the first collection or view.
    private var firstShown: TreeItem? {
        rows.sections.lazy.flatMap(\.rows).first { $0.item.subject(by: .key) != nil }?.item
    }

    func rebuild(animated: Bool, at time: Double) {
        guard let known else { return }
        let before = rows
        rows = TreeSections(known, open: open, marked: marked)
        let count = rows.sections.reduce(0) { $0 + $1.rows.count }
        guard animated, table.height > 0, !before.sections.isEmpty, count <= Self.maxAnimatedRows else {
            return table.reload(source: source, at: time)
        }
        let changes = before.changes(to: rows)
        // There is no misfit, because the changes were computed from the same rows. The table shows the rows in any
        // case.
        if !changes.isEmpty, table.apply(changes, source: source, at: time) != nil {
            assertionFailure("The tree's own change-set does not fit.")
        }
    }
}
