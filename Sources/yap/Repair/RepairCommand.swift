import FileReading
import Foundation
import YapDatabase

@MainActor let repairCommand = Command(
    name: "repair", usage: "--to COPY FILE", summary: "Makes a sound copy of a damaged database.",
    details: """
        Copies every row that can be found, also on pages that nothing leads to any more, as yap export does. Indexes are
        made again, and so is a full-text index whose texts are whole. A view, an index or an R-tree that is damaged is
        dropped from the copy: the next program that registers it fills it from the rows. Of edges, of the places in a
        manual view and of operations for a server, those stay that fit together. The copy is then checked, as by yap check,
        and gets its name last. The file itself is only read, and stays as it is.

          yap repair --to mended.sqlite app.sqlite
          yap repair --to mended.sqlite --json app.sqlite | jq .lost

        The report names each row that is lost and each page that is damaged, and what the program has to fill again.
        After Ctrl-C, or if the copy cannot be made, there is none. A repair that is killed leaves COPY.unfinished-N beside it,
        which can be deleted.

        \(EncryptedOperand.help)
        The copy is not encrypted.

        Exit code 0: the copy has everything, or what it lacks follows from the rows. 1: rows or other content are lost, as the
        report says, or no copy was made. 3: nothing is known to be lost, but rows are from older copies of their pages, or
        yap check still finds something in the copy.
        """,
    options: [
        Option(name: "to", argument: "FILE", help: "The name of the copy. It must not exist."),
        Option(name: "json", help: "Prints the report as one line of JSON."),
    ] + EncryptedOperand.options
) { options in
    let path = try options.file()
    guard let copy = options["to"] else { throw UsageError("--to is missing: the name of the copy.") }
    guard !["", "-"].contains(copy) else { throw UsageError("--to takes the name of a file, not \"\(copy)\".") }
    try EncryptedOperand.unlock(path, options)
    if EncryptedFile.isUnlocked(path) {
        printError("\(path) is encrypted. Its copy is not: keep it as safe as the key.")
    }
    let answer = RepairAnswer(file: path, copy: copy, report: try repaired(path, copy))
    try printText(options["json"] == nil ? TerminalSafe.lines(answer.text) + "\n" : answer.json + "\n")
    return answer.exitCode
}

/// Makes the copy: all of it, or none.
@MainActor private func repaired(_ path: String, _ copy: String) throws -> RepairReport {
    noteInterrupt()
    let line = StatusLine(after: .milliseconds(300), every: .milliseconds(100))
    defer { line.clear() }
    let repair = FileRepair(
        path, to: copy, check: { try YapDatabase.checkReport(url: URL(filePath: $0)) },
        progress: { step in line.show("Repairing: \(TerminalSafe.line(step)) …") }, isCancelled: { isInterrupted })
    do {
        // Making an index or checking takes any time.
        try removeOnInterrupt(FileImport.names(UnfinishedFile.path(for: copy)))
        let report = try repair.run()
        keepOnInterrupt()
        return report
    } catch {
        keepOnInterrupt()
        try checkInterrupt()
        throw error
    }
}
