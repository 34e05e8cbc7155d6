import Foundation
import SeededRandom
import Synchronization
import YapDatabase

/// Commits of one row beside four readers, each of which reads one row after the other; ours and raw in turn, with checkpoints as SQLite
/// makes them by itself. The ratio is raw's commits a second over ours.
///
/// The reference is a process of its own, where SQLite is as every program finds it. Ours has other mutexes, which are the process's;
/// the cases `same_library` compare with SQLite in this process, which has them too.
let besideReadersCases: [Case] = [
    besideReadersCase("plain", view: false, reference: .ownProcess, atMost: 1 / 0.9),
    besideReadersCase("with_view", view: true, reference: .ownProcess, atMost: 1 / 0.7),
    besideReadersCase("plain/same_library", view: false, reference: .sameProcess),
    besideReadersCase("with_view/same_library", view: true, reference: .sameProcess),
]

private enum Reference { case ownProcess, sameProcess }

private let items = 20_000
private let readers = 4
private let seconds = 0.5

private func besideReadersCase(_ name: String, view: Bool, reference: Reference, atMost limit: Double? = nil) -> Case {
    Case(
        name: "commits_beside_readers/\(name)", n: items, k: 1, unit: "µs/commit",
        targets: limit.map { [.ratio(atMost: $0)] } ?? []
    ) {
        try withScratchFolder { folder in
            // Opened first, so that the mutexes of this process are ours.
            try withItems(folder.appending(path: "ours.sqlite"), 0..<items) { database in
                if view { try ItemList.fields.register(in: database) }
                let raw = try RawBesideReaders(folder.appending(path: "raw.sqlite"), hasList: view)
                try raw.fill()
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for round in 0..<5 {
                    times.ours.append(try besideReaders(of: database, round))
                    drainMainQueue()
                    switch reference {
                    case .ownProcess: times.raw.append(try raw.measureInOwnProcess(round))
                    case .sameProcess: times.raw.append(try raw.measure(round))
                    }
                }
                return Measurement(times.ours, times.raw, scale: 1e6)
            }
        }
    }
}

private func changedItem(_ number: Int, _ round: Int) -> Item {
    Item(number, rank: Double(number * 31 % items) + Double(round) / 8)
}

@MainActor private func besideReaders(of database: YapDatabase, _ round: Int) throws -> Double {
    let connection = try database.newConnection()
    return try besideReaders(
        { _ in
            let connection = try database.newConnection()
            return { key in
                try connection.read { keep(try $0.object(forKey: key, inCollection: Item.collection)) }
            }
        },
        write: { number in
            try connection.readWrite {
                try $0.setObject(
                    changedItem(number, round), forKey: Item.key(number), inCollection: Item.collection)
            }
        })
}

/// The same with SQLite alone.
struct RawBesideReaders {
    private let file: URL
    private let hasList: Bool
    private let reference: RawItems

    init(_ file: URL, hasList: Bool) throws {
        self.file = file
        self.hasList = hasList
        reference = try RawItems(file)
        // Ours copies its log into the file meanwhile. A log that grows without end would be no comparison.
        try reference.database.execute("PRAGMA wal_autocheckpoint = 1000")
    }

    fileprivate func fill() throws {
        try reference.inTransaction {
            for (key, item) in Item.all(0..<items, isRandom: true) { try reference.add(item, key) }
        }
    }

    /// - Returns: the seconds of a write.
    @MainActor func measure(_ round: Int) throws -> Double {
        let file = file
        return try besideReaders(
            { _ in
                let reader = try RawItems(file)
                return { key in keep(try reader.item(key)) }
            },
            write: { number in
                let item = changedItem(number, round)
                try reference.inTransaction {
                    if hasList {
                        try reference.set(item, Item.key(number))
                    } else {
                        try reference.replace(item, Item.key(number))
                    }
                }
            })
    }

    fileprivate func measureInOwnProcess(_ round: Int) throws -> Double {
        let output = try outputOfOwnProcess(
            "--raw-beside-readers", file.path, hasList ? "list" : "table", "\(round)")
        guard let time = Double(output) else { throw RawError("The process that is measured has failed.") }
        return time
    }
}

/// What the writer and its readers share.
private final class Race: Sendable {
    let isOver = Atomic(false)
    let failures = Atomic(0)
}

/// - Returns: the seconds of a write.
@MainActor private func besideReaders(
    _ makeReader: @escaping @Sendable (Int) throws -> (String) throws -> Void, write: (Int) throws -> Void
) throws -> Double {
    let race = Race()
    let ends = DispatchGroup()
    for reader in 0..<readers {
        ends.enter()
        // Not on a queue, which runs as many at once as there are processors.
        Thread.detachNewThread {
            defer { ends.leave() }
            do {
                let read = try makeReader(reader)
                var random = SplitMix64(seed: UInt64(reader))
                while !race.isOver.load(ordering: .relaxed) { try read(Item.key(random.below(items))) }
            } catch { race.failures.add(1, ordering: .relaxed) }
        }
    }
    var random = SplitMix64(seed: 9)
    var count = 0
    let time = try passed {
        let end = Time.passed + seconds
        while Time.passed < end {
            try write(random.below(items))
            count += 1
        }
    }
    race.isOver.store(true, ordering: .relaxed)
    ends.wait()
    guard race.failures.load(ordering: .relaxed) == 0 else { throw RawError("A reader failed.") }
    return time / Double(count)
}
