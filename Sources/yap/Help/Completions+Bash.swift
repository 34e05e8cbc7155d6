extension Completions {
    /// If the function finds nothing, `-o default` makes bash complete a path, with quotes. In `--motion=full`, bash sees three words.
    var bash: [String] {
        [
            "# Completes the words of yap in bash. Made by `yap completions bash`.",
            "_yap() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=",
            "    COMPREPLY=()",
            "    if [ \"$word\" = = ]; then word=",
            "    elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}",
            "    fi",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        words=\"\((commands.map(\.name) + Self.alone.map { "--" + $0.name }).joined(separator: " "))\"",
            "    else",
            "        case \"${COMP_WORDS[1]} $before\" in",
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
            let noWords = option.takesPath ? "return" : "compopt +o default 2> /dev/null; return"
            let action = option.choices.isEmpty ? noWords : "words=\"\(option.choices.joined(separator: " "))\""
            return "        \"\(command.name) --\(option.name)\") \(action) ;;"
        }
    }

    private func bashOptions(_ command: Command) -> String {
        let names = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        return "            \"\(command.name) -\"*) words=\"\(names)\" ;;"
    }

    private func bashOperands(_ command: Command) -> [String] {
        let words = words(of: command)
        if !words.isEmpty {
            let given = words.map { "*\" \($0) \"*" }.joined(separator: "|")
            return bashCase(command, "${COMP_WORDS[*]:2:COMP_CWORD-2}", [(given, []), ("*", words)])
        }
        return optionsWithOperands(of: command).flatMap { option in
            bashCase(command, "${COMP_WORDS[*]}", [("*\" --\(option.name) \"*", option.choices)])
        }
    }

    /// The words for an operand, by the other words of the line.
    private func bashCase(_ command: Command, _ line: String, _ cases: [(pattern: String, words: [String])]) -> [String]
    {
        ["            \"\(command.name) \"*)", "                case \" \(line) \" in"]
            + cases.map { "                    \($0.pattern)) words=\"\($0.words.joined(separator: " "))\" ;;" }
            + ["                esac", "                ;;"]
    }
}
