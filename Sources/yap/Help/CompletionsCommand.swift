import Foundation

@MainActor let completionsCommand = Command(
    name: "completions", usage: "SHELL", summary: "Prints what bash, zsh or fish need to complete yap's words.",
    details: """
        Completes commands, options, their values and files. For good, put one of these lines where it belongs:

          source <(yap completions bash)                                     # in ~/.bashrc
          source <(yap completions zsh)                                      # in ~/.zshrc, below compinit
          yap completions fish > ~/.config/fish/completions/yap.fish         # once
        """,
    options: []
) { options in
    guard let name = options.operands.first, options.operands.count == 1 else {
        throw UsageError("Which shell: \(Completions.Shell.words)?")
    }
    guard let shell = Completions.Shell(rawValue: name) else {
        throw UsageError("There are completions for \(Completions.Shell.words), not for \"\(name)\".")
    }
    try printText(Completions(commands: commands).script(for: shell))
    return ExitCode.good
}
