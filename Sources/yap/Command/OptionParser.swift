import CGetopt
import Foundation
import NearestName

/// A long option of a command and its text in `--help`.
struct Option {
    let name: String
    /// A letter with the same meaning.
    var letter: Character?
    /// The name of the argument in the help, nil for an option without one; `FILE` and `DIR` are completed as such.
    var argument: String?
    /// What to do instead of giving it twice, where people may expect that both count; nil if the last of several counts.
    var insteadOfTwice: String?
    private let makeChoices: @Sendable () -> [String]
    let help: String

    /// - Parameter choices: are made only when they are shown: the names of the gallery need all of its scenarios.
    init(
        name: String, letter: Character? = nil, argument: String? = nil,
        choices: @autoclosure @escaping @Sendable () -> [String] = [], insteadOfTwice: String? = nil, help: String
    ) {
        (self.name, self.letter, self.argument, makeChoices, self.help) = (name, letter, argument, choices, help)
        self.insteadOfTwice = insteadOfTwice
    }

    /// The words that the argument may be; empty for any. For an option without an argument: the operands that it
    /// takes.
    var choices: [String] { makeChoices() }
}

/// A parsed command line.
struct ParsedOptions {
    /// The argument of each option given, `""` for one without; the last of several counts.
    var values: [String: String] = [:]
    /// The arguments that are not options.
    var operands: [String] = []

    subscript(name: String) -> String? { values[name] }
}

/// An invalid command line. Exit code 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Reads options with `getopt_long`: `--name value`, `--name=value`, unambiguous beginnings, `--` for the end.
func parseOptions(_ arguments: [String], _ options: [Option]) throws -> ParsedOptions {
    var argv: [UnsafeMutablePointer<CChar>?] = (["yap"] + arguments).map { strdup($0) } + [nil]
    let names = options.map { strdup($0.name)! }
    let original = argv
    defer { (original + names).forEach { free($0) } }
    let table =
        zip(options, names).enumerated().map { index, entry in
            option(name: entry.1, hasArgument: entry.0.argument != nil, value: Int32(256 + index))
        } + [CGetopt.option()]
    // The colon makes getopt distinguish a missing argument from an unknown option.
    let letters =
        ":"
        + options.compactMap { option in option.letter.map { "\($0)" + (option.argument == nil ? "" : ":") } }.joined()

    var parsed = ParsedOptions()
    yap_option_restart()
    while true {
        let code = getopt_long(Int32(arguments.count + 1), &argv, letters, table, nil)
        if code == -1 { break }
        guard let option = option(for: code, in: options) else { throw refusal(code, argv, options) }
        if let advice = option.insteadOfTwice, parsed.values[option.name] != nil {
            throw UsageError("--\(option.name) is given twice. \(advice)")
        }
        parsed.values[option.name] = yap_option_argument().map { String(cString: $0) } ?? ""
        if parsed.values[option.name] == "", let argument = option.argument, ["FILE", "DIR"].contains(argument) {
            throw UsageError("--\(option.name) takes the name of a file, not \"\".")
        }
    }
    parsed.operands = argv[Int(yap_option_index())..<(arguments.count + 1)].map { String(cString: $0!) }
    // As of a variable of a script that is not set.
    guard !parsed.operands.contains("") else { throw UsageError("An argument is empty: \"\".") }
    return parsed
}

/// Returns the error for a wrong option. Operands may come before it; getopt tells which one it is.
private func refusal(
    _ code: Int32, _ argv: [UnsafeMutablePointer<CChar>?], _ options: [Option]
) -> UsageError {
    let refused = yap_option_refused()
    // If getopt does not know an option's name, it has just stepped over the word.
    let word = argv[Int(yap_option_index()) - 1].map { String(cString: $0) } ?? ""
    let letter = UInt8(exactly: refused).map { "-\(Character(UnicodeScalar($0)))" }
    if code == Int32(UInt8(ascii: ":")) {
        return UsageError("\(refused >= 256 ? word : letter ?? word) needs a value.")
    }
    if refused >= 256 { return UsageError("--\(options[Int(refused) - 256].name) takes no value.") }
    guard refused == 0 else { return UsageError("\(letter ?? word) is not an option of this command.") }
    let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
    let question = didYouMean(insteadOf: String(name), in: options.map(\.name)) { "--\($0)" }
    return UsageError("\(word) is not an option of this command." + (question.map { " " + $0 } ?? ""))
}

private func option(name: UnsafePointer<CChar>, hasArgument: Bool, value: Int32) -> CGetopt.option {
    CGetopt.option(name: name, has_arg: hasArgument ? 1 : 0, flag: nil, val: value)
}

private func option(for code: Int32, in options: [Option]) -> Option? {
    if code >= 256 { return options[Int(code) - 256] }
    return options.first { $0.letter.map { Int32($0.asciiValue ?? 0) } == code }
}
