import FileReading
import Foundation

@MainActor let exportCommand = Command(
    name: "export", usage: "--to DIR|- FILE", summary: "Writes everything in a file as lines of JSON.",
    details: """
        One JSON object a line: first a description of the file and its tables, then every row of every table, with the bytes
        of each value, so that nothing is lost, and with the decoded object, for people and for jq. `yap import` makes a file
        with the same content from them. In a folder each table has its own file; - is standard output.

          yap export --to rows app.sqlite
          yap export --to - app.sqlite | jq -c 'select(.table == "database2") | .object'

        Of a damaged file it writes every readable row, reports what is missing, and ends with exit code 1: `yap import`
        makes a sound file from that.

        The file stays as it is, as with `yap browse`. If writing fails, or after Ctrl-C, the folder is restored.
        """,
    options: [
        Option(name: "to", argument: "DIR", help: "A new or empty folder, or - for standard output.")
    ]
) { options in
    let path = try options.file()
    guard let target = options["to"] else { throw UsageError("--to is missing: a folder, or - for standard output.") }
    let file = try BrowsedFile(path: path)
    for note in file.notes { printError(note) }
    let damage = try target == "-" ? export(file) : export(file, to: ExportFolder(path: target))
    for sentence in damage { printError(sentence) }
    return damage.isEmpty ? ExitCode.good : ExitCode.failed
}

private func export(_ file: BrowsedFile) throws -> [String] {
    exitOnInterrupt()
    return try StandardOutput.whole { output in
        try FileExport(file).run { _, lines in try output.write(lines) }
    }
}

private func export(_ file: BrowsedFile, to folder: ExportFolder) throws -> [String] {
    noteInterrupt()
    do {
        let damage = try FileExport(file).run(isCancelled: { isInterrupted }) { table, lines in
            try checkInterrupt()
            try folder.write(lines, table)
        }
        try folder.close()
        return damage
    } catch {
        folder.abandon()
        try checkInterrupt()
        throw error
    }
}
