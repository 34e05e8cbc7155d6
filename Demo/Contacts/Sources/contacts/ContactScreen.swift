import Foundation
import LiveTable

/// The program's screen: on the left the people by letter, those with a star, or those that a search finds; on the right the person that is
/// selected, and who is in the same group.
@MainActor final class ContactScreen: ScreenProgram {
    struct State: ProgramState {
        var screen: ScreenState
        var field = TextField(placeholder: "type a name, or a part of a number")
        var showsStarred = false
        var latest: [Person] = []
        /// The text whose matches are in the list `found`.
        var searched = ""
    }

    var state: State
    let tables: LiveTables
    let lists: [(list: YapList<Person, UUID, Never>, table: LiveTable)]
    private let writer: YapDatabaseConnection
    let now: () -> Double
    private var isSearching = false

    static let keys = KeyMap.general.merging(
        KeyMap([
            .init(.next, ["down"], "next person", hint: "move"),
            .init(.previous, ["up"], "previous person"),
            .init(.pageDown, ["pgdn"], "a page down"),
            .init(.pageUp, ["pgup"], "a page up"),
            .init(.add, ["enter"], "add what is typed", hint: "add"),
            .init(.filter, ["tab"], "only those with a star", hint: "★"),
            .init(.star, ["ctrl-t"], "give or take a star", hint: "star"),
            .init(.group, ["ctrl-g"], "into the next group", hint: "group"),
            .init(.remove, ["ctrl-x"], "remove", hint: "remove"),
            .init(.cancel, ["esc"], "search no more"),
            .init(.quit, ["ctrl-c"], "quit", hint: "quit"),
        ]))

    init(_ database: YapDatabase, screen: ScreenState, now: @escaping () -> Double) throws {
        (state, self.now) = (State(screen: screen), now)
        lists = [letters, starred, found].map { list in
            (list, LiveTable(list) { RowCell(($0.isStarred ? "★ " : "  ") + $0.name) })
        }
        writer = try database.newConnection()
        tables = try LiveTables(connection: database.newConnection())
        for (_, table) in lists { try tables.add(table) }
        showTheme()
        layOut()
    }

    static func run(_ database: YapDatabase) throws -> Int32 {
        let screen = try Screen()
        defer { screen.close() }
        let loop = try EventLoop(screen: screen)
        let theme = Theme(depth: screen.colors, unicode: Terminal.unicode, background: screen.background)
        let program = try ContactScreen(database, screen: ScreenState(size: screen.size, theme: theme), now: loop.now)
        let observer = CommitObserver(database) { _ in program.followCommits() }
        let latest = Task { await program.followLatest() }
        defer {
            observer.stop()
            latest.cancel()
        }
        return loop.run(program).exitCode
    }

    // MARK: Following

    private func followCommits() {
        attempt { for misfit in try tables.advance(at: now()) { show(failure: "\(misfit)") } }
        state.screen.redraw()
    }

    private func followLatest() async {
        do {
            for try await update in writer.updates(of: latest) {
                state.latest = update.rows
                state.screen.redraw()
            }
        } catch { show(failure: "\(error)") }
    }

    func attempt(_ body: () throws -> Void) {
        do { try body() } catch { show(failure: "\(error)") }
    }

    /// Writes without keeping the screen waiting.
    private func write(_ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void) {
        Task {
            do { try await writer.readWrite { try body($0) } } catch { show(failure: "\(error)") }
        }
    }

    /// Searches for what is typed; of what is typed meanwhile, only the last text.
    private func search() {
        guard !isSearching, state.field.text != state.searched else { return }
        isSearching = true
        let text = state.field.text
        Task {
            do {
                try await writer.readWrite { try $0[found].search(for: .prefixes(of: text)) }
            } catch { show(failure: "\(error)") }
            (state.searched, isSearching) = (text, false)
            state.screen.redraw()
            search()
        }
    }
}

// MARK: Events

extension Action {
    static let (add, star): (Action, Action) = ("add", "star")
    static let (group, remove): (Action, Action) = ("group", "remove")
}

extension ContactScreen {
    var shown: (list: YapList<Person, UUID, Never>, table: LiveTable) {
        lists[!state.searched.isEmpty ? 2 : state.showsStarred ? 1 : 0]
    }

    var selected: Person? {
        let path = shown.table.table.selectedPath ?? RowPath(section: 0, row: 0)
        return try? tables.connection.read { try $0[shown.list].value(at: path, with: shown.table.mappings) }
    }

    func handle(_ event: InputEvent) {
        switch event {
        case .resize(let width, let height):
            state.screen.size = (width, height)
            layOut()
        case .mouse(let mouse):
            let area = layout.panes[0]
            let (x, y) = (mouse.x - area.x, mouse.y - area.y)
            perform(shown.table.table.command(for: mouse.kind, x: x, y: y, at: now()))
        case .focus: break
        case .key, .paste:
            state.screen.message = nil
            if let action = Self.keys.action(of: event), perform(action) { return }
            _ = state.field.handle(event)
            search()
        }
    }

    private func perform(_ action: Action) -> Bool {
        switch action {
        case .quit: state.screen.request(.quit)
        case .cancel:
            state.field.text = ""
            search()
        case .filter: state.showsStarred.toggle()
        case .add:
            let name = state.field.text.trimmingCharacters(in: .whitespaces)
            guard !name.isEmpty else { break }
            write { try $0.add(Person(name: name)) }
            state.field.text = ""
            search()
        case .star, .group, .remove:
            guard let id = selected?.id else { break }
            write { transaction in
                switch action {
                case .star: try transaction[people].update(id) { $0.isStarred.toggle() }
                case .group: try transaction.moveToNextGroup(id)
                default: try transaction[people].remove(id)
                }
            }
        default:
            guard let command = TableCommand(action) else { return false }
            perform(command)
        }
        return true
    }

    private func perform(_ command: TableCommand?) {
        guard let command else { return }
        attempt {
            try shown.table.update { table, source in _ = table.perform(command, source: source, at: now()) }
        }
    }
}
