import FileReading
import Foundation
import YapDatabaseServer

/// `yap server rows`: shows or removes rows that no file can take, or one row whatever it holds.
func showRows(
    of space: String, _ server: YapDatabaseServerAdministration, _ options: ParsedOptions
) throws -> Int32 {
    guard (options["key"] == nil) == (options["collection"] == nil) else {
        throw UsageError("A row is named by --collection and --key together.")
    }
    if let key = options["key"], let collection = options["collection"] {
        guard options["remove"] != nil else {
            throw UsageError(
                "A row that is named is removed: add --remove. `yap browse --space NAME URI` shows every row.")
        }
        guard try server.removeRow(forKey: key, inCollection: collection, space: space) else {
            throw Failure("The space has no such row.")
        }
        try printText("The row was removed.\n")
        return ExitCode.good
    }
    if options["remove"] != nil {
        let count = try server.removeUnusableRows(space: space)
        try printText("\(RowCount(count)) row\(count == 1 ? " was" : "s were") removed.\n")
        return ExitCode.good
    }
    try printText(rowsText(try server.unusableRows(space: space), asJSON: options["json"] != nil))
    return ExitCode.good
}

private func rowsText(_ rows: [YapDatabaseServerUnusableRow], asJSON: Bool) throws -> String {
    struct RowJSON: Encodable { let collection, key, reason: String }
    if asJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try rows.map {
            let row = RowJSON(collection: $0.collection, key: $0.key, reason: $0.reason)
            return String(decoding: try encoder.encode(row), as: UTF8.self) + "\n"
        }.joined()
    }
    guard !rows.isEmpty else { return "Files can take every row of the space.\n" }
    return rows.map { "\(TerminalSafe.line("\($0)"))\n" }.joined()
}
