import Foundation

/// The selected tests of one suite.
struct Suite {
    /// `Module.Suite`.
    let name: String
    /// The names by which the bundle selects them: `Module.Suite/Inner/test()`.
    var tests: [String]
}

/// Returns the suites that have a selected test.
func suites(of bundle: String, selection: Selection) throws -> [Suite] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: bundle)
    process.arguments = ["--testing-library", "swift-testing", "--list-tests"]
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw RunnerError("\(bundle) lists no tests.") }
    let tests = lines.map(String.init).filter { $0.contains("(") && selection.contains($0) }
    return Dictionary(grouping: tests) { test in String(test.prefix { $0 != "/" }) }
        .map { Suite(name: $0, tests: $1) }.sorted { $0.name < $1.name }
}

/// Divides suites into groups, the dearest first. Each takes a part of the cost that is left, so that few processes are started and
/// the last ones are short: all end at about the same time.
/// - Parameter seconds: what each suite took in an earlier run.
func groups(of suites: [Suite], seconds: [String: Double], workers: Int) -> [[Suite]] {
    let priced = suites.map { (suite: $0, cost: seconds[$0.name] ?? dearSuites[$0.name] ?? usualSeconds(of: $0)) }
        .sorted { ($0.cost, $1.suite.name) > ($1.cost, $0.suite.name) }
    var left = priced.reduce(0) { $0 + $1.cost }
    var groups: [[Suite]] = []
    var room = 0.0
    for (suite, price) in priced {
        if price > room {
            groups.append([])
            room = max(left / Double(workers * partsLeft), leastSeconds)
        }
        groups[groups.count - 1].append(suite)
        room -= price
        left -= price
    }
    return groups
}

/// What the dearest suites took when these lines were written: where no earlier run has timed them, they would begin too late.
private let dearSuites: [String: Double] = [
    "CommandTests.ChatFailingWriteTests": 52, "CommandTests.ChatTwoHostsTests": 46, "CommandTests.NarrowStartTests": 23,
    "CommandTests.LabFailingWriteTests": 20, "CommandTests.ServerRecoveryTests": 18, "CommandTests.LabInTmuxTests": 18,
    "YapDatabaseServerTests.LostSpaceTests": 26, "YapDatabaseServerTests.NetworkTests": 20,
    "FileReadingTests.RowRescueTests": 10, "YapDatabaseServerTests.ServerAttackTests": 20,
    "YapDatabaseTests.ListsBesideStrangersTests": 16,
    "YapDatabaseTests.FieldAgreementTests": 16, "FileReadingTests.EncryptedFileTests": 12,
]

/// What a suite that was never timed takes: tests of commands and servers start programs and wait for them, and where a suite has few
/// tests, each has many cases.
private func usualSeconds(of suite: Suite) -> Double {
    let waits = ["CommandTests.", "YapDatabaseServerTests."].contains(where: suite.name.hasPrefix)
    return 0.5 + Double(suite.tests.count) * (waits ? 1.5 : 0.15)
}

/// A group is this part of what is left for each process.
private let partsLeft = 2
/// A process takes 0.2 s to start.
private let leastSeconds = 2.0
