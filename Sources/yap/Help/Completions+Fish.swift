extension Completions {
    var fish: [String] {
        ["# Completes the words of yap in fish. Made by `yap completions fish`."]
            + commands.map {
                "complete -c yap -n __fish_use_subcommand -f -a \($0.name) -d \(quoted($0.summary))"
            }
            + Self.alone.map { "complete -c yap -n __fish_use_subcommand -l \($0.name) -d \(quoted($0.help))" }
            + commands.flatMap { command in
                let condition = "complete -c yap -n \(quoted("__fish_seen_subcommand_from \(command.name)"))"
                let words = words(of: command).joined(separator: " ")
                // The word for the command is among those that follow `help`.
                let given = self.words(of: command).filter { $0 != command.name }.joined(separator: " ")
                let isFirst =
                    "__fish_seen_subcommand_from \(command.name); and not __fish_seen_subcommand_from \(given)"
                let first = "complete -c yap -n \(quoted(isFirst)) -f -a \(quoted(words))"
                let beside = optionsWithOperands(of: command).map { option in
                    let isGiven = "__fish_seen_subcommand_from \(command.name); and __fish_contains_opt \(option.name)"
                    return
                        "complete -c yap -n \(quoted(isGiven)) -f -a \(quoted(option.choices.joined(separator: " ")))"
                }
                return (words.isEmpty ? [] : [first]) + beside
                    + command.allOptions.map {
                        let letter = $0.letter.map { " -s \($0)" } ?? ""
                        return "\(condition)\(letter) -l \($0.name)\(fishValues(of: $0)) -d \(quoted($0.help))"
                    }
            }
    }

    private func fishValues(of option: Option) -> String {
        guard option.argument != nil else { return "" }
        if !option.choices.isEmpty { return " -x -a \(quoted(option.choices.joined(separator: " ")))" }
        return option.takesPath ? " -r -F" : " -x"
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
