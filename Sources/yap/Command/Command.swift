import Foundation

/// A command of `yap`: its name, its help, and what it runs.
struct Command {
    let name: String
    /// The text after the name on the usage line.
    let usage: String
    /// One line for the list of commands.
    let summary: String
    private let makeDetails: @Sendable () -> String
    let options: [Option]
    /// Whether it needs descriptors: files, and what the system's libraries open to work on them.
    var opensFiles = true
    /// Runs the command and returns the exit code.
    let run: @MainActor (ParsedOptions) throws -> Int32

    /// - Parameter details: is made only when it is shown: it lists every key of a screen.
    init(
        name: String, usage: String, summary: String, details: @autoclosure @escaping @Sendable () -> String,
        options: [Option], opensFiles: Bool = true, run: @escaping @MainActor (ParsedOptions) throws -> Int32
    ) {
        (self.name, self.usage, self.summary, makeDetails) = (name, usage, summary, details)
        (self.options, self.opensFiles, self.run) = (options, opensFiles, run)
    }

    /// A few paragraphs for `yap NAME --help`, with an example.
    var details: String { makeDetails() }
}

extension Command {
    /// The options, including those that all commands have.
    var allOptions: [Option] { options + [Option(name: "help", letter: "h", help: "Shows what the command does.")] }

    var help: String {
        let lines = allOptions.map { option in
            let letter = option.letter.map { "-\($0), " } ?? ""
            let argument = option.argument.map { " \($0)" } ?? ""
            return ("  \(letter)--\(option.name)\(argument)", option.help)
        }
        let width = lines.map(\.0.count).max() ?? 0
        let table = lines.map { $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1 }
        return """
            Usage: yap \(name) \(usage)

            \(details)

            Options:
            \(table.joined(separator: "\n"))

            """
    }
}
