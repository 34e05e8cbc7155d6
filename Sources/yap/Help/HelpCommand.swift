@MainActor let helpCommand = Command(
    name: "help", usage: "[COMMAND | --man]", summary: "Explains a command, or prints the whole manual.",
    details: """
        Without a command it lists them all. The manual page is for `man`:

          yap help browse
          yap help --man > yap.1 && man ./yap.1
        """,
    options: [Option(name: "man", help: "Prints the manual page, in the format of man.")], opensFiles: false
) { options in
    if options["man"] != nil {
        try options.refuseOperands()
        try printText(ManualPage(commands: commands).text)
        return ExitCode.good
    }
    guard let name = options.operands.first else {
        try printText(generalHelp)
        return ExitCode.good
    }
    guard options.operands.count == 1 else { throw UsageError("One command at a time.") }
    guard let command = commands.first(where: { $0.name == name }) else {
        throw UsageError("There is no command \"\(name)\".")
    }
    try printText(command.help)
    return ExitCode.good
}
