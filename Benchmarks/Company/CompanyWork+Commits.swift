import Foundation
import YapDatabase

extension CompanyWork {
    @MainActor static func commitRows(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        Crew.waitForOthers()
        var moves = RandomMoves(rows, seed: 7)
        let before = processorTime
        let updates = try (0..<2_000).map { _ in
            let move = moves.next()
            return try passed { try program.set([move]) }
        }
        let processor = (processorTime - before) / Double(updates.count)
        let new = try items(rows..<rows + 2_000).map { row in try passed { try program.add([row]) } }
        try program.close()
        return [updates.median * 1e6, processor * 1e6, new.median * 1e6]
    }

    /// Seconds of the whole process.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @MainActor static func addMany(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        Crew.waitForOthers()
        let items = items(0..<rows)
        let time = try passed { try program.add(items) }
        try program.close()
        return [try peakMegabytes(), time * 1e6 / Double(rows)]
    }

    @MainActor static func updateMany(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        let coordinator = try (program as? OurProgram).map {
            try YapDatabaseViewCoordinator(connection: $0.database.newConnection())
        }
        try coordinator?.follow(OurProgram.list(0).mappings())
        Crew.waitForOthers()
        var moves = RandomMoves(rows, seed: 8)
        let changed = (0..<rows / 10).map { _ in moves.next() }
        let start = Time.passed
        try program.set(changed)
        let written = Time.passed
        if let coordinator { keep(try coordinator.advance()) }
        let followed = Time.passed
        try program.close()
        return [(written - start) * 1e6 / Double(changed.count), (followed - start) * 1e3]
    }

    /// In the order in which a caller has them: none.
    @MainActor static func removeMany(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        Crew.waitForOthers()
        let keys = (0..<rows / 10).map { Item.key($0 * 7_919 % rows) }
        let time = try passed { try program.remove(keys) }
        try program.close()
        return [time * 1e6 / Double(keys.count)]
    }
}
