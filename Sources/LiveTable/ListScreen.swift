import TableModel
import TerminalCells
import TerminalScreen
import YapDatabase

/// A whole screen with one live list: the arrows and vim's keys move in it, and `q` or Ctrl-C ends it.
///
/// ```swift
/// let code = try ListScreen.run(order, in: database, title: "Books") { book in RowCell(book.title) }
/// ```
@MainActor public final class ListScreen: ScreenProgram {
    /// What keys and events change.
    public struct State: ProgramState {
        public var screen: ScreenState
        var keys = KeyReader(
            KeyMap.table.merging(KeyMap([.init(.quit, ["q", "ctrl-c"], "quit", hint: "quit")])))
    }

    public var state: State
    let title: String
    let tables: LiveTables
    let list: LiveTable
    private let now: () -> Double

    init(
        _ list: LiveTable, in database: YapDatabase, title: String, screen: ScreenState, now: @escaping () -> Double
    ) throws {
        self.list = list
        self.title = title
        self.now = now
        state = State(screen: screen)
        tables = try LiveTables(connection: database.newConnection())
        try tables.add(list)
        showTheme()
        layOut()
    }

    /// Shows a list on the terminal, animates each commit of any process, and ends with a key or a signal.
    ///
    /// Call it on the main thread, before other threads begin. The terminal is left as it was found.
    ///
    /// - Parameters:
    ///   - list: the list to show.
    ///   - shown: which part of it, and how.
    ///   - database: the database to read; the screen opens a connection to it.
    ///   - title: the text of the first line.
    ///   - cell: makes the lines of a row; runs on the main thread. If it throws, the row shows the error.
    /// - Returns: the exit code for the process.
    /// - Throws: ``TerminalError`` without a terminal, ``YapDatabase/YapDatabaseError`` if the database cannot
    ///   be read.
    public static func run<Value, Key, Metadata>(
        _ list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all, in database: YapDatabase, title: String,
        cell: @escaping (Value) throws -> RowCell
    ) throws -> Int32 {
        try run(LiveTable(list, shown, cell: cell), in: database, title: title)
    }

    /// Shows a table on the terminal, like ``run(_:_:in:title:cell:)``.
    /// - Parameters:
    ///   - list: the table to show; it must not be part of ``LiveTables`` yet.
    ///   - database: the database to read; the screen opens a connection to it.
    ///   - title: the text of the first line.
    /// - Throws: ``TerminalError`` without a terminal; ``YapDatabase/YapDatabaseError`` with code `closed`, `badExtension`, `corrupt` or
    ///   `inputOutput` if the database cannot be read.
    public static func run(_ list: LiveTable, in database: YapDatabase, title: String) throws -> Int32 {
        Terminal.blockSignals()
        let screen = try Screen()
        defer { screen.close() }
        let loop = try EventLoop(screen: screen)
        let theme = Theme(depth: screen.colors, unicode: Terminal.unicode, background: screen.background)
        let program = try ListScreen(
            list, in: database, title: title, screen: ScreenState(size: screen.size, theme: theme), now: loop.now)
        let observer = CommitObserver(database) { _ in program.followCommits() }
        defer { observer.stop() }
        return loop.run(program).exitCode
    }

    /// Shows the newest commit.
    func followCommits() {
        attempt { for misfit in try tables.advance(at: now()) { show(failure: "\(misfit)") } }
        state.screen.redraw()
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { show(failure: sentence(ofSystem: error)) }
    }
}

// MARK: Events

extension ListScreen {
    public func handle(_ event: InputEvent) {
        switch event {
        case .key(let key, let modifiers):
            state.screen.message = nil
            guard case .action(let action, let count) = state.keys.read(key, modifiers) else { return }
            if action == .quit { state.screen.request(.quit) }
            perform(TableCommand(action, count: count))
        case .mouse(let mouse):
            let area = layout.panes[0]
            perform(list.table.command(for: mouse.kind, x: mouse.x - area.x, y: mouse.y - area.y, at: now()))
        case .resize(let width, let height):
            state.screen.size = (width, height)
            layOut()
        case .focus(let isFocused): list.update { $0.isFocused = isFocused }
        case .paste: break
        }
    }

    private func perform(_ command: TableCommand?) {
        guard let command else { return }
        attempt { try list.update { table, source in _ = table.perform(command, source: source, at: now()) } }
    }

    public func showTheme() { attempt { try list.setTheme(theme, at: now()) } }
    public func prepareFrame() {}
    public var nextTime: Double? { tables.nextFrame(after: state.screen.lastDrawn) }

    private var layout: ScreenLayout {
        ScreenLayout(width: size.width, height: size.height, panes: [.init(least: 1, share: 1)])
    }

    private func layOut() {
        let area = layout.panes[0]
        attempt {
            try list.update { table, source in
                table.resize(width: area.width, height: area.height, source: source, at: now())
            }
        }
    }

    public func draw() -> Grid {
        var grid = Grid(width: size.width, height: size.height)
        layout.draw(
            into: &grid, title: [Run(" \(title)", theme.header)],
            status: [Run("#\(tables.connection.snapshot) ", theme.secondary)],
            hint: state.keys.map.hintLine([.next, .quit, .first, .last], width: size.width, theme: theme), theme: theme)
        list.table.draw(into: &grid, in: layout.panes[0], at: state.screen.lastDrawn)
        state.screen.drawMessage(in: layout, notice: .plain, keys: state.keys.map, into: &grid)
        return grid
    }
}
