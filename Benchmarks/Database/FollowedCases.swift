import Foundation
import YapDatabase

/// Requests that are followed, filters that change with each key, and migrations.
let followedCases: [Case] = [
    queryUpdateCase("unmatched", atMost: 1.5), queryUpdateCase("matched", atMost: 2.5), filterTypedCase("plain"),
    filterTypedCase("codable"), migrateCase, migrateMemoryCase,
]

private struct Entry: Codable, Sendable, Identifiable {
    var id: Int
    var title: String
    var price: Double
    var year: Int

    init(_ number: Int) {
        (id, title) = (number, "title \(number &* 7_919 % 100_003) of entry \(number)")
        (price, year) = (Double(number % 1_000), number % 100)
    }
}

private struct PlainEntry: YapPlainCodable, Sendable, Identifiable {
    var id: Int
    var title: String
    var price: Double
    var year: Int
}

private let entries = YapCollection("entries", of: Entry.self)
private let plainEntries = YapCollection("entries", of: PlainEntry.self)
private let fields = YapIndex("fields", of: entries, on: \.price, \.year)
private let rowCount = 100_000

// MARK: query_update

/// A commit of one of 100,000 rows, to the update of a request that shows 50, or to where a loop is done with a commit that does not concern
/// it; against the same commit that nothing follows.
private func queryUpdateCase(_ kind: String, atMost limit: Double) -> Case {
    Case(name: "query_update/\(kind)", n: rowCount, k: 1, unit: "µs", targets: [.ratio(atMost: limit)]) {
        try withScratchFolder { folder in
            try withDatabase(folder.appending(path: "entries.sqlite"), postsNotifications: false) { database in
                try database.register(fields)
                try database.newConnection().readWrite { try $0[entries].save((0..<rowCount).map(Entry.init)) }
                return try waiting { try await follow(database, isMatched: kind == "matched") }
            }
        }
    }
}

private let request = entries.where(\.price < 1).order(.ascending(\.price), .descending(\.year)).limit(50)

private func follow(_ database: YapDatabase, isMatched: Bool) async throws -> Measurement {
    let writer = try database.newConnection()
    // Rows whose price is a multiple of 1,000 have the price 0, so 100 of them are wanted.
    func commit(_ round: Int, matches: Bool) throws {
        try writer.syncReadWrite { transaction in
            var entry = Entry(matches ? round % 100 * 1_000 : round % 900 + 50)
            (entry.title, entry.year) = ("another \(round)", 100 + round)
            if !matches { entry.price = 500 }
            try transaction[entries].save(entry)
        }
    }
    var updates = writer.updates(of: request).makeAsyncIterator()
    keep(try await updates.next())
    var times: (followed: [Double], alone: [Double]) = ([], [])
    let length = isMatched ? 1 : 100
    for round in 0..<(isMatched ? 1_000 : 20) {
        let start = Time.passed
        for number in 0..<length - 1 { try commit(round * length + number, matches: false) }
        try commit(round, matches: true)
        keep(try await updates.next())
        times.followed.append((Time.passed - start) / Double(length))
    }
    let unfollowed = try database.newConnection()
    keep(unfollowed)
    // Nothing follows any more.
    updates = writer.updates(of: request).makeAsyncIterator()
    for round in 0..<(isMatched ? 1_000 : 20) {
        times.alone.append(
            try passed {
                for number in 0..<length {
                    try commit(100_000 + round * length + number, matches: isMatched || number == length - 1)
                }
            } / Double(length))
    }
    return Measurement(times.followed, times.alone, scale: 1e6)
}

/// Waits for an asynchronous function.
private func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Locked<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
        let value: Result<Value, any Error>
        do { value = .success(try await body()) } catch { value = .failure(error) }
        result.withLock { $0 = value }
        isDone.signal()
    }
    isDone.wait()
    guard let value = try result.withLock({ $0 })?.get() else { throw RawError("No result.") }
    return value
}

// MARK: filter_typed

/// A filter over 20,000 rows that is set again with each key that is typed, each time narrower, from the first to the sixth; the time of one
/// transaction.
private func filterTypedCase(_ kind: String) -> Case {
    Case(
        name: "filter_typed/\(kind)", n: 20_000, k: 20_000, unit: "ms", targets: [.value(atMost: 20, "ms")]
    ) {
        try withScratchFolder { folder in
            try withDatabase(folder.appending(path: "entries.sqlite"), postsNotifications: false) { database in
                try database.newConnection().readWrite { try $0[entries].save((0..<20_000).map(Entry.init)) }
                return kind == "plain"
                    ? try filter(database, plainEntries, \.price, \.id) : try filter(database, entries, \.price, \.id)
            }
        }
    }
}

private func filter<Value: Codable & Sendable>(
    _ database: YapDatabase, _ collection: YapCollection<Value, Int, Never>,
    _ price: KeyPath<Value, Double> & Sendable, _ id: KeyPath<Value, Int> & Sendable
) throws -> Measurement {
    let order = YapList("order", of: collection, sortedBy: .ascending(id))
    let found = YapList("found", filtering: order, where: price < 1_000, isStored: false)
    try database.register(order, found)
    let connection = try database.newConnection()
    var times: [Double] = []
    for _ in 0..<6 {
        for limit in [1_000.0, 500, 250, 100, 20, 2] {
            times.append(
                try passed { try connection.readWrite { try $0[found].setFilter(price < limit) } })
        }
    }
    return Measurement(value: times.median * 1e3)
}

// MARK: migrate

private struct OldEntry: Codable, Sendable {
    var id: Int
    var name: String
    var price: Double
    var year: Int
}

private let oldEntries = YapCollection("entries", of: OldEntry.self) { $0.id }
private let newEntries = YapCollection(
    "entries", of: Entry.self, version: 2,
    migrating: .from(1, OldEntry.self) { old -> Entry in
        var entry = Entry(old.id)
        (entry.title, entry.price, entry.year) = (old.name, old.price, old.year)
        return entry
    })

/// Writing 100,000 rows in a new version, with an index and a list over them, against reading the old values and saving new ones by hand in
/// transactions of the same size.
private let migrateCase = Case(
    name: "migrate", n: rowCount, k: rowCount, unit: "µs/row", targets: [.ratio(atMost: 1.3)]
) {
    let (old, new) = (oldEntries, newEntries)
    var times: (ours: [Double], byHand: [Double]) = ([], [])
    for _ in 0..<3 {
        for isByHand in [false, true] {
            try withScratchFolder { folder in
                let url = folder.appending(path: "entries.sqlite")
                try withDatabase(url) { database in
                    try database.newConnection().readWrite { transaction in
                        for number in 0..<rowCount {
                            let entry = Entry(number)
                            try transaction[old].save(
                                OldEntry(id: number, name: entry.title, price: entry.price, year: entry.year))
                        }
                    }
                }
                try withDatabase(url, postsNotifications: false) { database in
                    if isByHand {
                        times.byHand.append(try passed { try migrateByHand(database, old) })
                    } else {
                        times.ours.append(try passed { keep(try database.migrate(new)) })
                    }
                }
            }
        }
    }
    return Measurement(times.ours, times.byHand, scale: 1e6 / Double(rowCount))
}

private func migrateByHand(_ database: YapDatabase, _ old: YapCollection<OldEntry, Int, Never>) throws {
    let connection = try database.newConnection()
    let target = YapCollection("entries", of: Entry.self)
    let keys = try connection.read { try $0[old].keys() }
    for start in stride(from: 0, to: keys.count, by: 1_000) {
        let part = keys[start..<min(start + 1_000, keys.count)]
        let values = try connection.read { try $0[old].values(forKeys: part) }
        try connection.readWrite { transaction in
            for old in values {
                var entry = Entry(old.id)
                (entry.title, entry.price, entry.year) = (old.name, old.price, old.year)
                try transaction[target].save(entry)
            }
        }
    }
}

/// The most memory that the process has while it migrates 1,000,000 rows, of which about 15 MB are the program's own.
private let migrateMemoryCase = Case(
    name: "migrate_memory", n: 1_000_000, k: 1_000_000, unit: "MB", targets: [.value(atMost: 100, "MB")],
    isAlone: true, isExtra: true
) {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "entries.sqlite"), postsNotifications: false) { database in
            let connection = try database.newConnection()
            for start in stride(from: 0, to: 1_000_000, by: 10_000) {
                try connection.readWrite { transaction in
                    for number in start..<start + 10_000 {
                        let entry = Entry(number)
                        try transaction[oldEntries].save(
                            OldEntry(id: number, name: entry.title, price: entry.price, year: entry.year))
                    }
                }
            }
            // From here on, the peak counts again.
            try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
            guard try database.migrate(newEntries).migrated == 1_000_000 else { throw RawError("Rows were left.") }
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
                throw RawError("The system does not say how much memory the process has.")
            }
            return Measurement(value: kilobytes * 1_024 / 1e6)
        }
    }
}
