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

extension Completions {
    /// If the function finds nothing, `-o default` makes bash complete a path, with quotes.
    var bash: [String] {
        [
            "# Completes the words of yap in bash. Made by `yap completions bash`.",
            "_yap() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} words=",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        words=\"\(commands.map(\.name).joined(separator: " ")) --help --version\"",
            "    else",
            "        case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD - 1]}\" in",
        ] + commands.flatMap(bashValues) + [
            "        *)",
            "            case \"${COMP_WORDS[1]} $word\" in",
        ] + commands.map(bashOptions) + commands.flatMap(bashOperands) + [
            "            esac",
            "            ;;",
            "        esac",
            "    fi",
            "    if [ -n \"$words\" ]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"); fi",
            "}",
            "complete -o default -F _yap yap",
        ]
    }

    private func bashValues(_ command: Command) -> [String] {
        command.options.filter { $0.argument != nil }.map { option in
            let action = option.choices.isEmpty ? "return" : "words=\"\(option.choices.joined(separator: " "))\""
            return "        \"\(command.name) --\(option.name)\") \(action) ;;"
        }
    }

    private func bashOptions(_ command: Command) -> String {
        let names = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        return "            \"\(command.name) -\"*) words=\"\(names)\" ;;"
    }

    private func bashOperands(_ command: Command) -> [String] {
        if let words = operands(of: command) {
            return ["            \"\(command.name) \"*) words=\"\(words.joined(separator: " "))\" ;;"]
        }
        return optionsWithOperands(of: command).flatMap { option in
            [
                "            \"\(command.name) \"*)",
                "                case \" ${COMP_WORDS[*]} \" in *\" --\(option.name) \"*)",
                "                    words=\"\(option.choices.joined(separator: " "))\" ;;",
                "                esac",
                "                ;;",
            ]
        }
    }
}

extension Completions {
    var fish: [String] {
        ["# Completes the words of yap in fish. Made by `yap completions fish`."]
            + commands.map {
                "complete -c yap -n __fish_use_subcommand -f -a \($0.name) -d \(quoted($0.summary))"
            }
            + commands.flatMap { command in
                let condition = "complete -c yap -n \(quoted("__fish_seen_subcommand_from \(command.name)"))"
                let words = operands(of: command).map { "\(condition) -f -a \(quoted($0.joined(separator: " ")))" }
                let beside = optionsWithOperands(of: command).map { option in
                    let isGiven = "__fish_seen_subcommand_from \(command.name); and __fish_contains_opt \(option.name)"
                    return
                        "complete -c yap -n \(quoted(isGiven)) -f -a \(quoted(option.choices.joined(separator: " ")))"
                }
                return (words.map { [$0] } ?? []) + beside
                    + command.allOptions.map {
                        "\(condition) -l \($0.name)\(fishValues(of: $0)) -d \(quoted($0.help))"
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

extension Completions {
    /// Works when sourced, and as a file `_yap` in `fpath`.
    var zsh: [String] {
        [
            "#compdef yap",
            "# Completes the words of yap in zsh. Made by `yap completions zsh`.",
            "_yap() {",
            "    local -a commands",
            "    commands=(",
        ] + commands.map { "        \(quoted("\($0.name):\($0.summary)"))" } + [
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
            return "            \(quoted("--\(option.name)[\(help)]\(argument)"))"
        }
        let words = operands(of: command).map { "(\($0.joined(separator: " ")))" } ?? zshOperands(of: command)
        return ["    \(command.name))", "        _arguments \\"] + specifications.map { $0 + " \\" }
            + ["            '*:what:\(words)'", "        ;;"]
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

    private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
