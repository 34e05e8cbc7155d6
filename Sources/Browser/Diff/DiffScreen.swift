import FileReading
import ScreenPrograms

/// The differences of two files on the screen: a list, and the fields of the selected change as both files have them.
@MainActor final class DiffScreen: ScreenProgram {
    var state: DiffState
    let names: (first: String, second: String)
    let store = ChangeStore()
    let reader: ChangeReader
    let source: ChangeSource
    var table: Table
    let panel: ChangePane
    let background: any Background
    let now: () -> Double
    /// How many changes of the store the list has shown or filtered out.
    var taken = 0
    /// The row that was selected when the person began to type a search.
    var origin: RowPath?
    /// What the list is filtered by, and what is searched for. Each is cancelled when another one begins.
    var filterTest: ChangeTest? { didSet { oldValue?.cancel() } }
    var searchTest: ChangeTest? { didSet { oldValue?.cancel() } }
    private let withViews: Bool

    init(
        _ options: DiffOptions, _ reader: ChangeReader, keys: DiffKeys, theme: Theme,
        size: (width: Int, height: Int), background: any Background, now: @escaping () -> Double
    ) {
        (self.reader, self.background, self.now) = (reader, background, now)
        (names, withViews) = (options.names, options.withViews)
        state = DiffState(screen: ScreenState(size: size, theme: theme), keys: keys)
        source = ChangeSource(store, reader, theme: theme)
        var tableOptions = TableOptions(theme: theme, motion: options.motion, follows: [])
        panel = ChangePane(tableOptions)
        tableOptions.emptyText = "No difference"
        table = Table(options: tableOptions)
    }

    /// Whether a difference was found.
    var hasDifferences: Bool { store.progress.found > 0 }

    /// Starts the comparison in the background. The first frame does not wait for it.
    func start() {
        table.progress = Table.Progress("comparing…")
        layOut()
        let (store, reader, withViews) = (store, reader, withViews)
        background.run {
            try store.compare(reader, withViews: withViews)
        } then: { [weak self] result in
            guard let self else { return }
            takeChanges()
            if case .failure(let error) = result {
                show(failure: "\(error)")
            } else if let note = state.progress.notes.first {
                show(notice: note)
            } else if state.progress.found > ChangeStore.maxChanges {
                show(notice: "Only the first \(RowCount(ChangeStore.maxChanges)) changes are listed.")
            }
        }
        look()
    }

    func stop() {
        store.cancel()
        state.filters.begin()
        state.searches.begin()
        (filterTest, searchTest) = (nil, nil)
        state.details.begin()
    }

    /// Shows new changes every 50 ms until the comparison is over.
    private func look() {
        guard !store.progress.isOver else { return }
        background.run(after: 0.05) {
        } then: { [weak self] _ in
            self?.takeChanges()
            self?.look()
        }
    }

    /// Adds the changes that were found since the last call to the list, if they pass the filter.
    func takeChanges() {
        state.progress = store.progress
        let isFirst = source.sections.count == 0
        if !state.isFiltered {
            let count = store.count
            for (offset, change) in store[taken..<count].enumerated() { source.sections.append(taken + offset, change) }
            taken = count
        } else if !state.isFiltering {
            filterOn()
        }
        showList(isFirst: isFirst)
    }

    func showList(isFirst: Bool) {
        let isOver = state.progress.isOver && taken == store.count
        if source.sections.count > 0 || isOver { table.progress = nil }
        table.reload(source: source, at: now())
        if source.sections.count == 0, isOver {
            setEmptyText(state.isFiltered ? "Nothing matches" : "No difference")
        }
        if isOver, state.isFiltered { show(filterTest?.remarks) }
        if isFirst, source.sections.count > 0 {
            table.select(RowPath(section: 0, row: 0), source: source, at: now())
            table.finishAnimation()
        }
        showDetails()
        state.screen.redraw()
    }

    private func setEmptyText(_ text: String) {
        guard table.options.emptyText != text else { return }
        var options = table.options
        options.emptyText = text
        table.setOptions(options, source: source, at: now())
    }

    func showTheme() {
        source.theme = theme
        table.setTheme(theme, source: source, at: now())
        panel.show(theme, at: now())
    }

    func prepareFrame() {
        if let error = source.takeError() { show(failure: "\(error)") }
    }

    var nextTime: Double? {
        [table, panel.table].compactMap { $0.nextFrame(after: state.screen.lastDrawn) }.min()
    }

    var selectedIndex: Int? {
        table.selectedPath.flatMap { source.sections.place(of: $0) }.map { source.sections.index(at: $0) }
    }

    /// Reads the selected change in the background, if its pane is visible.
    func showDetails() {
        guard state.shownPanes.contains(.details) else { return }
        guard let index = selectedIndex else { return panel.show(nil, at: now()) }
        let change = store[index]
        guard change != panel.details?.change else { return }
        let (request, reader) = (state.details.begin(), reader)
        background.run {
            try reader.details(of: change)
        } then: { [weak self] result in
            guard let self, state.details.isCurrent(request) else { return }
            switch result {
            case .success(let details): panel.show(details, at: now())
            case .failure(let error): show(failure: "\(error)")
            }
            state.screen.redraw()
        }
    }

    func layOut() {
        if let area = state.area(of: .list) {
            table.resize(width: area.width, height: area.splitTop(1).rest.height, source: source, at: now())
            table.isFocused = state.focus == .list
        }
        if let area = state.area(of: .details) {
            panel.resize(area.splitTop(1).rest, isFocused: state.focus == .details, at: now())
        }
    }
}
