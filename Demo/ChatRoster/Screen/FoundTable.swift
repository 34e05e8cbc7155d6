import Foundation
import LiveTable

/// The table of messages that a search has found. They are in memory, so that a file that cannot be written can be searched.
final class FoundTable {
    private(set) var table: Table
    private(set) var messages: [Message] = []
    private let facts: Facts

    init(_ options: TableOptions, _ facts: Facts) {
        var options = options
        options.follows = []
        table = Table(options: options)
        self.facts = facts
    }

    var selected: Message? { table.selectedPath.map { messages[$0.row] } }

    @discardableResult
    func update<T>(_ change: (inout Table, any TableSource) throws -> T) rethrows -> T {
        try change(&table, FoundSource(messages: messages, cell: FoundCell(theme: table.options.theme, facts: facts)))
    }

    /// Shows other messages. Rows keep their selection and scroll position.
    /// - Parameter emptyText: what stands there if there are none.
    func show(_ messages: [Message], emptyText: String, at time: Double) {
        self.messages = messages
        var options = table.options
        options.emptyText = emptyText
        update { table, source in
            table.reload(source: source, at: time)
            table.setOptions(options, source: source, at: time)
        }
    }

    func setTheme(_ theme: Theme, at time: Double) {
        update { table, source in table.setTheme(theme, source: source, at: time) }
    }
}

private struct FoundSource: TableSource {
    let messages: [Message]
    let cell: FoundCell

    var numberOfSections: Int { 1 }
    func numberOfRows(in section: Int) -> Int { messages.count }
    func key(at path: RowPath) -> RowKey { RowKey(collection: Chat.messages.name, key: messages[path.row].id) }
    func cell(at path: RowPath, width: Int) -> RowCell { cell.cell(messages[path.row], width: width) }

    func path(of key: RowKey) -> RowPath? {
        messages.firstIndex { $0.id == key.key }.map { RowPath(section: 0, row: $0) }
    }
}
