import YapDatabase

/// What a program keeps of commits that it never looks at: its main queue does not run, so notifications wait, and it holds a
/// stream of commits that it does not read.
let commitBacklogCase = Case(
    name: "commit_backlog", n: 100, k: commits, unit: "MB", targets: [.value(atMost: 2, "MB")], isAlone: true
) {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "people.sqlite"), .normal) { database in
            let connection = try database.newConnection()
            // Pages, caches and statements that every writer has.
            try write(2_000, on: connection)
            drainMainQueue()
            let before = try residentMegabytes()
            let stream = database.commits
            try write(commits, on: connection)
            let after = try residentMegabytes()
            return withExtendedLifetime(stream) { Measurement(value: after - before) }
        }
    }
}

private let commits = 100_000

private func write(_ count: Int, on connection: YapDatabaseConnection) throws {
    for number in 0..<count {
        try connection.readWrite {
            try $0.setObject(Person(number), forKey: Person.key(number % 100), inCollection: Person.collection)
        }
    }
}
