import Browser
import FileReading
import Foundation
import TerminalScreen
import YapDatabase

@MainActor let diffCommand = Command(
    name: "diff", usage: "[OPTIONS] A B", summary: "Says in what two files differ: rows, their fields, and views.",
    details: """
        Compares rows by collection and key, what is decoded from their values field by field, and the groups of views with
        the places of rows in them. A and B are files of any app, a file and its backup, folders or files that `yap export`
        wrote (the output of the command in a file, or - for standard input), or the address of a PostgreSQL server whose
        space --space names. Neither is written to; of an export a temporary file is made.

          yap diff yesterday.sqlite app.sqlite            # on a terminal: the screen; ? shows its keys
          yap diff app.sqlite rows --json | jq -c 'select(.change == "update") | .fields[]'
          yap diff app.sqlite postgres://alice@db.example.com/yap --space team

        On a terminal the changes are a list to walk through, to search (/) and to filter (&), and a panel has the
        fields of both files. With --plain, --json or --brief, or if standard output is no terminal, there are lines.

        A line says what B has otherwise: + a new row, - a row that is gone, ~ a row of both, below which its fields stand as
        before → after. > is a view, one of its groups, or a row that has another place in a group. With --json each line
        is an object with "change": "insert" and "delete" with the row, "update" with "fields", each with "in" (object or
        metadata), "path", "before" and "after", of which one is missing where there was or is nothing; "view", "group" and
        "place" with the view's name, and "from" and "to" for a place. The last line counts: on standard error in text, and as
        an object with "equal", "inserted", "deleted", "updated", "inViews" with --json. Rows whose bytes differ and say the
        same are equal.

        \(EncryptedOperand.help)
        Both files may be encrypted, with the same key or with keys that the terminal asks for.

        \(KeyFile.help(screen: "diff", DiffKeys.standard.maps))

        Exit code 0: no difference. 1: there are some. 2: the options are invalid, or something cannot be read. 130: Ctrl-C.
        """,
    options: [
        Option(name: "plain", help: "Prints lines, also on a terminal."),
        Option(name: "json", help: "Prints a JSON object a line."),
        Option(name: "brief", help: "Prints only whether there are differences, and stops at the first."),
        Option(name: "rows-only", help: "Does not compare views."),
        Option(name: "space", argument: "NAME", help: "The space of an operand that is the address of a server."),
    ] + EncryptedOperand.options + BrowseOnScreen.options
) { options in
    guard options.operands.count == 2 else { throw UsageError("It takes two files.") }
    try BrowseOnScreen.check(options)
    let onScreen = DiffOnScreen.isWanted(options)
    do {
        let encrypted = try EncryptedOperand(options)
        if onScreen {
            for operand in options.operands where DiffSource(operand) == .file { try encrypted.unlock(operand) }
            // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
            Terminal.blockSignals()
        }
        return try withFiles(options.operands, options["space"], encrypted, onScreen: onScreen) { files in
            if onScreen { return try DiffOnScreen.run(files, options) }
            return try StandardOutput.whole { try FileDiff(files[0], files[1], options, $0).run() }
        }
    } catch let error as UsageError {
        throw error
    } catch let error as Interrupted {
        throw error
    } catch {
        // As in `diff`, exit code 1 means that the files differ, so an error has another code.
        printError(sentence(error))
        return ExitCode.usage
    }
}

/// Opens the files that the operands name, one by one, and runs the body with them.
@MainActor private func withFiles(
    _ operands: [String], _ space: String?, _ encrypted: EncryptedOperand, onScreen: Bool,
    opened: [BrowsedFile] = [], _ body: ([BrowsedFile]) throws -> Int32
) throws -> Int32 {
    guard let operand = operands.first else {
        // Catches Ctrl-C, so that temporary files are removed then too.
        if !onScreen { noteInterrupt() }
        return try body(opened)
    }
    func goOn(_ path: String, isOwn: Bool) throws -> Int32 {
        // Files for the screen are unlocked already.
        if isOwn, !onScreen { try encrypted.unlock(path) }
        let file = try BrowsedFile(path: path)
        for note in file.notes { printError("\(operand): \(note)") }
        return try withFiles(
            Array(operands.dropFirst()), space, encrypted, onScreen: onScreen, opened: opened + [file], body)
    }
    switch DiffSource(operand) {
    case .server:
        guard let space else {
            throw UsageError("\(operand) is the address of a server. Which space of it? Name it with --space.")
        }
        try refusePassword(in: operand)
        return try withSpaceFile(space, address: operand, onScreen: onScreen) { try goOn($0, isOwn: false) }
    case .file: return try goOn(operand, isOwn: true)
    case .export:
        return try withTemporaryImport(of: operand, onScreen: onScreen) { try goOn($0, isOwn: false) }
    }
}

/// The kind of source that an operand names.
private enum DiffSource {
    case server, export, file

    init(_ operand: String) {
        if ["postgres://", "postgresql://"].contains(where: operand.hasPrefix) {
            self = .server
        } else {
            self = operand == "-" || ExportSources.isExport(operand) ? .export : .file
        }
    }
}

/// Imports an export into a temporary file, runs the body with it and removes the file.
@MainActor private func withTemporaryImport(
    of export: String, onScreen: Bool, _ body: (String) throws -> Int32
) throws -> Int32 {
    func path(_ folder: URL) -> String { folder.appending(path: "import.sqlite").path }
    return try withTemporaryFolder("yap-diff", files: { FileImport.names(path($0)) }, onScreen: onScreen) { folder in
        // Ctrl-C ends the import. The threads that it starts block signals by themselves.
        if onScreen { Terminal.unblockSignals() }
        let imported = try importedFile(from: export, to: path(folder))
        if onScreen { Terminal.blockSignals() }
        for sentence in imported.damage { printError("\(export) is of a damaged file: \(sentence)") }
        if imported.leftOut > 0 { printError("\(export): \(imported.leftOutText).") }
        return try body(path(folder))
    }
}
