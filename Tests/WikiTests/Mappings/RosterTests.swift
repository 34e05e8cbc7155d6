@MainActor @Suite struct RosterTests {
    @Test func aDynamicSectionIsThereWhileItHasRows() async throws {
        try await withDatabase { database in
            database.registerCodableSerialization(Buddy.self, forCollection: "buddies")
            let view = YapDatabaseAutoView(
                grouping: .withObjectBlock { _, _, _, object in (object as? Buddy)?.status },
                sorting: .withKeyBlock { _, _, _, one, _, other in one.compared(to: other) })
            try await database.register(view, withName: "roster")
            let screen = Screen()
            let controller = try RosterViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            defer { controller.stopObserving() }
            try controller.viewDidLoad()
            #expect(controller.mappings?.isDynamicSection(forGroup: "away") == true)
            #expect(controller.mappings?.isDynamicSection(forGroup: "offline") == false)
            #expect(screen.rows == [[]], "Only the static section is there.")

            try await set("away", ["Bob", "Eve"], in: database)
            #expect(controller.mappings?.visibleGroups() == ["away", "offline"])
            #expect(controller.lastChanges.sectionChanges.map(\.type) == [.insert])
            #expect(screen.rows == [["Bob", "Eve"], []])

            try await set("available", ["Bob"], in: database)
            #expect(screen.rows == [["Bob"], ["Eve"], []])

            // One section goes, and its row stays on the screen in another.
            try await set("offline", ["Eve"], in: database)
            #expect(controller.lastChanges.sectionChanges.map(\.type) == [.delete])
            #expect(screen.rows == [["Bob"], ["Eve"]])

            try await set("offline", ["Bob"], in: database)
            #expect(controller.mappings?.visibleGroups() == ["offline"])
            #expect(screen.rows == [["Bob", "Eve"]])
        }
    }

    private func set(_ status: String, _ names: [String], in database: YapDatabase) async throws {
        try await database.newConnection().readWrite { transaction in
            for name in names {
                try transaction.setObject(
                    Buddy(name: name, status: status), forKey: name, inCollection: "buddies")
            }
        }
        await mainQueueIsEmpty()
    }
}
