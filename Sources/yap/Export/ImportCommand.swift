import FileReading
import Foundation
import YapDatabase

@MainActor let importCommand = Command(
    name: "import", usage: "DIR|- FILE", summary: "Makes a file from the output of `yap export`.",
    details: """
        Reads the lines of a folder, or of standard input if it is -, and makes a new file with the same tables and rows: the
        same bytes in every value, the same rowids, views with the same pages. Only the bytes count: the decoded objects of
        an export are for people, and an import ignores them.

          yap export --to - app.sqlite | yap import - copy.sqlite

        If a line is damaged or missing, no file is made, and the message names the line; after Ctrl-C no file is made
        either. An import that is killed leaves FILE.unfinished-N beside it, which can be deleted. The lines need not be
        trusted: a statement that does more than create its table, index, trigger or view is an error, and so is a file
        that becomes more than a hundred times as large as its lines.

        For the export of a damaged file, messages name what it lacks, and rows that violate a constraint of their table
        (two with one key, one without a collection) are left out. `yap check` says which views and indexes lack them.

        Exit code 0: the file has everything. 1: rows or tables are missing, or no file was made. 3: the file has everything
        that was exported, but the export was mended, or a part can be used only by the app that has its module, collation
        or function, as messages say.
        """,
    options: []
) { options in
    guard options.operands.count == 2 else {
        throw UsageError("It takes a folder, or - for standard input, and the name of a new file.")
    }
    let target = try importedFile(from: options.operands[0], to: options.operands[1])
    for sentence in target.notes { printError(sentence) }
    for sentence in target.damage { printError("The export is of a damaged file: \(sentence)") }
    if target.leftOut > 0 {
        printError("\(target.leftOutText). The first: \(target.brokenRule ?? "")")
    }
    if target.leftOut > 0 || !target.damage.isEmpty { return ExitCode.failed }
    return target.notes.isEmpty ? ExitCode.good : ExitCode.partial
}

/// Makes a file of an export: all of it, or none.
@MainActor func importedFile(from source: String, to path: String) throws -> ImportReport {
    noteInterrupt()
    try UnfinishedFile.checkIsFree(path, "Import makes a new file; choose another name.")
    let unfinished = UnfinishedFile.path(for: path)
    do {
        // A statement of the lines may take any time, and so may a single function in it.
        try removeOnInterrupt(FileImport.names(unfinished))
        let report = try importLines(from: source, to: unfinished, for: path)
        try UnfinishedFile.finish(unfinished, as: path)
        keepOnInterrupt()
        return report
    } catch {
        // The cause is the message; a part of a file that stays is told besides.
        do { try UnfinishedFile.remove(unfinished) } catch let rest {
            printError("\(unfinished) is not whole and cannot be removed: \(rest)")
        }
        keepOnInterrupt()
        throw error
    }
}

/// Makes the unfinished file, and closes it.
@MainActor private func importLines(
    from source: String, to path: String, for name: String
) throws -> ImportReport {
    let target = try FileImport(path: path, for: name)
    for source in try importSources(source) {
        var number = 0
        func importLines(_ lines: [ImportLine?]) throws {
            try checkInterrupt()
            for line in lines {
                number += 1
                guard let line else { continue }
                do { try target.add(line) } catch let error as ImportError {
                    throw error.inLine(number, of: source)
                }
            }
        }
        let lines = ImportLines(deliver: importLines)
        do {
            try LineBlocks(path: source).forEach(whileWaiting: lines.finish, lines.add)
        } catch let error as LongLine {
            try lines.finish()
            throw error.inLine(number + 1, of: source)
        }
        try lines.finish()
    }
    try target.end()
    return target.report
}

/// Returns the files of a folder, the one that describes the export first.
private func importSources(_ path: String) throws -> [String] {
    if path == "-" { return ["/dev/stdin"] }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        return [path]
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter {
        $0.hasSuffix(ExportFolder.ending) && $0 != ExportFolder.headName
    }
    return ([ExportFolder.headName] + names.sorted()).map { path + "/" + $0 }
}
