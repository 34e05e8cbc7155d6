import Foundation
import SeededRandom
import YapDatabase

/// What a process of these cases does.
enum CompanyWork: String {
    /// Makes a file of so many items and lists.
    case fill
    /// The same in so many groups.
    case fillGroups
    /// The same, moves 200 rows, one in a commit, and ends as after `kill -9`.
    case fillAndDie
    /// Sets random rows, one in a commit, for some seconds: prints commits, seconds, and the longest in milliseconds.
    case write
    /// Reads random rows for some seconds.
    case read
    /// Sets random rows beside four threads that read: prints commits and seconds.
    case writeBesideThreads
    /// One row moves in a list of so many groups: prints the milliseconds to the change-set.
    case moveInGroups
    /// A list of so many groups begins to be followed: prints milliseconds.
    case followGroups
    /// Prints the milliseconds of the first update of all rows.
    case firstUpdate
    /// Commits one row at a time: prints microseconds by the clock, and of the processor, of an update and of a new row.
    case commitRows
    /// Adds 100,000 rows in a commit: prints the peak of the memory in MB.
    case addMany
    /// Updates 10,000 rows in a commit: prints microseconds a row, and milliseconds to the change-set.
    case updateMany
    /// Removes 10,000 rows in a commit: prints microseconds a row.
    case removeMany
    /// Opens the file and reads the first 50 rows of a list: prints milliseconds.
    case openList
    /// Makes an order over rows that are there: prints microseconds a row.
    case order
    /// The same with blocks that compare objects.
    case orderByBlocks
    /// Makes an index if there is none; prints the milliseconds of 1,000 rows by it, and the microseconds a row of all rows.
    case indexAndScan
    /// Sets random rows without a pause beside a reader that stays where it is: prints MB of log, and the longest commit in milliseconds.
    case writeBesideStill
}

/// Acts as a process of the cases.
@MainActor func performCompanyWork(_ words: [String]) throws { try CompanyWork.perform(Job(words)) }

extension CompanyWork {
    static let rows = 100_000
    /// Seconds of the cases that write without a pause.
    static let seconds = ProcessInfo.processInfo.environment["SECONDS"].flatMap(Double.init) ?? 3

    @MainActor fileprivate static func perform(_ job: Job) throws {
        let numbers: [Double] =
            switch job.work {
            case .fill, .fillGroups, .fillAndDie: try fill(job)
            case .write: try writeFlatOut(job)
            case .read: try readFlatOut(job)
            case .writeBesideThreads: try writeBesideThreads(job)
            case .writeBesideStill: try writeBesideStill(job)
            case .moveInGroups: try moveInGroups(job)
            case .followGroups: try followGroups(job)
            case .firstUpdate: try firstUpdate(job)
            case .commitRows: try commitRows(job)
            case .addMany: try addMany(job)
            case .updateMany: try updateMany(job)
            case .removeMany: try removeMany(job)
            case .openList: try openList(job)
            case .order, .orderByBlocks: try order(job)
            case .indexAndScan: try indexAndScan(job)
            }
        print(numbers.map { "\($0)" }.joined(separator: " "))
    }

    /// Rows of so many groups in random order of ranks.
    static func items(_ numbers: Range<Int>, groups: Int = Item.groups) -> [(key: String, item: Item)] {
        Item.all(numbers, isRandom: true).map { row in
            var item = row.item
            item.group = "group \(item.id % groups)"
            return (row.key, item)
        }
    }

    @MainActor private static func fill(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: job.lists)
        let groups = job.work == .fillGroups ? job.number : Item.groups
        let count = job.work == .fillGroups ? max(rows, job.number) : job.number
        for start in stride(from: 0, to: count, by: rows) {
            try program.add(items(start..<min(count, start + rows), groups: groups))
        }
        Crew.waitForOthers()
        if job.work == .fillAndDie {
            // As a program is killed that has been running for a while: some rows were moved since, and the log is copied.
            var moves = RandomMoves(count, seed: 3)
            for _ in 0..<200 {
                try program.set([moves.next()])
                usleep(2_000)
            }
            sleep(1)
            kill(getpid(), SIGKILL)
        }
        try program.close()
        return []
    }
}

/// Random rows, each with another rank.
struct RandomMoves {
    private var random: SplitMix64
    private let rows: Int

    init(_ rows: Int, seed: UInt64) {
        (self.rows, random) = (rows, SplitMix64(seed: seed))
    }

    mutating func next(groups: Int = Item.groups) -> (key: String, item: Item) {
        let number = random.below(rows)
        var item = Item(number, rank: Double(random.next() >> 12))
        item.group = "group \(number % groups)"
        return (Item.key(number), item)
    }

    mutating func nextKey() -> String { Item.key(random.below(rows)) }
}
