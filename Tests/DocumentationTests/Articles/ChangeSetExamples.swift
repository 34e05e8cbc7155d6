import Foundation
import LiveTable
import TestSupport
import Testing

@Suite struct ChangeSetExamples {
    @Test func aValueIsAdvanced() throws {
        var before = Mappings(groups: ["available", "away"])
        before.setIsDynamicSection(true, forGroup: "away")
        before.update(counts: ["available": 2, "away": 0])

        // Bob, the second of the available ones, goes away.
        let bob = RowKey(collection: "buddies", key: "bob")
        let (after, outcome) = try before.advanced(by: [
            .deleteRow(group: "available", index: 1, key: bob), .insertSection(group: "away"),
            .insertRow(group: "away", index: 0, key: bob),
        ])
        guard case .changes(let changes) = outcome else { return }
        print(changes)  // insert section 1 "away"; move [0,1] -> [1,0]

        var sections = [ListSection(group: "available", rows: ["Alice", "Bob"])]
        try changes.apply(to: &sections) { path in "Bob at \(path)" }
        print(sections.map(\.rows))  // [["Alice"], ["Bob at [1,0]"]]

        #expect(after.visibleGroups == ["available", "away"])
        #expect(changes.sectionChanges == [SectionChange(type: .insert, index: 1, group: "away")])
        #expect(changes.rowChanges.map(\.type) == [.move])
        #expect(sections.map(\.rows) == [["Alice"], ["Bob at [1,0]"]])
    }

    @MainActor func show(_ changes: ChangeSet, in tableView: TableView) throws {
        tableView.beginUpdates()
        for change in changes.sectionChanges {
            switch change.type {
            case .delete: try tableView.deleteSections([change.index], with: .automatic)
            default: try tableView.insertSections([change.index], with: .automatic)
            }
        }
        for change in changes.rowChanges {
            switch (change.type, change.before.map(IndexPath.init), change.after.map(IndexPath.init)) {
            case (.delete, let before?, _): try tableView.deleteRows(at: [before], with: .automatic)
            case (.insert, _, let after?): try tableView.insertRows(at: [after], with: .automatic)
            case (.move, let before?, let after?): try tableView.moveRow(at: before, to: after)
            case (.update, let before?, _): try tableView.reloadRows(at: [before], with: .automatic)
            default: break
            }
        }
        try tableView.endUpdates()
    }

    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
    }

    @Test func aStreamYieldsThem() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "books.sqlite"))
            let connection = try database.newConnection()
            let books = YapCollection("books", of: Book.self)
            let titles = try await database.register(YapList("titles", of: books, sortedBy: .ascending(\.title)))
            var updates = connection.updates(of: titles).makeAsyncIterator()
            #expect(try await updates.next()?.outcome == .reload)
            try await connection.readWrite { try $0[books].save(Book(id: "dune", title: "Dune")) }
            let update = try await updates.next()
            guard case .changes(let changes) = update?.outcome else {
                Issue.record("\(String(describing: update))")
                return
            }
            #expect(changes.rowChanges.map(\.type) == [.insert])
            try database.close()
        }
    }

    func coordinate(
        _ first: YapList<Book, String, Never>, _ second: YapList<Book, String, Never>, _ database: YapDatabase
    )
        async throws
    {
        func reload(_ list: YapDatabaseViewMappings) { print(list.view) }
        func animate(_ changes: ChangeSet, in list: YapDatabaseViewMappings) { print(list.view, changes) }

        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        let left = first.mappings()
        let right = second.mappings(.last(50))
        try coordinator.follow(left)
        try coordinator.follow(right)
        for await _ in database.commits {
            for (list, outcome) in try coordinator.advance() {
                switch outcome {
                case .none: break
                case .changes(let changes): animate(changes, in: list)
                case .reload: reload(list)
                }
            }
        }
    }
}
