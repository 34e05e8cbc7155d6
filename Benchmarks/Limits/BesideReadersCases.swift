import Foundation
import SeededRandom
import Synchronization
import YapDatabase

/// Commits of one row beside four readers, each of which reads one row after the other; ours and raw in turn, with checkpoints as SQLite
/// makes them by itself. The ratio is raw's commits a second over ours.
let besideReadersCases: [Case] = [
    besideReadersCase("plain", view: false, atMost: 1 / 0.9),
    besideReadersCase("with_view", view: true, atMost: 1 / 0.7),
]

private let items = 20_000
private let readers = 4
private let seconds = 0.5

private func besideReadersCase(_ name: String, view: Bool, atMost limit: Double) -> Case {
    Case(
        name: "commits_beside_readers/\(name)", n: items, k: 1, unit: "µs/commit", targets: [.ratio(atMost: limit)]
    ) {
        try withScratchFolder { folder in
            let rawFile = folder.appending(path: "raw.sqlite")
            let reference = try RawItems(rawFile)
            // Ours copies its log into the file meanwhile. A log that grows without end would be no comparison.
            try reference.database.execute("PRAGMA wal_autocheckpoint = 1000")
            try reference.inTransaction {
                for (key, item) in Item.all(0..<items, isRandom: true) { try reference.add(item, key) }
            }
            return try withItems(folder.appending(path: "ours.sqlite"), 0..<items) { database in
                if view { try ItemList.fields.register(in: database) }
                let connection = try database.newConnection()
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for round in 0..<5 {
                    times.ours.append(
                        try besideReaders(
                            { _ in
                                let connection = try database.newConnection()
                                return { key in
                                    try connection.read {
                                        keep(try $0.object(forKey: key, inCollection: Item.collection))
                                    }
                                }
                            },
                            write: { number in
                                let item = Item(number, rank: Double(number * 31 % items) + Double(round) / 8)
                                try connection.readWrite {
                                    try $0.setObject(item, forKey: Item.key(number), inCollection: Item.collection)
                                }
                            }))
                    drainMainQueue()
                    times.raw.append(
                        try besideReaders(
                            { _ in
                                let reader = try RawItems(rawFile)
                                return { key in keep(try reader.item(key)) }
                            },
                            write: { number in
                                let item = Item(number, rank: Double(number * 31 % items) + Double(round) / 8)
                                try reference.inTransaction {
                                    if view {
                                        try reference.set(item, Item.key(number))
                                    } else {
                                        try reference.replace(item, Item.key(number))
                                    }
                                }
                            }))
                }
                return Measurement(times.ours, times.raw, scale: 1e6)
            }
        }
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
