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

    /// Returns the operands that a command takes; nil for files.
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
