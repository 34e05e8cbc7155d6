import Foundation
import SeededRandom
import YapDatabase

/// From a key that is typed into a search field to the change-set of the results, in a list of 100,000 rows: the search, its
/// commit, the jump and the change-set. Numbers of five digits are typed, first key by key, then all keys at once, so that each
/// cancels the search of the one before; there the time is that from the last key on. The greater of the two medians.
let searchWhileTypingCase = Case(
    name: "search_while_typing", n: people, k: 1, unit: "ms", targets: [.value(atMost: 30, "ms")]
) {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "people.sqlite")) { database in
            try database.addPeople(0..<people)
            try database.registerSearch()
            let field = try SearchField(database)
            var random = SplitMix64(seed: 9)
            var times: (single: [Double], last: [Double]) = ([], [])
            for _ in 0..<10 {
                let number = "\(Int.random(in: 10_000..<people, using: &random))"
                let keys = (1...5).map { number.prefix($0) + "*" }
                for key in keys {
                    times.single.append(
                        try passed {
                            field.type(key)
                            try field.showResults()
                        })
                }
                try field.clear()
                for key in keys.dropLast() {
                    field.type(key)
                    // As long as the first rows of a search take.
                    usleep(1_000)
                }
                times.last.append(
                    try passed {
                        field.type(keys[4])
                        try field.showResults()
                    })
                guard try field.count() == 1 else { throw RawError("\(try field.count()) rows are shown.") }
                try field.clear()
                drainMainQueue()
            }
            return Measurement(value: max(times.single.median, times.last.median) * 1e3)
        }
    }
}

/// A search field with the list of its results, as a program has them: searches in the background, the list on a connection in
/// a long-lived transaction.
private final class SearchField {
    private let queue = YapDatabaseSearchQueue()
    private let writer: YapDatabaseConnection
    private let reader: YapDatabaseConnection
    private let mappings = YapDatabaseViewMappings(groups: ["all"], view: "results")
    private let searches = DispatchGroup()

    init(_ database: YapDatabase) throws {
        (writer, reader) = (try database.newConnection(), try database.newConnection())
        try reader.beginLongLivedReadTransaction()
        try reader.read { try mappings.update(with: $0) }
    }

    /// Begins to search.
    func type(_ text: some StringProtocol) {
        queue.enqueueQuery(String(text))
        searches.enter()
        let (queue, searches) = (queue, searches)
        writer.asyncReadWrite(
            { transaction in
                let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
                try results.performSearch(with: queue)
            }, completionQueue: .global(), completionBlock: { searches.leave() })
    }

    /// Waits for the searches, and computes the change-set.
    func showResults() throws {
        searches.wait()
        let notifications = try reader.beginLongLivedReadTransaction()
        let view = reader.ext("results") as! YapDatabaseViewConnection
        keep(try view.getChanges(forNotifications: notifications, withMappings: mappings))
    }

    func clear() throws {
        type("")
        try showResults()
    }

    func count() throws -> Int {
        try reader.read { ($0.ext("results") as! YapDatabaseViewTransaction).numberOfItemsInAllGroups() }
    }
}

extension YapDatabase {
    fileprivate func registerSearch() throws {
        try register(
            YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "all" },
                sorting: .withKeyBlock { _, _, _, first, _, second in
                    first == second ? .orderedSame : first < second ? .orderedAscending : .orderedDescending
                }), withName: "list")
        let handler = YapDatabaseFullTextSearchHandler.withObjectBlock { _, dict, _, _, object in
            if let person = object as? Person { dict["text"] = person.name }
        }
        try register(YapDatabaseFullTextSearch(columnNames: ["text"], handler: handler), withName: "text")
        try register(
            YapDatabaseSearchResultsView(fullTextSearchName: "text", parentViewName: "list"), withName: "results")
    }
}
