import Foundation
import SeededRandom
import Synchronization
import YapDatabase

extension CompanyWork {
    @MainActor static func writeFlatOut(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        var moves = RandomMoves(rows, seed: UInt64(getpid()))
        try program.set([moves.next()])
        Crew.waitForOthers()
        let numbers = try writeFlatOut(program, &moves)
        try program.close()
        return numbers
    }

    /// - Returns: commits, seconds, milliseconds of the longest.
    private static func writeFlatOut(_ program: any Program, _ moves: inout RandomMoves) throws -> [Double] {
        var (count, longest, now) = (0.0, 0.0, Time.passed)
        let start = now
        while now < start + seconds {
            let move = moves.next()
            let before = Time.passed
            try program.set([move])
            now = Time.passed
            longest = max(longest, now - before)
            count += 1
        }
        return [count, now - start, longest * 1e3]
    }

    @MainActor static func readFlatOut(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        var moves = RandomMoves(rows, seed: UInt64(getpid()))
        try program.read(moves.nextKey())
        Crew.waitForOthers()
        let start = Time.passed
        var count = 0.0
        while Time.passed < start + seconds {
            try program.read(moves.nextKey())
            count += 1
        }
        try program.close()
        return [count]
    }

    @MainActor static func writeBesideThreads(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        let race = CompanyRace()
        let ends = DispatchGroup()
        for seed in 0..<4 {
            let reader = try Unshared(program.other())
            ends.enter()
            // Not on a queue, which runs as many at once as there are processors.
            Thread.detachNewThread {
                defer { ends.leave() }
                var moves = RandomMoves(rows, seed: UInt64(seed))
                while !race.isOver.load(ordering: .relaxed) {
                    do { try reader.program.read(moves.nextKey()) } catch { return race.fail() }
                }
            }
        }
        Crew.waitForOthers()
        var moves = RandomMoves(rows, seed: 9)
        let numbers = try writeFlatOut(program, &moves)
        race.isOver.store(true, ordering: .relaxed)
        ends.wait()
        guard !race.hasFailed.load(ordering: .relaxed) else { throw RawError("A reader failed.") }
        try program.close()
        return numbers
    }

    /// The reader is this process's own, and the log is measured before it ends.
    @MainActor static func writeBesideStill(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        let reader = try program.other()
        try reader.read(Item.key(0))
        if let ours = reader as? OurProgram {
            try ours.connection.beginLongLivedReadTransaction()
        } else if let raw = reader as? RawProgram {
            try raw.database.execute("BEGIN")
            try raw.read(Item.key(0))
        }
        var moves = RandomMoves(rows, seed: 9)
        let numbers = try writeFlatOut(program, &moves)
        var status = stat()
        stat(job.file.path + "-wal", &status)
        Crew.waitForOthers()
        return [Double(status.st_size) / 1e6, numbers[2], numbers[0] / numbers[1]]
    }
}

private final class CompanyRace: Sendable {
    let isOver = Atomic(false)
    let hasFailed = Atomic(false)

    func fail() { hasFailed.store(true, ordering: .relaxed) }
}

/// A program that one other thread uses.
private struct Unshared: @unchecked Sendable {
    // @unchecked: the thread that made it does not use it any more.
    let program: any Program

    init(_ program: any Program) { self.program = program }
}
