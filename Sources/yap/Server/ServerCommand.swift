import FileReading
import Foundation
import YapDatabaseServer

@MainActor let serverCommand = Command(
    name: "server", usage: "init|status|grant|revoke|protect|purge|rows|restore|take|detach [OPTIONS] [URI]",
    summary: "Makes a PostgreSQL server ready for databases that follow it, and looks after it.",
    details: """
        A database that follows a space on a server has the same rows on every host: it reads from its own file, and the
        server confirms each write. URI is libpq's connection string, postgres://user@host:port/database or "host=…
        dbname=…"; the server is PostgreSQL 13 or newer. Every step may be repeated.

        init makes what is missing: tables, rights, functions, and the space that --space names. status lists the
        spaces: their rows, rights, and the files that follow; of a FILE in place of URI it says which space that
        follows, and what waits for the server. grant lets --role read --space, with --write also write it; --collection
        limits that to one collection. revoke takes the right; what a host has copied stays there until it connects
        again. purge forgets removed rows after --days; a file that was away longer is compared with the whole space
        when it comes back.

          yap server init --space team postgres://owner@db.example.com/yap
          yap server grant --space team --role alice --write postgres://owner@db.example.com/yap

        protect has the server check who writes and reads each message of the chat in --space: what is written as NAME
        is accepted only from the role that --as has given the name, and what two people say, and notes, are sent to
        their hosts alone. --rules has it check the rules of another app, a list in JSON; --off ends it.

          yap server grant --space chat --role alice --write --as alice postgres://owner@db.example.com/yap
          yap server protect --space chat postgres://owner@db.example.com/yap

        rows lists the rows of --space that no file can take, which stay out of every file; with --remove it removes
        them. With --collection and --key it shows or removes this one row, such as one that an app cannot decode.

        A file keeps its rows and says "refused" if its space is another one of the same name, or has lost commits:
        after the loss of a server, the files of the hosts may be its last copies. restore gives the space the rows of
        the file --from that it lacks; with --replace also those that it has otherwise. take has the file --into take
        what the server has, after a copy of the file was made beside it.

          yap server restore --from app.sqlite postgres://alice@db.example.com/yap
          yap server take --into app.sqlite

        A file that follows a space cannot be written without its server: what it alone had would be lost when it
        follows again. detach makes the rows of the file --from its own for good, so that it follows no space.

        A password belongs into ~/.pgpass or a service file: arguments of programs can be read by others.
        """,
    options: [
        Option(name: "space", argument: "NAME", help: "The space."),
        Option(name: "role", argument: "NAME", help: "The role that gets or loses a right."),
        Option(name: "collection", argument: "NAME", help: "One collection; without it the right is for all."),
        Option(name: "write", help: "The right is also to write."),
        Option(
            name: "as", argument: "NAME",
            help: "With grant: a name that becomes the role's. With revoke: takes this name alone."),
        Option(
            name: "rules", argument: "FILE", help: "With protect: the rules of an app; those of the chat if not given."),
        Option(name: "off", help: "With protect: removes all rules."),
        Option(name: "days", argument: "NUMBER", help: "The age of removed rows that are forgotten; 30 if not given."),
        Option(name: "key", argument: "KEY", help: "With rows and --collection: this row."),
        Option(name: "remove", help: "With rows: removes them from the space, and so from every host."),
        Option(
            name: "from", argument: "FILE", help: "With restore: the file that has the rows. With detach: the file."),
        Option(name: "replace", help: "With restore: rows that the space has otherwise become those of the file."),
        Option(name: "into", argument: "FILE", help: "With take: the file that takes what the server has."),
        Option(name: "json", help: "Prints the status, or the rows, as JSON."),
    ]
) { options in
    guard let action = options.operands.first.flatMap(ServerAction.init(rawValue:)) else {
        throw UsageError(
            "What is to be done is one of \(ServerAction.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    try refuseUnused(options, by: action)
    for name in ["space", "role", "as"] where options[name]?.isEmpty == true {
        throw UsageError("--\(name) takes a name, and this one is empty.")
    }
    if action == .take || action == .detach {
        guard options.operands.count == 1 else {
            throw UsageError("\(action.rawValue) asks no server: the file says which it follows.")
        }
        return action == .take ? try takeServerState(into: options) : try detach(options)
    }
    guard options.operands.count == 2 else {
        throw UsageError(options.operands.count < 2 ? "Which server?" : "One server at a time.")
    }
    let address = options.operands[1]
    // Every connection string has one of these.
    let isAddress = address.isEmpty || address.contains("=") || address.contains("://")
    if action == .status, !isAddress || FileManager.default.fileExists(atPath: address) {
        let status = try withFile(address) { try FileStatus(address, $0) }
        try printText(options["json"] != nil ? status.json() : status.text)
        return ExitCode.good
    }
    try refusePassword(in: address)
    if action == .restore { return try restoreSpace(from: options, address: address) }
    let space = options["space"]
    if action.needsSpace, space == nil { throw UsageError("Which space? Name it with --space.") }
    let role = options["role"]
    let needsRole = action == .grant || action == .revoke && options["as"] == nil
    if needsRole, role == nil { throw UsageError("Which role? Name it with --role.") }
    let days = try options.number("days") ?? 30
    guard days <= 36_500 else { throw UsageError("--days takes at most 36500.") }
    let server = try YapDatabaseServerAdministration(address: address)
    switch action {
    case .`init`:
        for lack in try server.prepare(space: space) { printError(lack) }
        try printText(space.map { "The space \"\(TerminalSafe.line($0))\" is ready.\n" } ?? "The server is ready.\n")
    case .status: try printText(statusText(try server.spaces(), asJSON: options["json"] != nil))
    case .grant:
        try server.grant(
            role: role ?? "", space: space ?? "", collection: options["collection"], canWrite: options["write"] != nil)
        if let name = options["as"] { try server.setName(name, ofRole: role, space: space ?? "") }
    case .revoke where options["as"] != nil: try server.setName(options["as"] ?? "", ofRole: nil, space: space ?? "")
    case .protect: try protect(space ?? "", server, options)
    case .revoke: try server.revoke(role: role ?? "", space: space ?? "", collection: options["collection"])
    case .rows: return try showRows(of: space ?? "", server, options)
    case .restore, .take, .detach: break
    case .purge:
        let count = try server.purge(space: space ?? "", olderThan: .seconds(Int64(days) * 86_400))
        try printText("\(RowCount(count)) removed row\(count == 1 ? " was" : "s were") forgotten.\n")
    }
    return ExitCode.good
}

/// What `yap server` does, by the word that says so.
enum ServerAction: String, CaseIterable {
    case `init`, status, grant, revoke, protect, purge, rows, restore, take, detach

    var needsSpace: Bool { self == .grant || self == .revoke || self == .purge || self == .rows || self == .protect }

    var options: Set<String> {
        switch self {
        case .`init`: ["space"]
        case .status: ["json"]
        case .grant: ["space", "role", "collection", "write", "as"]
        case .revoke: ["space", "role", "collection", "as"]
        case .protect: ["space", "rules", "off"]
        case .purge: ["space", "days"]
        case .rows: ["space", "collection", "key", "remove", "json"]
        case .restore: ["space", "from", "replace"]
        case .take: ["into"]
        case .detach: ["from"]
        }
    }
}

private func refuseUnused(_ options: ParsedOptions, by action: ServerAction) throws {
    if let extra = options.values.keys.sorted().first(where: { !action.options.contains($0) }) {
        throw UsageError("`yap server \(action.rawValue)` takes no --\(extra).")
    }
}
