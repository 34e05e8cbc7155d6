import CSQLite
import Foundation
import YapDatabase

/// What a second processor brings where a list is filled, and what it could bring at best.
let processorCases: [Case] = [
    Case(
        name: "populate_view/two_processors", n: rows, k: rows, unit: "µs/row", targets: [.ratio(atMost: 1 / 1.7)]
    ) {
        try measurePopulations { Measurement($0.two, $0.one, scale: 1e6 / Double(rows)) }
    },
    // One connection to SQLite writes the list, while nothing is left for another thread. The rest would take half the time.
    Case(name: "populate_view/two_at_best", n: rows, k: rows, unit: "µs/row") {
        try measurePopulations { times in
            let best = zip(times.one, times.writing).map { one, writing in (one - writing) / 2 + writing }
            return Measurement(times.two, best, scale: 1e6 / Double(rows))
        }
    },
]

private let rows = 100_000

private struct Times {
    var two: [Double] = []
    var one: [Double] = []
    /// What SQLite takes by hand to write the tables of the list.
    var writing: [Double] = []
}

@MainActor private func measurePopulations(_ body: (Times) -> Measurement) throws -> Measurement {
    try withItemFile { url in
        let raw = try RawHandle(url)
        return try withItems(url) { database in
            try ItemList.fields.register(in: database)
            let list = try WrittenList(raw, view: ItemList.name)
            try database.unregisterExtension(withName: ItemList.name)
            var times = Times()
            func populate() throws -> Double {
                spin()
                let seconds = try passed { try ItemList.fields.register(in: database) }
                try database.unregisterExtension(withName: ItemList.name)
                return seconds
            }
            for _ in 0..<7 {
                times.two.append(try populate())
                times.one.append(try onOneProcessor { try populate() })
                spin()
                times.writing.append(try passed { try list.write(raw) })
                try list.remove(raw)
            }
            return body(times)
        }
    }
}

/// Waits until what the removal of a table left in the log is copied, without letting the processors go to sleep.
private func spin() {
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
        let end = Time.passed + 0.03
        while Time.passed < end {}
    }
}

/// Keeps all threads of the process on one processor meanwhile: a thread begins where the one is kept that makes it.
private func onOneProcessor<Value>(_ body: () throws -> Value) throws -> Value {
    // The C library declares them for GNU sources only, which Swift's module of it is not.
    typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
    guard let get = dlsym(nil, "sched_getaffinity"), let set = dlsym(nil, "sched_setaffinity") else {
        throw RawError("The C library cannot keep a thread on a processor.")
    }
    let (getAffinity, setAffinity) = (
        unsafeBitCast(get, to: Affinity.self), unsafeBitCast(set, to: Affinity.self)
    )
    func keepAllThreads(on processors: [UInt8]) throws {
        var processors = processors
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap(pid_t.init) {
            // It may have ended.
            _ = setAffinity(thread, processors.count, &processors)
        }
    }
    var all = [UInt8](repeating: 0, count: 128)
    guard getAffinity(0, all.count, &all) >= 0, let first = all.firstIndex(where: { $0 != 0 }) else {
        throw RawError("The processors of the process are unknown.")
    }
    var one = [UInt8](repeating: 0, count: all.count)
    one[first] = all[first] & (0 &- all[first])
    try keepAllThreads(on: one)
    let result = Result { try body() }
    try keepAllThreads(on: all)
    return try result.get()
}

/// The tables of a list in memory, to be written again by hand.
private struct WrittenList {
    private let pages: [[any RawValue]]
    /// The text of each row's page, one after the other. The rows have the numbers that SQLite gives them.
    private let keys: [UInt8]
    private static let keyLength = 36
    private static let rowsOfRun = 128
    private static let (page, map) = (#""hand_page""#, #""hand_map""#)

    init(_ raw: RawHandle, view: String) throws {
        let fields = #""pageKey", "group", coalesce("prevPageKey", ''), "count", "data""#
        var (pages, rowids, keys): ([[any RawValue]], [Int64], [UInt8]) = ([], [], [])
        try raw.prepare("SELECT \(fields) FROM \"view_\(view)_page\" ORDER BY rowid").forEach {
            pages.append([$0.text(0), $0.text(1), $0.text(2), $0.int64(3), $0.data(4)])
        }
        try raw.prepare("SELECT \"rowid\", \"pageKey\" FROM \"view_\(view)_map\" ORDER BY \"rowid\"").forEach {
            rowids.append($0.int64(0))
            keys += $0.data(1)
        }
        guard keys.count == Self.keyLength * rowids.count else { throw RawError("A key is no UUID.") }
        guard rowids.elementsEqual(1...Int64(rowids.count)) else { throw RawError("A row is missing.") }
        (self.pages, self.keys) = (pages, keys)
    }

    /// In one transaction, the map by several rows a run, as ours does.
    func write(_ raw: RawHandle) throws {
        try raw.inTransaction {
            try raw.execute(
                """
                CREATE TABLE \(Self.page) ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, "prevPageKey" CHAR, \
                "count" INTEGER, "data" BLOB)
                """)
            try raw.execute("CREATE TABLE \(Self.map) (\"rowid\" INTEGER PRIMARY KEY, \"pageKey\" CHAR NOT NULL)")
            let insertion = try raw.prepare(
                #"INSERT INTO \#(Self.page) ("pageKey", "group", "prevPageKey", "count", "data") VALUES (?, ?, ?, ?, ?)"#
            )
            for page in pages { try insertion.run(page) }
            try writeMap(raw)
        }
    }

    private func writeMap(_ raw: RawHandle) throws {
        let count = keys.count / Self.keyLength
        let values = Array(repeating: "(?)", count: Self.rowsOfRun).joined(separator: ", ")
        let several = try raw.prepare("INSERT INTO \(Self.map) (\"pageKey\") VALUES \(values)")
        try keys.withUnsafeBytes { keys in
            for start in stride(from: 0, to: count - Self.rowsOfRun + 1, by: Self.rowsOfRun) {
                for step in 0..<Self.rowsOfRun {
                    let key = keys.baseAddress?.advanced(by: (start + step) * Self.keyLength)
                    sqlite3_bind_text(
                        several.pointer, Int32(step + 1), key?.assumingMemoryBound(to: CChar.self),
                        Int32(Self.keyLength), nil)
                }
                try several.run()
            }
        }
        let single = try raw.prepare("INSERT INTO \(Self.map) (\"pageKey\") VALUES (?)")
        for row in count / Self.rowsOfRun * Self.rowsOfRun..<count {
            try single.run(
                String(decoding: keys[row * Self.keyLength..<(row + 1) * Self.keyLength], as: UTF8.self))
        }
    }

    func remove(_ raw: RawHandle) throws {
        for table in [Self.page, Self.map] { try raw.execute("DROP TABLE \(table)") }
    }
}
