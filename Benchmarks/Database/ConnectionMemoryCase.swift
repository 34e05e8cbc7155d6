import Foundation
import YapDatabase

/// The memory of a connection that reads, and of one that has written too, with full caches: SQLite's pages, objects, keys.
let connectionMemoryCases = [
    connectionMemoryCase("connection_memory/reader", fillCaches),
    connectionMemoryCase("connection_memory/writer") { connection in
        try fillCaches(connection)
        try changeSome(connection)
        try fillCaches(connection)
    },
]

private func connectionMemoryCase(_ name: String, _ use: @escaping @Sendable (YapDatabaseConnection) throws -> Void)
    -> Case
{
    Case(name: name, n: people, k: people, unit: "MB", targets: [.value(atMost: 2, "MB")], isAlone: true) {
        try withFewAllocations { database in
            // The first connection also pays for what all of them share.
            let first = try database.newConnection()
            try use(first)
            let before = try residentMegabytes()
            let connections = try (0..<16).map { _ in try database.newConnection() }
            try connections.forEach(use)
            let after = try residentMegabytes()
            return withExtendedLifetime((first, connections)) {
                Measurement(value: (after - before) / Double(connections.count))
            }
        }
    }
}

/// Opens a database that was filled in small steps, because freed memory of a larger step would hide what is used now.
@MainActor private func withFewAllocations<Value>(_ body: (YapDatabase) throws -> Value) throws -> Value {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "people.sqlite")) { database in
            for start in stride(from: 0, to: people, by: 1_000) {
                try database.addPeople(start..<start + 1_000)
                drainMainQueue()
            }
            return try body(database)
        }
    }
}

@Sendable private func fillCaches(_ connection: YapDatabaseConnection) throws {
    try connection.read { transaction in
        for number in stride(from: 0, to: people, by: 20) {
            keep(try transaction.object(forKey: Person.key(number), inCollection: Person.collection))
            keep(try transaction.metadata(forKey: Person.key(number), inCollection: Person.collection))
            keep(try transaction.hasObject(forKey: Person.key(number), inCollection: Person.collection))
        }
    }
}

/// Changes a row in each of some transactions, and many in one.
@Sendable private func changeSome(_ connection: YapDatabaseConnection) throws {
    func change(_ number: Int, _ transaction: YapDatabaseReadWriteTransaction) throws {
        let key = Person.key(number)
        guard let person = try transaction.object(forKey: key, inCollection: Person.collection) else { return }
        try transaction.setObject(person, forKey: key, inCollection: Person.collection)
    }
    for number in 0..<20 { try connection.readWrite { try change(number * 4_999, $0) } }
    try connection.readWrite { transaction in
        for number in stride(from: 0, to: people, by: 100) { try change(number, transaction) }
    }
}

/// Returns the resident memory of the process.
func residentMegabytes() throws -> Double {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return Double(Int(fields[1]) ?? 0) * Double(getpagesize()) / 1e6
}
