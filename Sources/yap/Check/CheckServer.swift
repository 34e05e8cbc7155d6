import FileReading
import Foundation
import YapDatabaseServer

/// Compares a file with the server that it follows.
func comparison(of path: String, with address: String) throws -> YapDatabaseServerDifference {
    try refusePassword(in: address)
    var options = YapDatabaseOptions()
    options.postsNotifications = false
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    defer { try? database.close() }
    return try YapDatabaseServerDifference(database, address: address)
}

extension YapDatabaseServerDifference {
    var text: String {
        let head = "Commit \(number) of the space \"\(TerminalSafe.line(space))\": "
        let later =
            (changedLater > 0 ? " \(RowCount(changedLater)) rows have changed on the server since then." : "")
            + (pending > 0 ? " \(RowCount(pending)) mutation\(pending == 1 ? " waits" : "s wait") for the server." : "")
        guard !isEqual else { return head + "\(RowCount(equal)) rows are equal.\(later)\n" + unusableText }
        let lines = examples.map { "  \(TerminalSafe.line("\($0)"))\n" }
        return head + "\(RowCount(different)) rows differ, \(RowCount(equal)) are equal.\(later)\n" + lines.joined()
            + wayOut
            + unusableText
    }

    private var wayOut: String {
        if let fileRole {
            return
                "The file follows as the role \"\(TerminalSafe.line(fileRole))\", and rows that only one of the two roles may read differ.\n"
                + "  → Compare with the address of that role.\n"
        }
        return continuesFile
            ? "  → Keep a copy, remove the file, and open it again: it is filled from the server.\n"
            : "The space is another one of the same name, or has lost commits.\n"
                + "  → `yap server restore --from FILE URI` gives it the file's rows; `yap server take --into FILE` takes the server's, and "
                + "keeps a copy.\n"
    }

    private var unusableText: String {
        guard unusable > 0 else { return "" }
        let lines = unusableRows.map { "  \(TerminalSafe.line("\($0)"))\n" }
        return "\(RowCount(unusable)) rows of the space are none that a file takes. They stay out of it:\n"
            + lines.joined()
            + "  → `yap server rows --space \(TerminalSafe.line(space)) URI` shows them, with --remove it removes them.\n"
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let answer = Answer(
            space: space, commit: number, equal: equal, different: different, changedLater: changedLater,
            examples: examples.map { "\($0)" }, unusable: unusable, unusableRows: unusableRows.map { "\($0)" },
            pending: pending, continuesFile: continuesFile, fileRole: fileRole)
        return String(decoding: try encoder.encode(answer), as: UTF8.self)
    }

    private struct Answer: Encodable {
        let space: String
        let commit: Int
        let equal: Int
        let different: Int
        let changedLater: Int
        let examples: [String]
        let unusable: Int
        let unusableRows: [String]
        let pending: Int
        let continuesFile: Bool
        let fileRole: String?
    }
}
