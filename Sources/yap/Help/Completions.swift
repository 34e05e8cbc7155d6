/// Scripts that tell a shell the words of every command, made from the same descriptions as the help.
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

    /// The options of a command that say which words follow it.
    func optionsWithOperands(of command: Command) -> [Option] {
        command.options.filter { $0.argument == nil && !$0.choices.isEmpty }
    }

    /// What follows a command without being an option; nil for files.
    func operands(of command: Command) -> [String]? {
        switch command.name {
        case "help": commands.map(\.name)
        case "completions": Shell.allCases.map(\.rawValue)
        default: nil
        }
    }
}

extension Option {
    var takesPath: Bool { argument == "FILE" || argument == "DIR" }
}
