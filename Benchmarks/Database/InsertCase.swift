import Foundation
import YapDatabase

/// New rows in one transaction, with its commit.
func insertCase(_ name: String, _ synchronous: YapDatabaseOptions.Synchronous) -> Case {
    Case(name: "insert/\(name)", n: people, k: people, unit: "µs/row", targets: [.ratio(atMost: 1.3)]) {
        var ours = Slices()
        var raw = Slices()
        var commits: (ours: [Double], raw: [Double]) = ([], [])
        let rows = (0..<people).map { (Person.key($0), Person($0)) }
        for _ in 0..<3 {
            ours.begin()
            raw.begin()
            let times = try insertInTurn(rows, synchronous, &ours, &raw)
            commits.ours.append(times.ours)
            commits.raw.append(times.raw)
        }
        let scale = 1e6 / Double(people)
        return Measurement(
            value: (ours.total + commits.ours.median) * scale, reference: (raw.total + commits.raw.median) * scale)
    }
}

private let rowsInSlice = 100

/// Fills a new database and a new raw one, with alternating slices.
///
/// - Returns: the time of the commits.
@MainActor private func insertInTurn(
    _ rows: [(key: String, person: Person)], _ synchronous: YapDatabaseOptions.Synchronous, _ ours: inout Slices,
    _ raw: inout Slices
) throws -> (ours: Double, raw: Double) {
    try withScratchFolder { folder in
        let reference = try RawDatabase(folder.appending(path: "raw.sqlite"), synchronous)
        return try withDatabase(folder.appending(path: "ours.sqlite"), synchronous) { database in
            var end = 0.0
            try reference.execute("BEGIN IMMEDIATE")
            try database.newConnection().readWrite { transaction in
                for start in stride(from: 0, to: rows.count, by: rowsInSlice) {
                    let slice = rows[start..<min(rows.count, start + rowsInSlice)]
                    ours.add(
                        try passed {
                            for (key, person) in slice {
                                try transaction.setObject(person, forKey: key, inCollection: Person.collection)
                            }
                        })
                    raw.add(try passed { for (key, person) in slice { try reference.insert(person, key) } })
                }
                end = Time.passed
            }
            return (Time.passed - end, try passed { try reference.execute("COMMIT") })
        }
    }
}
