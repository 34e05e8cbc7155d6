import Foundation

/// Every face of `yap`, in the order of the help.
@MainActor let commands = [chatCommand, labCommand, checkCommand]

let version = "0.1.0"

@MainActor var generalHelp: String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  \($0.name.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($0.summary)" }
    return """
        yap: live lists from a local database, in the terminal.

        Usage: yap COMMAND [OPTIONS]

        Commands:
        \(list.joined(separator: "\n"))

        `yap COMMAND --help` says more. `yap --version` names the version.

        Environment: NO_COLOR switches colours off; YAP_MOTION=full|reduced|none sets how much moves.

        """
}
