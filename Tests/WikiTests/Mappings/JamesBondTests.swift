@MainActor @Suite struct JamesBondTests {
    @Test func theTableShowsTheChosenGroupsAndFollowsTheView() async throws {
        try await withDatabase { database in
            try fillBondDatabase(database)
            let screen = Screen()
            let controller = try JamesBondViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            defer { controller.stopObserving() }
            try controller.viewDidLoad()
            let actors = ["Daniel Craig", "Pierce Brosnan", "Sean Connery"]
            #expect(screen.rows == [["Goldfinger", "GoldenEye"], actors])

            try await database.newConnection().readWrite { transaction in
                let movie = Movie(title: "Dr. No", year: 1962, groups: ["bond movies"])
                try transaction.setObject(movie, forKey: "drno", inCollection: "movies")
                try transaction.removeObject(forKey: "xyz123", inCollection: "movies")
            }
            await mainQueueIsEmpty()
            #expect(screen.isAnimating)
            #expect(screen.rows == [["Dr. No", "Goldfinger"], actors])
        }
    }

    @Test func aViewThatIsRegisteredLaterIsShownThen() async throws {
        try await withDatabase { database in
            let screen = Screen()
            let controller = try JamesBondViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            defer { controller.stopObserving() }
            try controller.viewDidLoad()
            #expect(controller.mappings == nil && screen.rows == [])
            try fillBondDatabase(database)
            await mainQueueIsEmpty()
            #expect(screen.rows.map(\.count) == [2, 3])
        }
    }
}
