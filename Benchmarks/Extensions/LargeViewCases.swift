import Foundation
import SeededRandom
import YapDatabase

/// A view of 10,000,000 rows and a filtered view over it: filled, written to, checked, in this order. `YAP_BENCH_ROWS` sets another
/// number of rows. They take minutes and some gigabytes, so they run only when they are named:
/// `./run bench large_views`.
let largeViewCases: [Case] = [
    extra("populate", "µs/row", k: LargeViews.rows) { try $0.populate() },
    extra("populate_filtered", "µs/row", k: LargeViews.rows) { try $0.populateFiltered() },
    extra("write_one", "ms", k: 1) { try $0.writeOne() },
    extra("open_first_50", "ms", k: 50) { try $0.openFirst() },
    extra("check", "µs/row", k: LargeViews.rows) { try $0.check() },
    extra("peak_memory", "MB", k: 0) { _ in try LargeViews.peakMemory() },
]

private func extra(
    _ name: String, _ unit: String, k: Int, _ measure: @escaping @MainActor (LargeViews) throws -> Double
) -> Case {
    Case(name: "large_views/\(name)", n: LargeViews.rows, k: k, unit: unit, isExtra: true) {
        let views = try LargeViews.shared.get()
        defer { if name == "peak_memory" { views.remove() } }
        return Measurement(value: try measure(views))
    }
}

/// The file of the cases, which is made for the first of them and removed after the last.
@MainActor private final class LargeViews {
    static let shared = Result { try LargeViews() }
    nonisolated static let rows = ProcessInfo.processInfo.environment["YAP_BENCH_ROWS"].flatMap(Int.init) ?? 10_000_000
    private static let writes = 10_000

    private let folder = FileManager.default.temporaryDirectory.appending(path: "yap-bench-\(UUID().uuidString)")
    private var url: URL { folder.appending(path: "people.sqlite") }

    private init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try withDatabase(url) { database in
            for start in stride(from: 0, to: Self.rows, by: 20_000) {
                try database.addPeople(start..<min(start + 20_000, Self.rows))
                drainMainQueue()
            }
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func populate() throws -> Double { try timeOfRegistering([]) }
    func populateFiltered() throws -> Double { try timeOfRegistering(["people"]) }

    /// Registers the next view; those that are there are loaded first. Returns µs a row.
    private func timeOfRegistering(_ there: [String]) throws -> Double {
        try withDatabase(url) { database in
            try register(there, in: database)
            let time = try passed { try register([there.isEmpty ? "people" : "active"], in: database) }
            return time * 1e6 / Double(Self.rows)
        }
    }

    private func register(_ names: [String], in database: YapDatabase) throws {
        for name in names {
            let view: YapDatabaseView =
                name == "people"
                ? peopleByCity
                : YapDatabaseFilteredView(
                    parentViewName: "people",
                    filtering: .withObjectBlock { _, _, _, _, object in (object as! Person).isActive }, versionTag: "1")
            try database.register(view, withName: name)
        }
    }

    private var peopleByCity: YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Person)?.city },
            sorting: .withObjectBlock { _, _, _, _, first, _, _, second in Person.byScore(first, second) },
            versionTag: "1")
    }

    /// The milliseconds of a commit that moves one row, of 10,000 at random places.
    func writeOne() throws -> Double {
        try withDatabase(url) { database in
            try register(["people", "active"], in: database)
            let connection = try database.newConnection()
            var random = SplitMix64(seed: 1)
            let time = try passed {
                for write in 0..<Self.writes {
                    let number = random.below(Self.rows)
                    var person = Person(number)
                    person.score = Double(random.below(1_000)) / 8
                    person.isActive.toggle()
                    try connection.readWrite {
                        try $0.setObject(person, forKey: Person.key(number), inCollection: Person.collection)
                    }
                    if write % 500 == 0 { drainMainQueue() }
                }
            }
            return time * 1e3 / Double(Self.writes)
        }
    }

    /// The milliseconds from a closed file to the first 50 rows of the filtered view.
    func openFirst() throws -> Double {
        var times: [Double] = []
        for _ in 0..<5 {
            times.append(
                try passed {
                    try withDatabase(url) { database in
                        try register(["people", "active"], in: database)
                        try database.newConnection().read { transaction in
                            let view = transaction.ext("active") as! YapDatabaseViewTransaction
                            for index in 0..<50 {
                                keep(try view.object(at: index, inGroup: "Amsterdam") == nil ? 0 : 1)
                            }
                        }
                    }
                })
        }
        return times.median * 1e3
    }

    /// The µs a row of the whole-file check.
    func check() throws -> Double {
        let time = try passed {
            let problems = try YapDatabase.check(url: url)
            guard problems.isEmpty else { throw UsageError("The check of the large views found: \(problems)") }
        }
        return time * 1e6 / Double(Self.rows)
    }

    /// The most memory of the process so far, in MB.
    static func peakMemory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1_000
    }
}
