import Foundation

/// The arguments of the runner.
struct Options {
    let bundle: String
    /// Where the whole output of all tests goes.
    let log: String
    var selection = Selection()
    /// Processes at a time. Tests wait for other programs, for locks and for the disk for two thirds of their time.
    var workers = 4 * ProcessInfo.processInfo.activeProcessorCount
    /// Seconds for the whole run.
    var limit: Double?

    init(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw RunnerError("BUNDLE and LOG are missing.") }
        (bundle, log) = (arguments[0], arguments[1])
        var rest = arguments.dropFirst(2)
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw RunnerError("\(name) has no value.") }
            switch (name, Double(value)) {
            case ("--filter", _): selection.filters.append(try NSRegularExpression(pattern: value))
            case ("--skip", _): selection.skips.append(try NSRegularExpression(pattern: value))
            case ("--workers", let number?) where (1...64).contains(number): workers = Int(number)
            case ("--limit", let number?) where number > 0: limit = number
            default: throw RunnerError("\(name) \(value): there is no such option.")
            }
        }
    }
}

/// Which tests are run, by regular expressions that match somewhere in `Module.Suite/test()`.
struct Selection {
    var filters: [NSRegularExpression] = []
    var skips: [NSRegularExpression] = []

    var isAll: Bool { filters.isEmpty && skips.isEmpty }

    func contains(_ test: String) -> Bool {
        let whole = NSRange(test.startIndex..., in: test)
        func matches(_ pattern: NSRegularExpression) -> Bool { pattern.firstMatch(in: test, range: whole) != nil }
        return (filters.isEmpty || filters.contains(where: matches)) && !skips.contains(where: matches)
    }
}

struct RunnerError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
