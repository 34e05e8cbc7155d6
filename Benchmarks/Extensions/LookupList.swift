import Foundation
import YapDatabase

/// How people are looked up in a case: with an extension, and by hand with SQLite alone.
struct LookupList: Sendable {
    let name: String
    /// The extension, and how to read the rows that it finds.
    let register: @Sendable (YapDatabase) throws -> Void
    let find: @Sendable (YapDatabaseReadTransaction, (Any) -> Void) throws -> Void
    /// The same tables, the statement that fills them, and what it stores of a person.
    let schema: [String]
    let insertion: String
    let columns: @Sendable (Person) -> [any RawValue]
    /// A query for the objects of the same rows.
    let selection: String

    /// New rows in one transaction, with its commit.
    func insertCase(atMost ratio: Double) -> Case {
        Case(name: "\(name)_insert", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: ratio)]) {
            let rows = (0..<people).map { (Person.key($0), Person($0)) }
            var (ours, raw) = (Slices(), Slices())
            var commits: (ours: [Double], raw: [Double]) = ([], [])
            for _ in 0..<3 {
                ours.begin()
                raw.begin()
                let times = try insertInTurn(rows, &ours, &raw)
                commits.ours.append(times.ours)
                commits.raw.append(times.raw)
            }
            let scale = 1e6 / Double(people)
            return Measurement(
                value: (ours.total + commits.ours.median) * scale, reference: (raw.total + commits.raw.median) * scale)
        }
    }

    /// A query that finds a hundredth of the rows, with their objects decoded.
    func queryCase(atMost ratio: Double) -> Case {
        Case(name: "\(name)_query", n: people, k: people / 100, unit: "ms", targets: [.ratio(atMost: ratio)]) {
            try withScratchFolder { folder in
                let rows = (0..<people).map { (Person.key($0), Person($0)) }
                let reference = try RawLookup(folder.appending(path: "raw.sqlite"), self)
                try reference.inTransaction { for (key, person) in rows { try reference.insert(person, key) } }
                return try withDatabase(folder.appending(path: "ours.sqlite")) { database in
                    try register(database)
                    try database.addPeople(0..<people)
                    let connection = try database.newConnection()
                    var times: (ours: [Double], raw: [Double]) = ([], [])
                    var found = (ours: 0, raw: 0)
                    for _ in 0..<50 {
                        times.ours.append(
                            try passed { try connection.read { try find($0) { _ in found.ours += 1 } } })
                        times.raw.append(try passed { try reference.find { _ in found.raw += 1 } })
                    }
                    guard found.ours == found.raw, found.raw == people / 2 else {
                        throw RawError("\(found.ours) and \(found.raw) rows were found.")
                    }
                    return Measurement(value: times.ours.median * 1e3, reference: times.raw.median * 1e3)
                }
            }
        }
    }

    /// - Returns: the time of the commits.
    @MainActor private func insertInTurn(
        _ rows: [(key: String, person: Person)], _ ours: inout Slices, _ raw: inout Slices
    ) throws -> (ours: Double, raw: Double) {
        try withScratchFolder { folder in
            let reference = try RawLookup(folder.appending(path: "raw.sqlite"), self)
            return try withDatabase(folder.appending(path: "ours.sqlite")) { database in
                try register(database)
                var ends = (start: 0.0, raw: 0.0)
                let connection = try database.newConnection()
                try reference.inTransaction {
                    try connection.readWrite { transaction in
                        for start in stride(from: 0, to: rows.count, by: 100) {
                            let slice = rows[start..<start + 100]
                            ours.add(
                                try passed {
                                    for (key, person) in slice {
                                        try transaction.setObject(person, forKey: key, inCollection: Person.collection)
                                    }
                                })
                            raw.add(try passed { for (key, person) in slice { try reference.insert(person, key) } })
                        }
                        ends.start = Time.passed
                    }
                    ends.raw = Time.passed
                }
                return (ends.raw - ends.start, Time.passed - ends.raw)
            }
        }
    }
}

/// The reference: the same tables kept with SQLite alone.
private final class RawLookup {
    private let handle: RawHandle
    private let row: RawStatement
    private let insertion: RawStatement
    private let selection: RawStatement
    private let columns: @Sendable (Person) -> [any RawValue]
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(_ url: URL, _ list: LookupList) throws {
        handle = try RawHandle(url, setup: list.schema)
        row = try handle.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        insertion = try handle.prepare(list.insertion)
        selection = try handle.prepare(list.selection)
        columns = list.columns
    }

    func inTransaction(_ body: () throws -> Void) throws { try handle.inTransaction(body) }

    func insert(_ person: Person, _ key: String) throws {
        try row.run(Person.collection, key, try encoder.encode(person))
        try insertion.run([handle.lastInsertRowid] + columns(person))
    }

    func find(_ body: (Person) -> Void) throws {
        try selection.forEach { body(try decoder.decode(Person.self, from: $0.data(0))) }
    }
}
