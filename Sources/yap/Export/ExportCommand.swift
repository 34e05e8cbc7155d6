import FileReading
import Foundation
import YapDatabase

@MainActor let exportCommand = Command(
    name: "export", usage: "--to DIR|- FILE", summary: "Writes everything in a file as lines of JSON.",
    details: """
        One JSON object a line: first a description of the file and its tables, then every row of every table, with the bytes
        of each value, so that nothing is lost, and with the decoded object, for people and for jq. `yap import` makes a file
        with the same content from them. In a folder each table has its own file; - is standard output.

          yap export --to rows app.sqlite
          yap export --to - app.sqlite | jq -c 'select(.table == "database2") | .object'

        Of a damaged file it writes every readable row, also those on pages that nothing leads to any more, and a line with
        "lost" for each row of which only the key is left: `yap import` makes a sound file from that. A virtual table of a
        module that SQLite does not have here is written as it is, with the tables that the module keeps.

        Exit code 0: everything was written. 1: something is missing, or the file cannot be read. 3: everything was written,
        but something was mended, found on pages that nothing leads to, or carried over unread, as messages say.

        \(EncryptedOperand.help)
        The export itself is not encrypted.

        The file stays as it is, as with `yap browse`. If writing fails, or after Ctrl-C, the folder is restored.
        """,
    options: [
        Option(name: "to", argument: "DIR", help: "A new or empty folder, or - for standard output.")
    ] + EncryptedOperand.options
) { options in
    let path = try options.file()
    guard let target = options["to"] else { throw UsageError("--to is missing: a folder, or - for standard output.") }
    try EncryptedOperand.unlock(path, options)
    if EncryptedFile.isUnlocked(path) {
        printError("\(path) is encrypted. Its export is not: keep it as safe as the key.")
    }
    let source = try ExportSource(path, note: printError)
    let report = try target == "-" ? export(source) : export(source, to: ExportFolder(path: target))
    for sentence in report.notes + report.damage { printError(sentence) }
    for row in report.lost.prefix(lostLimit) { printError("Lost: \(row.collection)/\(row.key), row \(row.rowid)") }
    if report.lost.count > lostLimit {
        printError(
            "… and \(RowCount(report.lost.count - lostLimit)) more. The export has a line with \"lost\" for each.")
    }
    if !report.damage.isEmpty { return ExitCode.failed }
    return report.notes.isEmpty ? ExitCode.good : ExitCode.partial
}

/// The most lost rows that are named on standard error.
private let lostLimit = 20

private func export(_ source: ExportSource) throws -> ExportReport {
    exitOnInterrupt()
    return try StandardOutput.whole { output in
        try source.report { _, lines in try output.write(lines) }
    }
}

private func export(_ source: ExportSource, to folder: ExportFolder) throws -> ExportReport {
    noteInterrupt()
    do {
        let report = try source.report(isCancelled: { isInterrupted }) { table, lines in
            try checkInterrupt()
            try folder.write(lines, table)
        }
        try folder.close()
        return report
    } catch {
        folder.abandon()
        try checkInterrupt()
        throw error
    }
}
