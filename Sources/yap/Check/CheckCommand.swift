import FileReading
import Foundation
import YapDatabase

@MainActor let checkCommand = Command(
    name: "check", usage: "[--json] [--quick] FILE", summary: "Reads a whole database and says what is damaged.",
    details: """
        Checks the structure of the file, every row's place, each view: its pages, its counts, its map, its rows; lists
        of groups and joined rows: what they follow from, and each figure; and each full-text index: its texts, in a
        private copy in the folder for temporary files, or in memory if the file is encrypted. For each problem it says
        what is damaged and what to do; yap repair makes a sound copy. It also reports triggers, views and conditions
        that were added to the tables, and runs none of them. In collections where most values are property lists,
        archives, JSON or compressed, it checks that each value can be read as such; --quick skips the values. Of a
        file with damaged rows it reads all pages, as yap export does, and lists the keys of the rows that are lost.
        Nothing is written: the file, its log and the log's index stay as they are, and other programs may use the file
        meanwhile.

          yap check app.sqlite
          yap check --json app.sqlite | jq .problems

        With --server, a file that follows a space is also compared with the server, row by row, as of the file's
        commit, and rows of the space that no file can take are shown.

          yap check app.sqlite --server postgres://alice@db.example.com/yap

        \(EncryptedOperand.help)
        In such a file each page whose authentication code does not fit is a problem.

        Exit code 0: no problem was found. 1: something is damaged, or the file cannot be read.
        """,
    options: [
        Option(name: "json", help: "Prints the result as one line of JSON."),
        Option(name: "server", argument: "URI", help: "Compares the file with the space that it follows."),
        Option(name: "quick", help: "Does not check the content of values."),
    ] + EncryptedOperand.options
) { options in
    let path = try options.file()
    let url = URL(filePath: path)
    try EncryptedOperand.unlock(path, options)
    let answer = try checked(url, asJSON: options["json"] != nil, withValues: options["quick"] == nil)
    try printText((options["json"] == nil ? TerminalSafe.lines(answer.text) : answer.json()) + "\n")
    guard let address = options["server"] else { return answer.isSound ? ExitCode.good : ExitCode.failed }
    let comparison = try comparison(of: path, with: address)
    if options["json"] == nil { try printText(comparison.text) } else { try printText(comparison.json() + "\n") }
    return answer.isSound && comparison.isEqual && comparison.unusable == 0 ? ExitCode.good : ExitCode.failed
}

/// Checks a file. A file that cannot be read is an error in text output, and an answer in JSON.
private func checked(_ url: URL, asJSON: Bool, withValues: Bool) throws -> CheckAnswer {
    let progress = CheckProgress(file: url)
    defer { progress.clear() }
    do {
        var report = try YapDatabase.checkReport(url: url) { progress.show($0) }
        var answer = CheckAnswer(path: url.path, result: .success(report))
        if report.problems.contains(where: { $0.kind == .loss && $0.extensionName == nil }) {
            progress.show("what is left of lost rows")
            if let found = try RowCheck.run(url.path) {
                report.problems += rowProblems(found, url.path)
                answer.lost = found.lost
                answer.isWholeBesides = found.isExact
            }
        }
        report.problems += try pageProblems(url.path, progress)
        if withValues {
            report.problems += try ValueCheck.problems(ofFile: url.path) { rows in
                progress.show("the values of \(RowCount(rows)) rows")
                return true
            }
        }
        answer.result = .success(report)
        return answer
    } catch let error as YapDatabaseError {
        let error = error.namingRepair(of: url.path)
        if asJSON { return CheckAnswer(path: url.path, result: .failure(error)) }
        throw error
    }
}

/// The pages of an encrypted file that are not as they were written. SQLite's own check does not read those that are free.
private func pageProblems(_ path: String, _ progress: CheckProgress) throws -> [YapDatabaseProblem] {
    guard EncryptedFile.isUnlocked(path) else { return [] }
    progress.show("the authentication codes of the pages")
    return try EncryptedFile.damagedPages(path).map { .damagedPage($0, path: path) }
}

/// What a search on all pages found of the rows.
private func rowProblems(_ found: RowCheck.Result, _ path: String) -> [YapDatabaseProblem] {
    var problems: [YapDatabaseProblem] = found.sentences.map { .hiddenRows($0, path: path) }
    if !found.lost.isEmpty {
        let first = found.lost[0]
        problems.append(
            .lostRows(
                "\(RowCount(found.lost.count)) of the rows that the index of the keys names are lost, the first of the key "
                    + "\"\(first.key)\" in the collection \"\(first.collection)\""))
    }
    return problems
}

/// Says what a check looks at.
struct CheckProgress {
    /// Below this a check is over before the line can be read.
    private static let smallestFile = 20 << 20

    private let line: StatusLine?
    private let size: Int

    init(file: URL) {
        size = (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
        line = size >= Self.smallestFile ? StatusLine() : nil
    }

    func show(_ step: String) {
        // Control characters in a view's name stay out of the terminal.
        let plain = String(step.map { $0.isNewline || $0.asciiValue.map { $0 < 32 || $0 == 127 } == true ? "?" : $0 })
        line?.show("Checking \(size >> 20) MB: \(plain.prefix(60)) …")
    }

    func clear() { line?.clear() }
}
