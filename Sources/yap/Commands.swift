import Foundation

/// All commands, in the order of the help.
@MainActor let commands: [Command] = [
    browseCommand, diffCommand, chatCommand, labCommand, checkCommand, repairCommand, serverCommand, exportCommand,
    importCommand, completionsCommand, helpCommand,
]

let version = "0.1.0"

@MainActor var generalHelp: String {
    let width = (commands.map(\.name.count) + environment.map(\.name.count)).max() ?? 0
    let list = commands.map { "  \($0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($0.summary)" }
    let variables = environment.map {
        "  \($0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($0.help)"
    }
    return """
        yap: live lists from a local database, in the terminal.

        Usage: yap COMMAND [OPTIONS]

        Commands:
        \(list.joined(separator: "\n"))

        `yap COMMAND --help` says more. `yap --version` names the version.

        Environment:
        \(variables.joined(separator: "\n"))

        """
}

/// The environment variables that the programs use.
let environment = [
    (name: "NO_COLOR", help: "If set and not empty, switches colours off."),
    (name: "YAP_MOTION", help: "The amount of animation: full, reduced or none; --motion overrides it."),
    (name: "YAP_OPEN", help: "The program that v of `yap browse` gives a value to; xdg-open if unset."),
    (
        name: "XDG_CONFIG_HOME",
        help: "The folder of yap/keys, which binds keys; ~/.config if unset. `yap chat --help` explains it."
    ),
    (name: "XDG_DATA_HOME", help: "The folder of yap/chat.sqlite and yap/demo.sqlite; ~/.local/share if unset."),
]

/// The files that the programs find by themselves.
let ownFiles = [
    (name: "~/.config/yap/keys", help: "Binds keys, in a section for each screen: [browse], [diff], [chat], [lab]."),
    (name: "~/.local/share/yap/chat.sqlite", help: "The chat of `yap chat` without --db."),
    (name: "~/.local/share/yap/demo.sqlite", help: "The same with simulated people, for --demo and --script."),
    (name: "~/.local/share/yap/chat-SPACE.sqlite", help: "The file of a chat that follows a space, for --server."),
]
