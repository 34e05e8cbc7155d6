import Foundation
import SeededRandom
import YapDatabase

/// A transaction that moves one row in a long group, against SQLite alone; the length should not matter.
func viewCommitOneCase(_ rows: Int) -> Case {
    Case(name: "view_commit_one/\(rows)", n: rows, k: 1, unit: "µs", targets: [.ratio(atMost: 2.5)]) {
        try withScratchFolder { folder in
            let reference = try RawNumberList(folder.appending(path: "raw.sqlite"))
            try reference.inTransaction {
                try NumberList.forEach(0..<rows) { key, object in try reference.add(object, key) }
            }
            return try withDatabase(folder.appending(path: "ours.sqlite")) { database in
                let connection = try database.newConnection()
                try NumberList.add(0..<rows, to: connection)
                try NumberList.register(in: database)
                var random = SplitMix64(seed: 5)
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for move in 0..<2_000 {
                    let key = "\(Int.random(in: 0..<rows, using: &random))"
                    let object = NumberList.object(random.next())
                    times.ours.append(
                        try passed {
                            try connection.readWrite {
                                try $0.setObject(object, forKey: key, inCollection: NumberList.collection)
                            }
                        })
                    times.raw.append(try passed { try reference.inTransaction { try reference.set(object, key) } })
                    if move % 100 == 0 { drainMainQueue() }
                }
                return Measurement(value: times.ours.median * 1e6, reference: times.raw.median * 1e6)
            }
        }
    }
}
