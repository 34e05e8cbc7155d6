import Foundation
import SeededRandom
import YapDatabase

/// Rows by key in random order, without a cache: a search and a decode.
let uncachedPointReadCase = Case(
    name: "point_read_uncached", n: people, k: 1, unit: "µs", targets: [.ratio(atMost: 1.3)]
) {
    try withPeople { database, url in
        let reference = try RawDatabase(url, .normal)
        let connection = try database.newConnection()
        connection.objectCacheEnabled = false
        var random = SplitMix64(seed: 7)
        var times: (ours: [Double], raw: [Double]) = ([], [])
        try reference.execute("BEGIN")
        try connection.read { transaction in
            for _ in 0..<500 {
                let keys = (0..<readsInSample).map { _ in Person.key(Int.random(in: 0..<people, using: &random)) }
                times.ours.append(try read(keys, transaction))
                times.raw.append(try passed { for key in keys { keep(try reference.person(key)) } })
            }
        }
        try reference.execute("COMMIT")
        return Measurement(value: times.ours.median.perRead, reference: times.raw.median.perRead)
    }
}

/// Rows by key from the connection's cache.
let cachedPointReadCase = Case(
    name: "point_read_cached", n: people, k: 1, unit: "µs", targets: [.value(atMost: 0.3, "µs")]
) {
    try withPeople { database, _ in
        // As many as a connection caches by default, all of them in use.
        let keys = (0..<readsInSample).map { Person.key($0 * 400) }
        let times = try database.newConnection().read { transaction in
            try (0..<2_000).map { _ in try read(keys, transaction) }
        }
        return Measurement(value: times.median.perRead)
    }
}

private let readsInSample = 200

extension Double {
    fileprivate var perRead: Double { self / Double(readsInSample) * 1e6 }
}

private func read(_ keys: [String], _ transaction: YapDatabaseReadTransaction) throws -> Double {
    try passed {
        for key in keys { keep(try transaction.object(forKey: key, inCollection: Person.collection) as? Person) }
    }
}

/// Opens a database that holds all people.
@MainActor func withPeople<Value>(_ body: (YapDatabase, URL) throws -> Value) throws -> Value {
    try withScratchFolder { folder in
        let url = folder.appending(path: "people.sqlite")
        try withDatabase(url) { try $0.addPeople(0..<people) }
        return try withDatabase(url) { try body($0, url) }
    }
}
