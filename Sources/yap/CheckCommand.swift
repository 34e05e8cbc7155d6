import FileBrowser
import Foundation
import YapDatabase

@MainActor let checkCommand = Command(
    name: "check", usage: "[--json] FILE", summary: "Reads a whole database and says what is damaged.",
    details: """
        Checks the structure of the file, every row's place, and each view: its pages, its counts, its map, its rows. For
        each problem it says what is damaged and what to do. Triggers, views and conditions that somebody put on the tables
        are told as well; nothing of them runs. Nothing is written: the file, its log and the log's index stay as they are,
        and other programs may use the file meanwhile.

          yap check app.sqlite
          yap check --json app.sqlite | jq .problems

        Exit code 0: all is well. 1: something is damaged, or the file cannot be read.
        """,
    options: [Option(name: "json", help: "Prints the result as one line of JSON.")]
) { options in
    let path = try options.file()
    let url = URL(filePath: path)
    let answer = CheckAnswer(path: path, try checked(url, asJSON: options["json"] != nil))
    try printText((options["json"] == nil ? TerminalSafe.lines(answer.text) : answer.json()) + "\n")
    return answer.isSound ? ExitCode.good : ExitCode.failed
}

/// A file that cannot be read is an error to people, and an answer to a program that asked for JSON.
private func checked(_ url: URL, asJSON: Bool) throws -> Result<YapDatabaseCheckReport, YapDatabaseError> {
    let progress = CheckProgress(file: url)
    defer { progress.clear() }
    do {
        return .success(try YapDatabase.checkReport(url: url) { progress.show($0) })
    } catch let error as YapDatabaseError where asJSON {
        return .failure(error)
    }
}
