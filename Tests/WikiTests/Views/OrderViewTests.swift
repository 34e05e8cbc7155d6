import Synchronization

@Suite struct OrderViewTests {
    @Test func aViewStoresAnOrderedArrayOfCollectionAndKeyForEachGroup() throws {
        try withOrderDatabase { database, dbConnection in
            // Conceptualize a view like this Dictionary:
            let imagined: [String: [(String, String)]] = [
                "books": [("fiction", "key24"), ("fantasy", "key7"), ("mystery", "key11")],
                "magazines": [("gossip", "key60"), ("science", "key49")],
            ]
            try dbConnection.read { transaction in
                let view = try #require(transaction.ext("order") as? YapDatabaseViewTransaction)
                #expect(try view.dictionary() == imagined.comparable)
                #expect(view.versionTag() == "2019-05-20")
            }
        }
    }

    @Test func theViewUpdatesItselfWithEachChange() throws {
        try withOrderDatabase { database, dbConnection in
            try dbConnection.readWrite { transaction in
                try transaction.setObject(Book(title: "Zadig"), forKey: "key24", inCollection: "fiction")
                try transaction.removeObject(forKey: "key60", inCollection: "gossip")
                try transaction.setObject("neither book nor magazine", forKey: "key7", inCollection: "other")
                let view = transaction.ext("order") as? YapDatabaseViewTransaction
                #expect(
                    try view?.dictionary() == [
                        "books": [["fantasy", "key7"], ["mystery", "key11"], ["fiction", "key24"]],
                        "magazines": [["science", "key49"]],
                    ])
            }
        }
    }

    @Test func eachKindOfBlockIsCalledForWhatItNeeds() throws {
        let calls = Calls()
        for (index, grouping) in makeGroupings(calls.note).enumerated() {
            try withDatabase { database in
                let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, one, _, other in one.compared(to: other) }
                let view = YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "\(index)")
                try database.register(view, withName: "order")
                try database.newConnection().readWrite { transaction in
                    try transaction.setObject("a", forKey: "a", inCollection: "c", withMetadata: 1)
                    try transaction.replace("b", forKey: "a", inCollection: "c")
                    try transaction.replaceMetadata(2, forKey: "a", inCollection: "c")
                }
            }
        }
        // A key block is called once, the others after each change of what they need.
        #expect(calls.counts == ["key": 1, "object": 2, "metadata": 2, "row": 3])
    }

    @Test func aWhitelistKeepsOtherCollectionsOut() throws {
        try withDatabase { database in
            let calls = Calls()
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, collection, _ in
                    calls.note(collection)
                    return "all"
                }, sorting: .withKeyBlock { _, _, _, one, _, other in one.compared(to: other) }, versionTag: "1",
                options: makeOptions())
            try database.newConnection().readWrite { transaction in
                for collection in ["Foo", "Bar", "Other"] {
                    try transaction.setObject(1, forKey: "in \(collection)", inCollection: collection)
                }
            }
            try database.register(view, withName: "order")
            try database.newConnection().read { transaction in
                let view = try #require(transaction.ext("order") as? YapDatabaseViewTransaction)
                #expect(try view.dictionary() == ["all": [["Bar", "in Bar"], ["Foo", "in Foo"]]])
            }
            #expect(calls.counts == ["Foo": 1, "Bar": 1])
        }
    }
}

/// Books and magazines, and the view of the document over them, once it is registered.
func withOrderDatabase(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
        try fillOrderDatabase(database)
        try body(database, database.newConnection())
    }
}

func fillOrderDatabase(_ database: YapDatabase) throws {
    database.registerBooksAndMagazines()
    try database.newConnection().readWrite { transaction in
        try transaction.setObject(Book(title: "Amerika"), forKey: "key24", inCollection: "fiction")
        try transaction.setObject(Book(title: "Beowulf"), forKey: "key7", inCollection: "fantasy")
        try transaction.setObject(Book(title: "Curtain"), forKey: "key11", inCollection: "mystery")
        try transaction.setObject(Magazine(title: "Hello", month: 1), forKey: "key60", inCollection: "gossip")
        try transaction.setObject(Magazine(title: "Atom", month: 2), forKey: "key49", inCollection: "science")
    }
    registerOrder(in: database, grouping: makeGrouping(), sorting: makeSorting())
    try waitUntil("The registration") { database.registeredExtension("order") != nil }
}

extension YapDatabase {
    func registerBooksAndMagazines() {
        for collection in ["fiction", "fantasy", "mystery"] {
            registerCodableSerialization(Book.self, forCollection: collection)
        }
        for collection in ["gossip", "science"] {
            registerCodableSerialization(Magazine.self, forCollection: collection)
        }
    }
}

/// Counts calls of blocks.
final class Calls: Sendable {
    private let all = Mutex<[String: Int]>([:])

    @Sendable func note(_ call: String) { all.withLock { $0[call, default: 0] += 1 } }

    var counts: [String: Int] { all.withLock { $0 } }
}
