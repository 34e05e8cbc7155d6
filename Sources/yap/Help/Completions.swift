/// Scripts that complete the words of every command in a shell, made from the same descriptions as the help.
struct Completions {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    let commands: [Command]

    func script(for shell: Shell) -> String {
        let lines =
            switch shell {
            case .bash: bash
            case .zsh: zsh
            case .fish: fish
            }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the options of a command that determine which words may follow.
    func optionsWithOperands(of command: Command) -> [Option] {
        command.options.filter { $0.argument == nil && !$0.choices.isEmpty }
    }

    /// Returns the words of which a command takes one before anything else; none for files.
    func words(of command: Command) -> [String] {
        switch command.name {
        case "help": commands.map(\.name)
        case "completions": Shell.allCases.map(\.rawValue)
        case "server": ServerAction.allCases.map(\.rawValue)
        case "chat": chatWords
        default: []
        }
    }

    /// The options that stand in place of a command.
    static let alone = [
        (name: "help", help: "Explains yap and lists its commands."), (name: "version", help: "Prints the version."),
    ]
}

extension Option {
    var takesPath: Bool { argument == "FILE" || argument == "DIR" }
}
