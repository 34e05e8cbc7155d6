import Foundation
import SeededRandom
import YapDatabase

/// From a key that is typed into a search field to the change-set of the results, in a list of 100,000 rows: the search, its
/// commit, the jump and the change-set. Numbers of five digits are typed; the median of all keys.
let searchWhileTypingCase = Case(
    name: "search_while_typing", n: people, k: 1, unit: "ms", targets: [.value(atMost: 30, "ms")]
) {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "people.sqlite")) { database in
            try database.addPeople(0..<people)
            try database.registerSearch()
            let (writer, reader) = (try database.newConnection(), try database.newConnection())
            try reader.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["all"], view: "results")
            try reader.read { try mappings.update(with: $0) }
            let queue = YapDatabaseSearchQueue()
            func search(_ text: String) throws {
                queue.enqueueQuery(text)
                try writer.readWrite { transaction in
                    let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
                    try results.performSearch(with: queue)
                }
                let notifications = try reader.beginLongLivedReadTransaction()
                let view = reader.ext("results") as! YapDatabaseViewConnection
                keep(try view.getChanges(forNotifications: notifications, withMappings: mappings))
            }
            var random = SplitMix64(seed: 9)
            var times: [Double] = []
            for _ in 0..<10 {
                let number = "\(Int.random(in: 10_000..<people, using: &random))"
                for length in 1...5 { times.append(try passed { try search(number.prefix(length) + "*") }) }
                try search("")
                drainMainQueue()
            }
            return Measurement(value: times.median * 1e3)
        }
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
