import YapDatabase

/// Rows against raw SQLite, in a database of 100,000.
let databaseCases: [Case] =
    synchronousLevels.map(insertCase) + [uncachedPointReadCase, cachedPointReadCase, enumerateCase]
    + synchronousLevels.map { commitOneCase($0, $1) } + [
        commitOneCase("normal", .normal, isWatched: true), commitBacklogCase,
    ] + connectionMemoryCases

/// Rows in the database.
let people = 100_000

private let synchronousLevels: [(name: String, level: YapDatabaseOptions.Synchronous)] = [
    ("normal", .normal), ("full", .full),
]
