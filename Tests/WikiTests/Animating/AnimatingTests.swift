@MainActor @Suite struct AnimatingTests {
    @Test func theTableFollowsTheView() async throws {
        try await withDatabase { database in
            database.registerCodableSerialization(Book.self, forCollection: "books")
            let screen = Screen()
            let controller = try SalesRankViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            defer { controller.stopObserving() }
            try controller.viewDidLoad()
            // The underlying view is not ready yet.
            #expect(controller.mappings == nil && screen.rows == [])

            try await database.register(Self.salesRank(), withName: "SalesRank")
            await mainQueueIsEmpty()
            #expect(screen.rows == [[], [], []])

            let writer = try database.newConnection()
            try await writer.readWrite { transaction in
                for (key, genre, rank) in [
                    ("Dune", "sci-fi", 1), ("Hyperion", "sci-fi", 2), ("Solaris", "sci-fi", 3), ("It", "horror", 1),
                ] {
                    let book = Book(title: key, genre: genre, salesRank: rank)
                    try transaction.setObject(book, forKey: key, inCollection: "books")
                }
            }
            await mainQueueIsEmpty()
            #expect(screen.isAnimating)
            #expect(screen.rows == [[], ["Dune", "Hyperion", "Solaris"], ["It"]])

            // Each kind of change at once, and a commit between that moves nothing.
            try await writer.readWrite { transaction in
                let solaris = Book(title: "Solaris", genre: "sci-fi", salesRank: 0)
                try transaction.setObject(solaris, forKey: "Solaris", inCollection: "books")
                try transaction.removeObject(forKey: "It", inCollection: "books")
                let dune = Book(title: "Dune (1965)", genre: "sci-fi", salesRank: 1)
                try transaction.setObject(dune, forKey: "Dune", inCollection: "books")
            }
            try await writer.readWrite { transaction in
                let hobbit = Book(title: "The Hobbit", genre: "fantasy", salesRank: 1)
                try transaction.setObject(hobbit, forKey: "The Hobbit", inCollection: "books")
            }
            await mainQueueIsEmpty()
            #expect(screen.rows == [["The Hobbit"], ["Solaris", "Dune (1965)", "Hyperion"], []])
            #expect(!screen.isAnimating)

            try await writer.readWrite { transaction in
                let poem = Book(title: "Ode", genre: "poetry", salesRank: 1)
                try transaction.setObject(poem, forKey: "Ode", inCollection: "books")
            }
            await mainQueueIsEmpty()
            #expect(!screen.isAnimating, "The group is not on the screen.")
            #expect(screen.rows == [["The Hobbit"], ["Solaris", "Dune (1965)", "Hyperion"], []])
        }
    }

    private static func salesRank() -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Book)?.genre },
            sorting: .withObjectBlock { _, _, _, _, one, _, _, other in
                (one as! Book).salesRank.compared(to: (other as! Book).salesRank)
            })
    }
}
