import ListChanges
import TableModel

/// Rows that are made on demand, so that ten million cost nothing.
struct MessageRows: TableSource {
    var count: Int
    /// The rows whose text was changed, and how often.
    var edits: [Int: Int] = [:]
    /// Changes the text of every row.
    var edition = 0
    /// The number of places by which the first rows, a screen full, are rotated.
    var shift = 0

    let numberOfSections = 1
    func numberOfRows(in section: Int) -> Int { count }
    func key(at path: RowPath) -> RowKey { RowKey(collection: "", key: "\(number(at: path.row))") }
    func path(of key: RowKey) -> RowPath? {
        Int(key.key).map { RowPath(section: 0, row: $0 < turned ? ($0 + shift) % turned : $0) }
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        let number = number(at: path.row)
        return RowCell([Self.line(number, edition + edits[number, default: 0], width: width)])
    }

    private var turned: Int { PseudoTerminal.height }

    private func number(at row: Int) -> Int { row < turned ? (row + turned - shift) % turned : row }

    /// Returns a name, a text over the rest of the line, and a time at its end.
    static func line(_ row: Int, _ edition: Int, width: Int) -> Line {
        let name = "\(["alice", "bob", "carol", "dave"][(row + edition) & 3]) \(row)"
        let time = "\((row + edition) % 24):\(10 + row % 50)"
        let words =
            edition & 1 == 0 ? "the quick brown fox jumps over a lazy dog " : "PACK MY BOX WITH FIVE DOZEN JUGS "
        let room = max(0, width - name.utf8.count - time.utf8.count - 2)
        let text = String(repeating: words, count: room / words.utf8.count + 1).prefix(room)
        return [Run(name, Style(.terminal, on: .terminal, .bold)), Run(" \(text) "), Run(time, Theme().secondary)]
    }
}
