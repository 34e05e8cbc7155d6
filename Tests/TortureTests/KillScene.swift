import Foundation
import TortureLedger
import YapDatabase

/// Three writers on one file, the numbers that each has reported, and the expected content of the file.
final class KillScene {
    /// Long enough for any machine: a longer delay is endless, or the busy timeout of a minute.
    private static let patience = 50_000

    private let folder: URL
    private let file: URL
    private var writers: [Child] = []

    init(folder: URL, random: inout SplitMix64) throws {
        self.folder = folder
        file = folder.appending(path: "t.sqlite")
        for index in 0..<3 { writers.append(try makeWriter(index, &random)) }
        try waitForProgress()
    }

    var committed: Int { (0..<3).map(reported).reduce(0, +) }

    func start(_ index: Int, random: inout SplitMix64) throws { writers[index] = try makeWriter(index, &random) }

    func kill(_ victims: [Int]) throws {
        for index in victims {
            let end = writers[index].kill()
            try require(end == -SIGKILL, "writer \(index) ended by itself with \(end): \(writers[index].lastWords)")
        }
    }

    func killAll() {
        for writer in writers { _ = writer.kill() }
    }

    /// Checks that the whole file is sound and contains what each writer reported; of a killed one at most one
    /// transaction more, which it could not report.
    func check(dead: [Int]) throws {
        let problems = try YapDatabase.check(url: file)
        try require(problems.isEmpty, "\(problems)")
        let before = (0..<3).map(reported)
        let found = try numbersInFile()
        for index in 0..<3 {
            try require(found[index] >= before[index], "w\(index) reported \(before[index]), found \(found[index])")
            guard dead.contains(index) else { continue }
            try require(
                found[index] <= before[index] + 1, "w\(index) reported only \(before[index]), found \(found[index])")
        }
    }

    /// Waits until every writer has committed again.
    func waitForProgress() throws {
        let before = (0..<3).map(reported)
        for index in 0..<3 {
            var waits = 0
            while reported(index) <= before[index] {
                try require(!writers[index].hasEnded, "writer \(index) ended: \(writers[index].lastWords)")
                try require(waits < Self.patience, "writer \(index) is held up: \(writers[index].lastWords)")
                waits += 1
                usleep(1_000)
            }
        }
    }

    private func makeWriter(_ index: Int, _ random: inout SplitMix64) throws -> Child {
        try Child(["write", file.path, "w\(index)", "\(random.next() >> 1)"], name: "w\(index)", in: folder)
    }

    /// Returns the last number that a writer has reported, across restarts.
    private func reported(_ index: Int) -> Int {
        guard let file = try? FileHandle(forReadingFrom: folder.appending(path: "w\(index).output")) else { return 0 }
        defer { try? file.close() }
        let size = (try? file.seekToEnd()) ?? 0
        try? file.seek(toOffset: size > 64 ? size - 64 : 0)
        let lines = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self).split(separator: "\n")
        return lines.last.flatMap { Int($0) } ?? 0
    }

    private func numbersInFile() throws -> [Int] {
        // The two writers that are alive may hold the file for long on a busy machine.
        var options = YapDatabaseOptions()
        options.busyTimeout = 60_000
        let database = try YapDatabase(url: file, options: options)
        try Ledger.prepareAll(database, writers: ["w0", "w1", "w2"])
        let numbers = try database.newConnection().read { transaction in
            try ["w0", "w1", "w2"].map { try Ledger(writer: $0).number(in: transaction) }
        }
        try database.close()
        return numbers
    }
}
