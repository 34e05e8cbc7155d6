import ChatRoster
import Foundation
import NearestName
import TerminalScreen
import YapDatabase

reserveStandardDescriptors()
// A command says itself what a person should know of a file.
YapDatabase.setLogHandler(nil)
keepPlausibleLocales()
allowDescriptors()
explainCutFiles()
allowSignals()
// Exceeding a file-size limit of the shell is then an error that can be reported.
signal(SIGXFSZ, SIG_IGN)
exit(flushed(run(Array(CommandLine.arguments.dropFirst()))))

/// An argument that Swift does not give as it was written, because its bytes are no UTF-8; nil if there is none.
private func changedArgument() -> String? {
    zip(CommandLine.arguments, 0...).first { argument, place in
        guard let written = CommandLine.unsafeArgv[place] else { return false }
        return strcmp(written, argument) != 0
    }?.0
}

/// Checks that the output was written.
private func flushed(_ code: Int32) -> Int32 {
    guard fflush(nil) != 0 else { return code }
    printError("\(Failure.ofSystem("Standard output cannot be written"))")
    return code == ExitCode.good ? ExitCode.failed : code
}

@MainActor private func run(_ arguments: [String]) -> Int32 {
    if let name = changedArgument() {
        printError(
            "The argument \"\(name)\" is not UTF-8, and would be read as another one. Rename such a file, or make a link to it."
        )
        return ExitCode.usage
    }
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
        printError("There is no command \"\(name)\". \(advice(for: name) ?? "`yap --help` lists them.")")
        return ExitCode.usage
    }
    return run(command, Array(arguments.dropFirst()))
}

/// Returns what may be meant by a word that is no command; nil if nothing is like it.
@MainActor private func advice(for word: String) -> String? {
    let others = ["version": "--version", "-V": "--version", "-v": "--version", "-?": "--help"]
    if let option = others[word] { return didYouMean("yap \(option)") }
    if let question = didYouMean(insteadOf: word, in: ["--version", "--help"], as: { "yap \($0)" }) { return question }
    // A file may have a name that is like that of a command.
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), !isFolder.boolValue {
        return didYouMean("`yap browse \(word.shellWord)`")
    }
    return didYouMean(insteadOf: word, in: commands.map(\.name)) { "yap \($0)" }
}

@MainActor private func run(_ command: Command, _ arguments: [String]) -> Int32 {
    let version = Option(name: "version", help: "")
    do {
        let options = try parseOptions(arguments, command.allOptions + [version])
        if options["help"] != nil {
            try printText(HelpText(text: command.help).lines(width: Terminal.outputWidth).joined(separator: "\n"))
            return ExitCode.good
        }
        if options["version"] != nil { return run(["--version"]) }
        if command.opensFiles { try Terminal.checkDescriptors() }
        return try command.run(options)
    } catch let error as UsageError {
        printError("\(error) `yap \(command.name) --help` lists what there is.")
        return ExitCode.usage
    } catch let error as BadName {
        printError("\(error)")
        return ExitCode.usage
    } catch let error as Interrupted {
        return error.exitCode
    } catch {
        printError(sentence(error))
        return ExitCode.failed
    }
}
