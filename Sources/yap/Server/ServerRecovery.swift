import FileReading
import Foundation
import YapDatabaseServer

/// `yap server restore`: gives a space the rows of a file.
func restoreSpace(from options: ParsedOptions, address: String) throws -> Int32 {
    guard let path = options["from"] else { throw UsageError("Which file has the rows? Name it with --from.") }
    let done = try withFile(path) {
        try $0.restoreSpace(options["space"], address: address, replacing: options["replace"] != nil)
    }
    var text = "The space \"\(TerminalSafe.line(done.space))\" was given \(rows(done.given)) that it did not have."
    if done.replaced > 0 { text += " \(rows(done.replaced)) that it had otherwise became those of the file." }
    try printText(text + "\n")
    if done.different > 0 {
        printError(
            "\(rows(done.different)) of the file differ from those of the space, which stay as they are there. They may be newer: "
                + "--replace gives the file's, `yap server take --into \(path)` takes the server's.")
    }
    if done.tooLarge > 0 { printError("\(rows(done.tooLarge)) are too large for a space, and stay in the file.") }
    return done.isComplete ? ExitCode.good : ExitCode.failed
}

/// `yap server take`: has a file take what the server has.
func takeServerState(into options: ParsedOptions) throws -> Int32 {
    guard let path = options["into"] else { throw UsageError("Which file? Name it with --into.") }
    let copy = placeForCopy(of: path)
    try withFile(path) { try $0.takeServerState(copyingTo: copy) }
    try printText(
        "\(TerminalSafe.line(path)) takes what the server has when it follows next. What it had is in \(TerminalSafe.line(copy.path)).\n"
    )
    return ExitCode.good
}

/// `yap server detach`: makes the rows of a file its own.
func detach(_ options: ParsedOptions) throws -> Int32 {
    guard let path = options["from"] else { throw UsageError("Which file? Name it with --from.") }
    try withFile(path) { database in
        guard let space = try database.followedSpace else { throw Failure("\(path) follows no server.") }
        try database.detachFromServer()
        try printText(
            "\(TerminalSafe.line(path)) follows \(TerminalSafe.line(space.title)) no more. Its rows are its own.\n")
    }
    return ExitCode.good
}

func withFile<Value>(_ path: String, _ body: (YapDatabase) throws -> Value) throws -> Value {
    var found = stat()
    let isOnlyLog =
        stat(path, &found) == 0 && found.st_size == 0 && FileManager.default.fileExists(atPath: path + "-wal")
    // Throws for what is no file. SQLite would make a database of an empty one.
    if !isOnlyLog { _ = try EncryptedFile.hasPlainHeader(path) }
    var options = YapDatabaseOptions()
    options.postsNotifications = false
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    defer { try? database.close() }
    return try body(database)
}

/// Beside the file, under a name that is free.
private func placeForCopy(of path: String) -> URL {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd-HHmmss"
    let base = "\(path).before-\(format.string(from: Date()))"
    let names = [base] + (2...1_000).map { "\(base)-\($0)" }
    return URL(filePath: names.first { !FileManager.default.fileExists(atPath: $0) } ?? base)
}

private func rows(_ count: Int) -> String { "\(RowCount(count)) row\(count == 1 ? "" : "s")" }
