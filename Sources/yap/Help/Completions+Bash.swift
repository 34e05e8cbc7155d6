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
