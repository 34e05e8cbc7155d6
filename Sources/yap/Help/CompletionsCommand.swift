import Foundation

@MainActor let completionsCommand = Command(
    name: "completions", usage: "SHELL", summary: "Prints a script that completes yap's words in bash, zsh or fish.",
    details: """
        Completes commands, options, their values and files. To install it, use one of these lines:

          source <(yap completions bash)                                     # in ~/.bashrc
          source <(yap completions zsh)                                      # in ~/.zshrc, below compinit
          yap completions fish > ~/.config/fish/completions/yap.fish         # once
        """,
    options: [], opensFiles: false
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
