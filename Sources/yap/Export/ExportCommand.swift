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

        \(EncryptedOperand.help) The export itself is not encrypted.

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
    let source = try ExportSource(path)
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

/// A file to export: as SQLite reads it, or if that cannot, as its pages are.
private struct ExportSource {
    private let path: String
    private let file: BrowsedFile?

    init(_ path: String) throws {
        self.path = path
        do {
            file = try BrowsedFile(path: path)
        } catch let error as YapDatabaseError where Self.mayBeSalvaged(error) {
            guard SalvagedFile.hasRows(path) else { throw error }
            printError("\(error.message) Its rows are looked for on its pages.")
            file = nil
        }
        for note in file?.notes ?? [] { printError(note) }
    }

    private static func mayBeSalvaged(_ error: YapDatabaseError) -> Bool {
        [.notADatabase, .corrupt, .sqlite].contains(error.code)
    }

    func report(
        isCancelled: @escaping @Sendable () -> Bool = { false }, _ write: (String?, [UInt8]) throws -> Void
    ) throws -> ExportReport {
        guard let file else {
            guard let report = try salvaged(isCancelled, write) else {
                throw Failure("\(path) changed while it was read.")
            }
            return report
        }
        var hasWritten = false
        do {
            return try FileExport(file).report(isCancelled: isCancelled) {
                hasWritten = true
                try write($0, $1)
            }
        } catch let error as YapDatabaseError where Self.mayBeSalvaged(error) && !hasWritten {
            guard let report = try salvaged(isCancelled, write) else { throw error }
            printError("\(error.message) Its rows were looked for on its pages.")
            return report
        }
    }

    private func salvaged(
        _ isCancelled: @escaping @Sendable () -> Bool, _ write: (String?, [UInt8]) throws -> Void
    ) throws -> ExportReport? {
        try SalvagedFile(path)?.report(isCancelled: isCancelled, write)
    }
}

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
