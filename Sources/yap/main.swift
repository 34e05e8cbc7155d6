import Foundation

exit(run(Array(CommandLine.arguments.dropFirst())))

@MainActor private func run(_ arguments: [String]) -> Int32 {
    guard let name = arguments.first else {
        print(generalHelp, terminator: "")
        return ExitCode.usage
    }
    switch name {
    case "--help", "-h":
        print(generalHelp, terminator: "")
        return ExitCode.good
    case "--version":
        print("yap \(version)")
        return ExitCode.good
    default: break
    }
    guard let command = commands.first(where: { $0.name == name }) else {
        printError("There is no command \"\(name)\". `yap --help` lists them.")
        return ExitCode.usage
    }
    return run(command, Array(arguments.dropFirst()))
}

@MainActor private func run(_ command: Command, _ arguments: [String]) -> Int32 {
    let version = Option(name: "version", help: "")
    do {
        let options = try parseOptions(arguments, command.allOptions + [version])
        if options["help"] != nil {
            print(command.help, terminator: "")
            return ExitCode.good
        }
        if options["version"] != nil { return run(["--version"]) }
        return try command.run(options)
    } catch let error as UsageError {
        printError("\(error) `yap \(command.name) --help` lists what there is.")
        return ExitCode.usage
    } catch {
        printError("\(error)")
        return ExitCode.failed
    }
}
