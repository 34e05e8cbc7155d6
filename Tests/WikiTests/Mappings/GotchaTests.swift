@MainActor @Suite struct GotchaTests {
    @Test func mappingsThatMissACommitAreTold() throws {
        try withBondDatabase { database, dbConnection in
            let screen = Screen()
            let controller = try CrashingViewController(dbConnection: dbConnection, tableView: screen.tableView)
            controller.isVisible = false
            try add("Dr. No", 1962, to: database)
            try controller.yapDatabaseModified(notification: modified)
            controller.isVisible = true
            try add("Moonraker", 1979, to: database)
            let error = #expect(throws: YapDatabaseError.self) {
                try controller.yapDatabaseModified(notification: modified)
            }
            #expect(error?.code == .mismatchedMappings)
            #expect("\(error!)".contains("was asked for changes, but given mismatched mappings & notifications"))
        }
    }

    @Test func aHiddenViewUpdatesItsMappingsWithoutAChangeSet() throws {
        try withBondDatabase { database, dbConnection in
            let screen = Screen()
            let controller = try QuickViewController(dbConnection: dbConnection, tableView: screen.tableView)
            controller.isVisible = false
            screen.tableView.reloadData()
            #expect(screen.rows == [])
            try add("Dr. No", 1962, to: database)
            try controller.yapDatabaseModified(notification: modified)
            #expect(controller.mappings.snapshotOfLastUpdate == dbConnection.snapshot)
            controller.isVisible = true
            try add("Moonraker", 1979, to: database)
            try controller.yapDatabaseModified(notification: modified)
            #expect(screen.rows.first == ["Dr. No", "Goldfinger", "Moonraker", "GoldenEye"])
        }
    }

    private let modified = Notification(name: .YapDatabaseModified)

    private func add(_ title: String, _ year: Int, to database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction in
            let movie = Movie(title: title, year: year, groups: ["bond movies"])
            try transaction.setObject(movie, forKey: title, inCollection: "movies")
        }
    }
}
