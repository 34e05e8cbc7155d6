/// Runs a test with a database in a folder of its own; at the end the whole file must be in order.
func withDatabase(_ body: (YapDatabase) throws -> Void) throws {
    try withTemporaryFolder { folder in
        let url = folder.appending(path: "wiki.sqlite")
        let database = try YapDatabase(url: url)
        try body(database)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}

/// The async form.
func withDatabase(
    isolation: isolated (any Actor)? = #isolation, _ body: (YapDatabase) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let url = folder.appending(path: "wiki.sqlite")
        let database = try YapDatabase(url: url)
        try await body(database)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }
}

/// Runs bodies with the same file, each in a launch of its own.
func withLaunches(_ launches: (YapDatabase) throws -> Void...) throws {
    try withTemporaryFolder { folder in
        let url = folder.appending(path: "wiki.sqlite")
        for launch in launches {
            let database = try YapDatabase(url: url)
            try launch(database)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}

extension YapDatabaseViewTransaction {
    /// The view as the documents picture it: a dictionary from groups to arrays of collection and key.
    func dictionary() throws -> [String: [[String]]] {
        var groups: [String: [[String]]] = [:]
        for group in allGroups() {
            try iterateKeys(inGroup: group) { (collection, key, index, stop) in
                groups[group, default: []].append([collection, key])
            }
        }
        return groups
    }
}

extension [String: [(String, String)]] {
    /// The same, from the documents' literals.
    var comparable: [String: [[String]]] { mapValues { $0.map { [$0.0, $0.1] } } }
}

extension Comparable {
    func compared(to other: Self) -> ComparisonResult {
        self == other ? .orderedSame : self < other ? .orderedAscending : .orderedDescending
    }
}
