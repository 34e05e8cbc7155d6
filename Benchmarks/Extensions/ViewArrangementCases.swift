import Foundation
import YapDatabase

/// Views that are arranged again or made from other views.
let viewArrangementCases: [Case] = [populateFilteredCase, setSortingCase]

/// Registration of a filtered view, against reading the parent's rows with SQLite alone in the parent's order, decoding them and
/// asking the same filter.
private let populateFilteredCase = Case(
    name: "populate_filtered", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.5)]
) {
    try withPeopleByCity { url in
        let reference = try RawPeople(url)
        return try withDatabase(url) { database in
            try database.register(peopleByCity(byScore, tag: "1"), withName: "people")
            var times: (ours: [Double], raw: [Double]) = ([], [])
            for _ in 0..<3 {
                let filtered = YapDatabaseFilteredView(
                    parentViewName: "people",
                    filtering: .withObjectBlock { _, _, _, _, object in isChosen(object as! Person) })
                times.ours.append(try passed { try database.register(filtered, withName: "chosen") })
                try database.unregisterExtension(withName: "chosen")
                times.raw.append(try passed { keep(try reference.countInOrderOfView(where: isChosen)) })
            }
            return Measurement(times.ours, times.raw, scale: 1e6 / Double(people))
        }
    }
}

/// `setSorting` to another order of all rows, against reading and decoding them with SQLite alone and sorting them with the same
/// block.
private let setSortingCase = Case(
    name: "set_sorting", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.3)]
) {
    try withPeopleByCity { url in
        let reference = try RawPeople(url)
        return try withDatabase(url) { database in
            try database.register(peopleByCity(byScore, tag: "1"), withName: "people")
            let connection = try database.newConnection()
            var times: (ours: [Double], raw: [Double]) = ([], [])
            for round in 0..<4 {
                let order = round % 2 == 0 ? byName : byScore
                times.ours.append(
                    try passed {
                        try connection.readWrite { transaction in
                            let view = transaction.ext("people") as! YapDatabaseAutoViewTransaction
                            try view.setSorting(sorting(order), versionTag: "round \(round)")
                        }
                    })
                times.raw.append(try passed { keep(try reference.sorted(by: order)) })
            }
            return Measurement(times.ours, times.raw, scale: 1e6 / Double(people))
        }
    }
}

private typealias Order = @Sendable (Any, Any) -> ComparisonResult

private let byScore: Order = { Person.byScore($0, $1) }

private let byName: Order = { first, second in
    let (a, b) = ((first as! Person).name, (second as! Person).name)
    return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
}

private func isChosen(_ person: Person) -> Bool { Int(person.score) % 2 == 0 }

private func sorting(_ order: @escaping Order) -> YapDatabaseViewSorting {
    .withObjectBlock { _, _, _, _, first, _, _, second in order(first, second) }
}

private func peopleByCity(_ order: @escaping Order, tag: String) -> YapDatabaseAutoView {
    YapDatabaseAutoView(
        grouping: .withObjectBlock { _, _, _, object in (object as? Person)?.city }, sorting: sorting(order),
        versionTag: tag)
}

/// Runs the body with a file of people that has a view of them.
@MainActor private func withPeopleByCity<Value>(_ body: (URL) throws -> Value) throws -> Value {
    try withScratchFolder { folder in
        let url = folder.appending(path: "people.sqlite")
        try withDatabase(url) { database in
            try database.addPeople(0..<people)
            try database.register(peopleByCity(byScore, tag: "1"), withName: "people")
        }
        return try body(url)
    }
}

/// The same rows, read with SQLite alone.
private struct RawPeople {
    private let database: RawHandle

    init(_ url: URL) throws { database = try RawHandle(url, setup: []) }

    func sorted(by order: Order) throws -> Int {
        let rows = try database.prepare(#"SELECT "rowid", "data" FROM "database2""#)
        let decoder = JSONDecoder()
        var groups: [String: [(person: Any, rowid: Int64)]] = [:]
        try rows.forEach { row in
            let person = try decoder.decode(Person.self, from: row.data(1))
            groups[person.city, default: []].append((person, row.int64(0)))
        }
        return groups.values.reduce(0) { count, rows in
            count + rows.sorted { order($0.person, $1.person) == .orderedAscending }.count
        }
    }

    func countInOrderOfView(where isIncluded: (Person) -> Bool) throws -> Int {
        let pages = try database.prepare(#"SELECT "data" FROM "view_people_page" ORDER BY "group", rowid"#)
        let row = try database.prepare(#"SELECT "data" FROM "database2" WHERE "rowid" = ?"#)
        let decoder = JSONDecoder()
        var rowids: [Int64] = []
        try pages.forEach { page in
            page.data(0).withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    rowids.append(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)))
                }
            }
        }
        var count = 0
        for rowid in rowids {
            guard let data = try row.first(rowid, read: { $0.data(0) }) else {
                throw RawError("There is no row \(rowid).")
            }
            if isIncluded(try decoder.decode(Person.self, from: data)) { count += 1 }
        }
        return count
    }
}
