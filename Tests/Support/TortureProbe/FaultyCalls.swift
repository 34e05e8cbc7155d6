import CFaultyVFS
import Foundation
import TortureLedger
import YapDatabase

/// Runs one scenario repeatedly, in which call number 1, 2, 3 … of a kind fails, until there is no such call.
func failCalls(folder: String, kind: Int32, step: Int) throws {
    try require(faulty_vfs_install() == 0, "the file access cannot be installed")
    let template = folder + "/template.sqlite"
    try makeTemplate(template)
    for phase in Phase.allCases {
        var number = 1
        while try runScenario(
            at: "\(folder)/case.sqlite", template, phase,
            Fault(kind: kind, call: number, times: [1, 2, 1_000][number % 3]))
        {
            number += step
        }
        print("kind \(kind) failed in \((number - 1) / step) scenarios while \(phase)")
    }
}

/// The phase in which the call fails.
private enum Phase: CaseIterable {
    case working, closing
}

private struct Fault: CustomStringConvertible {
    let kind: Int32
    let call: Int
    /// The number of consecutive failing calls; many simulate a disk that fails for a while.
    let times: Int

    func arm() { faulty_vfs_arm(kind, Int32(call), Int32(times)) }

    var description: String { "kind \(kind), call \(call), \(times) times" }
}

private let committedInTemplate = 5

private func makeTemplate(_ path: String) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try Ledger.prepare(database, writers: writers)
    let pair = try Pair(database)
    for _ in 0..<committedInTemplate { try pair.commit(size: 500) }
    try database.close()
}

/// - Returns: whether any call failed.
private func runScenario(at path: String, _ template: String, _ phase: Phase, _ fault: Fault) throws -> Bool {
    // If a guarantee is violated, the last line identifies the call.
    FileHandle.standardError.write(Data("\(phase): \(fault)\n".utf8))
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.copyItem(atPath: template, toPath: path)
    if phase == .working { fault.arm() }
    guard let database = try survive({ try YapDatabase(url: URL(filePath: path)) }) else {
        let failed = faulty_vfs_disarm() > 0
        try checkReopened(path, committedInTemplate)
        return failed
    }
    let isRegistered = try survive({ try Ledger.prepare(database, writers: writers, tag: "2") }) != nil
    let pair = isRegistered ? try workWithFailures(database) : nil
    let hasFailed = faulty_vfs_disarm() > 0
    if !isRegistered { try Ledger.prepare(database, writers: writers, tag: "2") }
    let committed = try goOn(database, pair)
    if phase == .closing { fault.arm() }
    _ = try survive { try database.close() }
    let hasFailedToClose = faulty_vfs_disarm() > 0
    try checkReopened(path, committed)
    return hasFailed || hasFailedToClose
}

/// Makes connections, writes and reads in spite of failures.
private func workWithFailures(_ database: YapDatabase) throws -> Pair? {
    guard let pair = try survive({ try Pair(database) }) else { return nil }
    for size in [10, 3_000, 100] {
        _ = try survive { try pair.commit(size: size) }
        _ = try survive { try pair.follow() }
        _ = try survive { try pair.look() }
    }
    return pair
}

/// Continues with the same objects after the failures; they must know exactly what was committed.
private func goOn(_ database: YapDatabase, _ pair: Pair?) throws -> Int {
    let pair = try pair ?? Pair(database)
    try require(pair.committed >= committedInTemplate, "only \(pair.committed) transactions are left")
    try pair.checkNothingShows()
    try pair.commit(size: 100)
    try pair.checkNothingShows()
    return pair.committed
}

private func checkReopened(_ path: String, _ committed: Int) throws {
    try requireSound(path)
    let database = try YapDatabase(url: URL(filePath: path))
    try Ledger.prepare(database, writers: writers, tag: "2")
    let pair = try Pair(database)
    try require(pair.committed == committed, "the file has \(pair.committed) transactions, not \(committed)")
    try database.close()
}

/// Returns nil after a correct failure: an error that has a code and advice.
private func survive<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
        return try body()
    } catch let error as YapDatabaseError {
        let expected: [YapDatabaseError.Code] = [.inputOutput, .diskFull, .cannotOpen, .permissionDenied, .readOnly]
        try require(expected.contains(error.code), "a failed call is told as \(error.code): \(error)")
        return nil
    }
}
