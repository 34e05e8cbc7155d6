import Foundation
import YapDatabase

/// Registration of a view over existing rows, against reading and decoding them, sorting them with the same block, and
/// writing the same tables with SQLite alone.
let viewRegisterCase = Case(
    name: "view_register", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.5)]
) {
    try withScratchFolder { folder in
        let url = folder.appending(path: "people.sqlite")
        try withDatabase(url) { try $0.addPeople(0..<people) }
        var times: (ours: [Double], raw: [Double]) = ([], [])
        for round in 0..<3 {
            let copies = (ours: folder.appending(path: "ours-\(round)"), raw: folder.appending(path: "raw-\(round)"))
            try copyDatabase(url, to: copies.ours)
            try copyDatabase(url, to: copies.raw)
            try withDatabase(copies.ours) { database in
                times.ours.append(try passed { try database.register(peopleByCity, withName: "people") })
            }
            let reference = try RawPeopleList(copies.raw)
            times.raw.append(try passed { try reference.make() })
        }
        return Measurement(times.ours, times.raw, scale: 1e6 / Double(people))
    }
}

/// Registration of three views together over existing rows, against that of one of them. Each sorts all its rows.
let registerThreeCase = Case(
    name: "register_three_views", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.4)]
) {
    try withScratchFolder { folder in
        let url = folder.appending(path: "people.sqlite")
        return try withDatabase(url) { database in
            try database.addPeople(0..<people)
            var times: (three: [Double], one: [Double]) = ([], [])
            for _ in 0..<5 {
                times.three.append(
                    try passed {
                        try database.register([("a", peopleByCity), ("b", peopleByAge), ("c", activePeople)])
                    })
                for name in ["a", "b", "c"] { try database.unregisterExtension(withName: name) }
                times.one.append(try passed { try database.register(peopleByCity, withName: "a") })
                try database.unregisterExtension(withName: "a")
            }
            let scale = 1e6 / Double(people)
            return Measurement(value: times.three.median * scale, reference: times.one.median * scale)
        }
    }
}

private let peopleByAge = YapDatabaseAutoView(
    grouping: .withObjectBlock { _, _, _, object in (object as? Person).map { "\($0.age / 10)" } },
    sorting: .withObjectBlock { _, _, _, _, first, _, _, second in Person.byScore(first, second) })

private let activePeople = YapDatabaseAutoView(
    grouping: .withObjectBlock { _, _, _, object in (object as? Person)?.isActive == true ? "active" : nil },
    sorting: .withObjectBlock { _, _, _, _, first, _, _, second in Person.byScore(first, second) })

private let peopleByCity = YapDatabaseAutoView(
    grouping: .withObjectBlock { _, _, _, object in (object as? Person)?.city },
    sorting: .withObjectBlock { _, _, _, _, first, _, _, second in Person.byScore(first, second) })

/// The same view, made with SQLite alone.
private struct RawPeopleList {
    private let database: RawHandle

    init(_ url: URL) throws {
        database = try RawHandle(
            url,
            setup: [
                #"CREATE TABLE "map" ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#,
                """
                CREATE TABLE "page" ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, "prevPageKey" CHAR, \
                "count" INTEGER, "data" BLOB)
                """,
            ])
    }

    func make() throws {
        let rows = try database.prepare(#"SELECT "rowid", "data" FROM "database2""#)
        let decoder = JSONDecoder()
        var groups: [String: [(person: Any, rowid: Int64)]] = [:]
        try rows.forEach { row in
            let person = try decoder.decode(Person.self, from: row.data(1))
            groups[person.city, default: []].append((person, row.int64(0)))
        }
        try database.inTransaction {
            for (group, rows) in groups {
                let sorted = rows.sorted { Person.byScore($0.person, $1.person) == .orderedAscending }
                try write(sorted.map(\.rowid), group)
            }
        }
    }

    private func write(_ rowids: [Int64], _ group: String) throws {
        let page = try database.prepare(
            #"INSERT INTO "page" ("pageKey", "group", "prevPageKey", "count", "data") VALUES (?, ?, ?, ?, ?)"#)
        let map = try database.prepare(#"INSERT INTO "map" ("rowid", "pageKey") VALUES (?, ?)"#)
        var previous = ""
        var places: [(rowid: Int64, page: String)] = []
        for start in stride(from: 0, to: rowids.count, by: 50) {
            let (key, rows) = (UUID().uuidString, rowids[start..<min(start + 50, rowids.count)])
            try page.run(key, group, previous, Int64(rows.count), rows.withUnsafeBytes { Data($0) })
            for rowid in rows { places.append((rowid, key)) }
            previous = key
        }
        for place in places.sorted(by: { $0.rowid < $1.rowid }) { try map.run(place.rowid, place.page) }
    }
}
