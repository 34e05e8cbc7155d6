import Browser
import FileReading
import Foundation
import TerminalScreen
import YapDatabaseServer

/// Shows a space by a temporary file that follows it.
@MainActor func browseSpace(_ space: String, address: String, _ options: ParsedOptions) throws -> Int32 {
    try refusePassword(in: address)
    let onScreen = BrowseOnScreen.isWanted(options)
    var rest = options
    rest.values["space"] = nil
    let request = onScreen ? nil : try BrowseRequest(rest)
    // Signals must be blocked before the first thread starts.
    if onScreen { Terminal.blockSignals() }
    return try withSpaceFile(space, address: address, onScreen: onScreen) { path in
        guard let request else { return try BrowseOnScreen.run(rest, path: path) }
        return try printFile(path, request)
    }
}

/// Runs a body with a temporary file that follows a space, once it has the newest state. A signal that ends the program removes the file first; on
/// a screen, signals come as events.
@MainActor func withSpaceFile<Value>(
    _ space: String, address: String, onScreen: Bool, _ body: (String) throws -> Value
) throws -> Value {
    func url(_ folder: URL) -> URL { folder.appending(path: "space.sqlite") }
    return try withTemporaryFolder(
        "yap-space", files: { FileImport.names(url($0).path) + [url($0).path + "-server"] }, onScreen: onScreen
    ) { folder in
        let url = url(folder)
        var fileOptions = YapDatabaseOptions()
        fileOptions.pragmaSynchronous = .off
        let database = try YapDatabase.open(
            url: url, server: YapDatabaseServerOptions(address: address, space: space), options: fileOptions)
        defer { try? database.close() }
        try waitUntilLive(database)
        return try body(url.path)
    }
}

/// - Throws: ``Failure`` with the state's reason.
private func waitUntilLive(_ database: YapDatabase) throws {
    let line = StatusLine()
    defer { line.clear() }
    while let state = database.server?.state, !state.isLive {
        switch state {
        case .offline(_, _, let reason), .refused(let reason): throw Failure(reason)
        default: line.show("\(state) …")
        }
        usleep(20_000)
    }
}

/// - Throws: ``UsageError`` if others could read the password in the list of processes.
func refusePassword(in address: String) throws {
    guard YapDatabaseServerAdministration.hasPassword(address: address) else { return }
    throw UsageError(
        "The address has a password in it, which others can read in the list of processes: put it into ~/.pgpass or a service file."
    )
}
