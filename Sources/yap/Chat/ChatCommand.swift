import CMalloc
import ChatRoster
import Foundation
import NearestName
import TableModel
import TerminalScreen
import YapDatabaseServer

@MainActor let chatCommand = Command(
    name: "chat", usage: "[OPTIONS] [export [-]|import FILE]",
    summary: "A chat between people, live between processes.",
    details: """
        People run it on the same file, each in a terminal of their own. Who has run it on a file is on the roster of all
        others. Write a line and press Enter; F1 shows all keys and commands.

          yap chat --db /tmp/chat.sqlite --as alice
          yap chat --db /tmp/chat.sqlite --as bob --with alice

        If they have accounts of their own, the file must be one of a group that all of them are in (`id` lists them). Agree
        on a path for it; everyone may give --group, and the first one makes the folder and the file. For a group named office:

          yap chat --db /tmp/office/chat.sqlite --group office

        Without --db, the file is in your data folder and yours alone: others who run `yap chat` are in files of their own.

        Everything is stored in the file: messages, how far each one has read, drafts, and the name that you had in it. A
        conversation is one of two people, a room (/join #tea) or a note to yourself. ✓ is stored, ✓✓ is read by all. A
        message that cannot be stored stays above the line, with the reason. It is kept if the chat ends, and sent by itself
        when that is possible; Alt-R tries it now, Alt-X takes it back into the line.

        Who may open the file can read all of it, also what others say to each other in private. On a server,
        `yap server protect` ties names to roles and sends what two people say to these two alone.

        --demo brings simulated people, who answer. --script FILE plays people of your own beside the real ones. Without --db
        both are in a file of their own, demo.sqlite beside yours. A line of a script is seconds after the line before,
        who, where, and what:

          1.5 bob #tea Hello, all.
          0.5 bob @alice You too.
          2   bob away lunch

        With --server the chat is on several hosts: each has a file of its own that follows a space of a PostgreSQL server.
        Without the server it can be read and searched, and what is written waits.

          yap server init --space chat postgres://owner@db.example.com/yap
          yap chat --server postgres://alice@db.example.com/yap --as alice

        export writes the conversation of --with, oldest message first; other programs read it as JSON. Without --with it
        writes everything that the chats of the file share, as JSON, and import reads that into another file or a space: so
        a chat moves to a server. What is there already stays. Without a screen, --headless takes part for some seconds, and
        prints what it has stored and measured.

          yap chat export --with '#tea' --json
          yap chat export > chat.json
          yap chat import chat.json --server postgres://alice@db.example.com/yap
          yap chat --headless --seconds 60 --as carol --with '#tea' --rate 5

        \(KeyFile.help(screen: "chat", ChatKeys.standard.maps))
        """,
    options: [
        Option(
            name: "db", argument: "FILE",
            help: "The database; by default chat.sqlite in your data folder, or demo.sqlite for simulated people."),
        Option(
            name: "as", argument: "NAME",
            help: "Who you are: your user name, or the last name that you had in the file."),
        Option(name: "with", argument: "NAME", help: "The person or the #room to open."),
        Option(
            name: "group", argument: "NAME",
            help: "The group of users that a new file, and its new folder, are made for."),
        Option(name: "server", argument: "URI", help: "The server whose space the chat's file follows."),
        Option(name: "space", argument: "NAME", help: "With --server: the space; chat if not given."),
        Option(name: "demo", help: "Brings simulated people, into a file of their own unless --db names one."),
        Option(name: "script", argument: "FILE", help: "People who do what the file says; demo is the same as --demo."),
        Option(name: "speed", argument: "N", help: "How many times as quick as usual a script is."),
        Option(name: "seed", argument: "N", help: "The same seed makes the people of the demo do the same things."),
        Option(name: "headless", help: "Takes part without a screen, and prints figures."),
        Option(name: "seconds", argument: "N", help: "With --headless: how long; 10 if not given."),
        Option(
            name: "rate", argument: "N",
            help: "With --headless: how many messages it writes in a second; 0 if not given."),
        Option(name: "json", help: "With export: a line of JSON for each message."),
        .motion, .unicode,
    ]
) { options in
    let isImport = options.operands.first == "import"
    try checkOperands(options.operands)
    let traffic = try traffic(options)
    // What is played has no place among the messages of the user.
    let url = traffic == .none ? ChatOptions.defaultURL : ChatOptions.demoURL
    var chat = ChatOptions(
        url: try options.database()?.absoluteURL ?? url, seed: try options.seed(),
        motion: try options.motion(),
        unicode: try options.choice("unicode") ?? Terminal.unicode, keys: try KeyFile.read())
    if options["server"] != nil, traffic == .demo {
        throw UsageError(
            "--demo and --server exclude each other: all who use the space would have the simulated people.")
    }
    if let address = options["server"] { try follow(address, space: options["space"] ?? "chat", options, &chat) }
    chat.group = options["group"]
    if let group = chat.group, options["db"] == nil {
        throw UsageError(
            "--group needs --db: what is in your data folder is yours alone. For example: --db /tmp/\(group)/chat.sqlite"
        )
    }
    chat.name = options["as"]
    chat.other = options["with"]
    chat.traffic = traffic
    chat.speed = try options.decimal("speed", atLeast: 0.001) ?? 1
    if isImport { return try importMessages(from: options.operands[1], chat) }
    if !options.operands.isEmpty {
        let leftOut = try StandardOutput.whole { output in
            func print(_ line: String) throws { try output.write(Array((line + "\n").utf8)) }
            if chat.other == nil { return try exportWholeChat(chat, print: print) }
            return try exportChat(chat, asJSON: options["json"] != nil, print: print)
        }
        if let leftOut { printError(leftOut) }
        return leftOut == nil ? ExitCode.good : ExitCode.partial
    }
    keepOneHeap()
    if options["headless"] != nil {
        let seconds = try options.decimal("seconds", atLeast: 0) ?? 10
        let rate = try options.decimal("rate", atLeast: 0) ?? 0
        try namingRole(chat) { try runHeadlessChat(chat, seconds: seconds, rate: rate) { try printText($0 + "\n") } }
        return ExitCode.good
    }
    // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
    Terminal.blockSignals()
    do {
        return try namingRole(chat) { try runChat(chat) }
    } catch let error as UnsentMessages {
        for line in error.lines { printError(line) }
        return ExitCode.failed
    }
}

/// What `yap chat` does besides the chat itself.
let chatWords = ["export", "import"]

/// - Throws: ``UsageError`` that names the operand which is wrong.
private func checkOperands(_ operands: [String]) throws {
    switch operands.first {
    case nil: return
    // Standard output is where an export goes in any case.
    case "export":
        guard let other = operands.dropFirst().first(where: { $0 != "-" }) else { return }
        throw UsageError(
            "\"\(other)\" is not expected here: export writes to standard output, as in yap chat export > chat.json.")
    case "import":
        guard operands.count < 2 else {
            if operands.count > 2 { throw UsageError("One file at a time.") }
            return
        }
        throw UsageError("Which file? - is standard input.")
    case let operand?:
        let question = didYouMean(insteadOf: operand, in: chatWords)
        throw UsageError("\"\(operand)\" is not expected here." + (question.map { " " + $0 } ?? ""))
    }
}

private func importMessages(from path: String, _ chat: ChatOptions) throws -> Int32 {
    let name = path == "-" ? "/dev/stdin" : path
    guard let file = fopen(name, "re") else { throw Failure.ofSystem("\(path) cannot be read") }
    defer { fclose(file) }
    let added = try importChat(chat) { limit in
        var line: [UInt8] = []
        while line.count < limit {
            let byte = getc_unlocked(file)
            if byte == Int32(UInt8(ascii: "\n")) { return line }
            if byte != EOF {
                line.append(UInt8(byte))
            } else if ferror(file) != 0 {
                throw Failure.ofSystem("\(path) cannot be read")
            } else {
                return line.isEmpty ? nil : line
            }
        }
        return line
    }
    try printText("\(added) message\(added == 1 ? " was" : "s were") added.\n")
    return ExitCode.good
}

/// A chat stays open for days. With a heap for each thread, which is glibc's way, its memory grows as long as messages come: by 8 % in
/// ten minutes of `./run soak`, where it is 3 % with one.
private func keepOneHeap() { mallopt(M_ARENA_MAX, 1) }

/// Has the chat's file follow a space; without --db it is one of that space.
@MainActor private func follow(
    _ address: String, space: String, _ options: ParsedOptions, _ chat: inout ChatOptions
) throws {
    try refusePassword(in: address)
    if options["db"] == nil {
        let name = "chat-\(space.filter { $0.isLetter || $0.isNumber || $0 == "-" }).sqlite"
        chat.url = chat.url.deletingLastPathComponent().appending(path: name)
    }
    chat.invitation = ChatOptions.invitation(toServer: address, space: space)
    var server = YapDatabaseServerOptions(address: address, space: space)
    server.collections = .allExcept(ChatOptions.localCollections)
    server.timeout = .seconds(10)
    chat.space = "the space \"\(space)\" of the server \(address)"
    chat.open = { [server] in try YapDatabase.open(url: $0, server: server, options: $1) }
    chat.privacy = "All who may read the space can read this, unless `yap server protect` protects it."
    chat.isRefusal = { ($0 as? YapDatabaseServerError)?.code == .refusedByRule }
    chat.serverTime = { $0.server?.time }
    chat.serverDelay = { database in
        guard let state = database.server?.state else { return nil }
        return switch state {
        case .live: database.server?.reasonOfWaiting.map { ServerDelay("sending waits", reason: $0, mayWrite: true) }
        case .connecting, .catchingUp: ServerDelay("\(state)", reason: "\(state)", mayWrite: true)
        case .offline(let since, let nextTry, _):
            ServerDelay(
                nextTry == nil ? "no answer" : "offline", reason: "\(state)", mayWrite: false, since: since,
                nextTry: nextTry)
        case .refused: ServerDelay("refused", reason: "\(state)", mayWrite: false)
        }
    }
}

/// Says in the words of the chat what a server refuses that knows another person by this role.
private func namingRole<Value>(_ chat: ChatOptions, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as YapDatabaseServerError where error.code == .refusedByRule {
        guard let role = error.message.firstMatch(of: /the role (\S+) may not/)?.1 else { throw error }
        let name = chat.name ?? NSUserName()
        throw Failure(
            "\(name) is not a name of the role \(role), and the role \(role) may not write as another person. Take --as with a name of the role; "
                + "`yap server status` lists them.")
    }
}

private func traffic(_ options: ParsedOptions) throws -> ChatOptions.Traffic {
    guard let script = options["script"], script != "demo" else {
        return options["demo"] != nil || options["script"] != nil ? .demo : .none
    }
    if options["demo"] != nil { throw UsageError("--demo and --script exclude each other.") }
    do {
        return .script(try SmallFile.text(script, limit: 16 << 20, kind: "script"))
    } catch let error as POSIXError where error.code == .ENOENT {
        throw Failure("There is no script \(script).")
    }
}

extension ParsedOptions {
    /// Returns the argument of an option as a number that may have a fraction.
    fileprivate func decimal(_ name: String, atLeast least: Double) throws -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = Double(text), number.isFinite, number >= least, number <= 1e9 else {
            let range = least == 0 ? "0 or more" : "\(least) or more"
            throw UsageError("--\(name) takes a number, \(range), not \"\(text)\".")
        }
        return number
    }
}
