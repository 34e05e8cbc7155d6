import Foundation
import YapDatabase

/// Many rows in one transaction, with its commit: without and with a view.
let itemWriteCases: [Case] = [
    insertItemsCase, insertWithViewCase("random", .fields, isRandom: true),
    insertWithViewCase("ascending", .fields, isRandom: false),
    insertWithViewCase("random_blocks", .blocks, isRandom: true), bulkUpdateCase,
]

private let items = 100_000
private let rowsInSlice = 100

/// The reference has its bytes ready; the limit is 1.15 times that, and 1.5 µs to encode.
private let insertItemsCase = Case(
    name: "insert/default", n: items, k: items, unit: "µs/row", targets: [.ratio(atMost: 1.15)]
) {
    let rows = Item.all(0..<items, isRandom: true)
    let bytes = try rows.map { try $0.item.encoded() }
    let result = try inTurn(rows, nil) { raw, range in
        for index in range { try raw.insert(bytes[index], rows[index].key) }
    }
    return Measurement(value: result.value, reference: result.reference.map { $0 + 1.5 / 1.15 })
}

private func insertWithViewCase(_ name: String, _ list: ItemList, isRandom: Bool) -> Case {
    Case(
        name: "insert_with_view/\(name)", n: items, k: items, unit: "µs/row",
        targets: [.ratio(atMost: 1.6)]
    ) {
        let rows = Item.all(0..<items, isRandom: isRandom)
        return try inTurn(rows, list) { raw, range in
            for (key, item) in rows[range] { try raw.add(item, key) }
        }
    }
}

/// Inserts the rows into a new database and a raw one, with alternating slices, three times.
@MainActor private func inTurn(
    _ rows: [(key: String, item: Item)], _ list: ItemList?, _ insert: (RawItems, Range<Int>) throws -> Void
) throws -> Measurement {
    var (ours, raw) = (Slices(), Slices())
    var commits: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<3 {
        ours.begin()
        raw.begin()
        try withScratchFolder { folder in
            let reference = try RawItems(folder.appending(path: "raw.sqlite"))
            try withItems(folder.appending(path: "ours.sqlite")) { database in
                try list?.register(in: database)
                let connection = try database.newConnection()
                var ends = (start: 0.0, raw: 0.0)
                try reference.inTransaction {
                    try connection.readWrite { transaction in
                        for start in stride(from: 0, to: rows.count, by: rowsInSlice) {
                            let range = start..<min(rows.count, start + rowsInSlice)
                            ours.add(try passed { try transaction.add(rows[range]) })
                            raw.add(try passed { try insert(reference, range) })
                        }
                        ends.start = Time.passed
                    }
                    ends.raw = Time.passed
                }
                commits.ours.append(ends.raw - ends.start)
                commits.raw.append(Time.passed - ends.raw)
            }
        }
    }
    let scale = 1e6 / Double(rows.count)
    return Measurement(
        value: (ours.total + commits.ours.median) * scale, reference: (raw.total + commits.raw.median) * scale)
}

/// 10,000 of 100,000 rows get another place in one commit, to the change-set of a list that shows all rows; against the raw writes.
private let bulkUpdateCase = Case(
    name: "bulk_update_with_view", n: items, k: 10_000, unit: "µs/row", targets: [.ratio(atMost: 1.8)]
) {
    try withScratchFolder { folder in
        let reference = try RawItems(folder.appending(path: "raw.sqlite"))
        let rows = Item.all(0..<items, isRandom: true)
        try reference.inTransaction { for (key, item) in rows { try reference.add(item, key) } }
        return try withItems(folder.appending(path: "ours.sqlite"), 0..<items) { database in
            try ItemList.fields.register(in: database)
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try reader.beginLongLivedReadTransaction()
            let mappings = try ItemList.mappings(reader)
            var times: (ours: [Double], raw: [Double]) = ([], [])
            for round in 1...5 {
                let changes = Item.all(round * items..<round * items + 10_000, isRandom: true).enumerated().map {
                    index, row in (key: Item.key((index * 7 + round) % items), item: row.item)
                }
                times.ours.append(
                    try passed {
                        try writer.readWrite { try $0.add(changes[...]) }
                        let commits = try reader.jump()
                        let view = reader.ext(ItemList.name) as! YapDatabaseViewConnection
                        keep(try view.outcome(for: commits, with: mappings))
                    })
                times.raw.append(
                    try passed {
                        try reference.inTransaction { for (key, item) in changes { try reference.set(item, key) } }
                    })
                drainMainQueue()
            }
            return Measurement(times.ours, times.raw, scale: 1e6 / 10_000)
        }
    }
}
