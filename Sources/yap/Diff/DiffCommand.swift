import FileReading
import Foundation
import YapDatabase

@MainActor let diffCommand = Command(
    name: "diff", usage: "[OPTIONS] A B", summary: "Says in what two files differ: rows, their fields, and views.",
    details: """
        Compares rows by collection and key, what is decoded from their values field by field, and the groups of views with
        the places of rows in them. A and B are files of any app, a file and its backup, folders or files that `yap export`
        wrote (the output of the command in a file, or - for standard input), or the address of a PostgreSQL server whose
        space --space names. Neither is written to; of an export a temporary file is made.

          yap diff yesterday.sqlite app.sqlite
          yap diff app.sqlite rows --json | jq -c 'select(.change == "update") | .fields[]'
          yap diff app.sqlite postgres://alice@db.example.com/yap --space team

        A line says what B has otherwise: + a new row, - a row that is gone, ~ a row of both, below which its fields stand as
        before → after. > is a view, one of its groups, or a row that has another place in a group. With --json each line
        is an object with "change": "insert" and "delete" with the row, "update" with "fields", each with "in" (object or
        metadata), "path", "before" and "after", of which one is missing where there was or is nothing; "view", "group" and
        "place" with the view's name, and "from" and "to" for a place. The last line counts: on standard error in text, and as
        an object with "equal", "inserted", "deleted", "updated", "inViews" with --json. Rows whose bytes differ and say the
        same are equal.

        \(EncryptedOperand.help) Both files may be encrypted, with the same key or with keys that the terminal asks for.

        Exit code 0: no difference. 1: there are some. 2: the options are invalid, or something cannot be read. 130: Ctrl-C.
        """,
    options: [
        Option(name: "json", help: "Prints a JSON object a line."),
        Option(name: "brief", help: "Prints only whether there are differences, and stops at the first."),
        Option(name: "rows-only", help: "Does not compare views."),
        Option(name: "space", argument: "NAME", help: "The space of an operand that is the address of a server."),
    ] + EncryptedOperand.options
) { options in
    guard options.operands.count == 2 else { throw UsageError("It takes two files.") }
    do {
        return try withFiles(options.operands, options["space"], EncryptedOperand(options)) { files in
            try StandardOutput.whole { try FileDiff(files[0], files[1], options, $0).run() }
        }
    } catch let error as UsageError {
        throw error
    } catch let error as Interrupted {
        throw error
    } catch {
        // As of diff, 1 is the answer of a comparison.
        printError(sentence(error))
        return ExitCode.usage
    }
}

/// Runs a body with the files that operands lead to.
@MainActor private func withFiles(
    _ operands: [String], _ space: String?, _ encrypted: EncryptedOperand, opened: [BrowsedFile] = [],
    _ body: ([BrowsedFile]) throws -> Int32
) throws -> Int32 {
    guard let operand = operands.first else {
        // Temporary files are removed then too.
        noteInterrupt()
        return try body(opened)
    }
    func goOn(_ path: String, isOwn: Bool) throws -> Int32 {
        if isOwn { try encrypted.unlock(path) }
        let file = try BrowsedFile(path: path)
        for note in file.notes { printError("\(operand): \(note)") }
        return try withFiles(Array(operands.dropFirst()), space, encrypted, opened: opened + [file], body)
    }
    if ["postgres://", "postgresql://"].contains(where: operand.hasPrefix) {
        guard let space else {
            throw UsageError("\(operand) is the address of a server. Which space of it? Name it with --space.")
        }
        try refusePassword(in: operand)
        return try withSpaceFile(space, address: operand) { try goOn($0, isOwn: false) }
    }
    guard operand == "-" || ExportSources.isExport(operand) else { return try goOn(operand, isOwn: true) }
    return try withTemporaryImport(of: operand) { try goOn($0, isOwn: false) }
}

/// Runs a body with a file made of an export, which is removed afterwards.
@MainActor private func withTemporaryImport(of export: String, _ body: (String) throws -> Int32) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-diff-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "import.sqlite").path
    let imported = try importedFile(from: export, to: path)
    for sentence in imported.damage { printError("\(export) is of a damaged file: \(sentence)") }
    if imported.leftOut > 0 { printError("\(export): \(RowCount(imported.leftOut)) rows were left out.") }
    return try body(path)
}
