extension Completions {
    /// Works when sourced, and as a file `_yap` in `fpath`.
    var zsh: [String] {
        [
            "#compdef yap",
            "# Completes the words of yap in zsh. Made by `yap completions zsh`.",
            "_yap() {",
            "    local -a commands",
            "    commands=(",
        ] + commands.map { "        \(quoted("\($0.name):\($0.summary)"))" }
            + Self.alone.map { "        \(quoted("--\($0.name):\($0.help)"))" } + [
                "    )",
                "    if (( CURRENT == 2 )); then",
                "        _describe command commands",
                "        return",
                "    fi",
                "    shift words",
                "    (( CURRENT-- ))",
                "    case $words[1] in",
            ] + commands.flatMap(zshCase) + [
                "    esac",
                "}",
                "if [[ $funcstack[1] == _yap ]]; then _yap \"$@\"; else compdef _yap yap; fi",
            ]
    }

    private func zshCase(_ command: Command) -> [String] {
        let specifications = command.allOptions.map { option in
            let argument = option.argument.map { ":\($0):\(zshValues(of: option))" } ?? ""
            let help = option.help.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
            let specification = quoted("[\(help)]\(argument)")
            // With the sign, the argument may be in the same word.
            let name = "--\(option.name)\(option.argument == nil ? "" : "=")"
            return "            " + (option.letter.map { "{-\($0),\(name)}" } ?? name) + specification
        }
        let words = words(of: command)
        let first = words.isEmpty ? [] : ["            '1:what:(\(words.joined(separator: " ")))' \\"]
        return ["    \(command.name))", "        _arguments \\"] + specifications.map { $0 + " \\" } + first
            + ["            '*:file:\(zshOperands(of: command))'", "        ;;"]
    }

    private func zshOperands(of command: Command) -> String {
        guard let option = optionsWithOperands(of: command).first else { return "_files" }
        let words = option.choices.joined(separator: " ")
        return "{ if (( $words[(I)--\(option.name)] )); then compadd - \(words); else _files; fi }"
    }

    private func zshValues(of option: Option) -> String {
        if !option.choices.isEmpty { return "(\(option.choices.joined(separator: " ")))" }
        return option.takesPath ? "_files" : " "
    }

    private func quoted(_ text: String) -> String { text.shellQuoted }
}
