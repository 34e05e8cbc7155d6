import Foundation
import SeededRandom
import YapDatabase

/// New rows in random order into a view of one group, in one transaction, against a list kept with SQLite alone.
let viewInsertCase = Case(
    name: "view_insert", n: newRows, k: newRows, unit: "µs/row", targets: [.ratio(atMost: 3.5)]
) {
    var ours = Slices()
    var raw = Slices()
    var commits: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<5 {
        ours.begin()
        raw.begin()
        let times = try insertInTurn(&ours, &raw)
        commits.ours.append(times.ours)
        commits.raw.append(times.raw)
    }
    let scale = 1e6 / Double(newRows)
    return Measurement(
        value: (ours.total + commits.ours.median) * scale, reference: (raw.total + commits.raw.median) * scale)
}

private let newRows = 20_000
private let rowsInSlice = 100

/// - Returns: the time of the commits.
@MainActor private func insertInTurn(_ ours: inout Slices, _ raw: inout Slices) throws -> (ours: Double, raw: Double) {
    try withScratchFolder { folder in
        let reference = try RawNumberList(folder.appending(path: "raw.sqlite"))
        return try withDatabase(folder.appending(path: "ours.sqlite")) { database in
            NumberList.registerSerializer(in: database)
            try NumberList.register(in: database)
            var random = SplitMix64(seed: 1)
            let rows = (0..<newRows).map { (key: "\($0)", object: NumberList.object(random.next())) }
            var ends = (start: 0.0, raw: 0.0)
            let connection = try database.newConnection()
            try reference.inTransaction {
                try connection.readWrite { transaction in
                    for start in stride(from: 0, to: newRows, by: rowsInSlice) {
                        let slice = rows[start..<start + rowsInSlice]
                        ours.add(
                            try passed {
                                for (key, object) in slice {
                                    try transaction.setObject(
                                        object, forKey: key, inCollection: NumberList.collection)
                                }
                            })
                        raw.add(try passed { for (key, object) in slice { try reference.add(object, key) } })
                    }
                    ends.start = Time.passed
                }
                ends.raw = Time.passed
            }
            return (ends.raw - ends.start, Time.passed - ends.raw)
        }
    }
}
