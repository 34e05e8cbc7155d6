import ChatRoster
import Foundation
import TableModel
import TerminalScreen

@MainActor let chatCommand = Command(
    name: "chat", usage: "[OPTIONS]", summary: "A chat roster and conversation, live between processes.",
    details: """
        A roster at the left, the conversation with the selected buddy at the right. Buddies come and go, answer and
        delete messages; every change is a commit to a database, and the animation on screen is its change-set.
        Write a line and press Enter; Tab moves between the panes; ? shows all keys.

        Everything is stored in the file. Two terminals may show the same one:

          yap chat --db /tmp/chat.sqlite
          yap chat --db /tmp/chat.sqlite --script none

        \(KeyFile.help(screen: "chat", ChatKeys.standard.maps))
        """,
    options: [
        Option(name: "db", argument: "FILE", help: "The database; by default one in your data folder."),
        Option(
            name: "script", argument: "NAME", choices: ChatOptions.ScriptName.allCases.map(\.rawValue),
            help: "What simulated buddies do: demo (the default) or none."),
        Option(name: "seed", argument: "N", help: "The same seed makes the buddies do the same things."),
        .motion, .unicode,
    ]
) { options in
    try options.refuseOperands()
    let script: ChatOptions.ScriptName = try options.choice("script") ?? .demo
    let keys = try KeyFile.read()
    // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
    Terminal.blockSignals()
    return try runChat(
        ChatOptions(
            url: try options.database() ?? ChatOptions.defaultURL,
            seed: try options.seed(), script: script,
            motion: try options.motion(), unicode: try options.choice("unicode") ?? Terminal.unicode,
            keys: keys))
}
