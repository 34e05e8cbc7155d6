import Foundation
import YapDatabase

/// A transaction that adds one row to many, from its begin to the end of its commit.
/// - Parameter isWatched: whether another process has the file open, for which each commit writes a record.
func commitOneCase(
    _ name: String, _ synchronous: YapDatabaseOptions.Synchronous, isWatched: Bool = false
) -> Case {
    Case(
        name: isWatched ? "commit_one_watched/\(name)" : "commit_one/\(name)", n: people, k: 1, unit: "µs",
        targets: isWatched ? [] : [.ratio(atMost: 1.35)]
    ) {
        try withScratchFolder { folder in
            let (url, rawURL) = (folder.appending(path: "ours.sqlite"), folder.appending(path: "raw.sqlite"))
            try withDatabase(url) { try $0.addPeople(0..<people) }
            try copyDatabase(url, to: rawURL)
            let reference = try RawDatabase(rawURL, synchronous)
            return try withDatabase(url, synchronous) { database in
                let watcher = isWatched ? try FileHolder(url) : nil
                defer { watcher?.end() }
                let connection = try database.newConnection()
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for number in people..<people + (synchronous == .full ? 500 : 3_000) {
                    let (key, person) = (Person.key(number), Person(number))
                    times.ours.append(
                        try passed {
                            try connection.readWrite {
                                try $0.setObject(person, forKey: key, inCollection: Person.collection)
                            }
                        })
                    times.raw.append(
                        try passed {
                            try reference.execute("BEGIN IMMEDIATE")
                            try reference.insert(person, key)
                            try reference.execute("COMMIT")
                        })
                    if number % 100 == 0 { drainMainQueue() }
                }
                return Measurement(value: times.ours.median * 1e6, reference: times.raw.median * 1e6)
            }
        }
    }
}
