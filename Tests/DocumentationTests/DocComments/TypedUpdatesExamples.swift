import Foundation
import YapDatabase

/// The examples in the comments of what loops over lists can ask for, pages and groups.
private struct TypedUpdatesExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
        var title: String
        var genre: String
        var year: Int
    }
    struct Person: Codable, Sendable, Identifiable {
        var id: String
        var name: String
    }
    struct Photo: Codable, Sendable, Identifiable {
        var id: String
        var taken: Date
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadWriteTransaction
    let window: YapWindow
    let books = YapCollection("books", of: Book.self)
    let people = YapCollection("people", of: Person.self)
    let photos = YapCollection("photos", of: Photo.self)
    let order: YapList<Book, String, Never>
    let pages: YapPages<Book, String, Never>

    func rate() async throws {
        for try await update in connection.updates(of: order, .last(50)).atMostEvery(.milliseconds(100)) {
            print(update.rows.count)
        }
        for try await update in connection.updates(of: order).atMostEvery(.seconds(1)) { print(update.rows.count) }
    }

    func changes() {
        window.shown = .first(20, groups: ["sci-fi"])
        window.grow(by: 50)
        window.move(by: 20)  // of the last 50 rows, the 20 newest go, and 20 older ones come
    }

    func growing() async throws {
        let window = YapWindow(.last(50))
        for try await update in connection.updates(of: order, window) {
            if update.rows.count == 50 { window.grow(by: 50) }
        }
    }

    func keys() async throws {
        for try await update in connection.keys(of: order, .last(500)) { print(update.rows.last ?? "none") }
    }

    func counts() async throws {
        for try await counts in connection.counts(of: order) { print(counts.total, counts.groups.map(\.name)) }
        for try await count in connection.count(of: books.where(\.year < 1970)) { print(count) }
    }

    func former() async throws {
        for try await update in connection.updates(of: order) {
            guard case .changes(let changes) = update.outcome else { continue }
            for change in changes.rowChanges { print(change.type, update.oldValue(of: change)?.title ?? "new") }
        }
    }

    func titles() async throws {
        for try await update in connection.updates(of: order) { print(update.sectionIndex.titles) }
    }

    func index(_ update: YapListUpdate<Book>) {
        for title in update.sectionIndex.titles { print(title, update.sectionIndex.section(of: title) ?? 0) }
    }

    func groups() {
        let letters = YapList(
            "letters", of: people, groupedBy: .initial(\.name), sortedBy: .ascending(\.name, .caseInsensitive))
        let zone = TimeZone(identifier: "Europe/Berlin")!
        let days = YapList(
            "days", of: photos, groupedBy: .day(\.taken, in: zone, newestFirst: true), sortedBy: .ascending(\.taken))
        _ = (letters, days)
    }

    func letters() {
        let letters = YapList("letters", of: books, groupedBy: .initial(\.title), sortedBy: .ascending(\.title))
        _ = letters
    }

    func paging() async throws {
        let pages = order.pages(of: 50, in: "sci-fi")
        var page = try await connection.read { transaction in try transaction[pages].first() }
        page = try await connection.read { [page] transaction in try transaction[pages].page(after: page) }
        _ = page
    }

    func first() throws {
        var page = try transaction[pages].first()
        while !page.isLast { page = try transaction[pages].page(after: page) }
    }

    func throughAll() async throws {
        for try await page in connection.pages(order.pages(of: 500, in: "sci-fi")) { print(page.values.count) }
    }

    func backwards() throws {
        let newest = try transaction[pages].last()
        let older = try transaction[pages].page(before: newest)
        _ = older
    }

    func fromAKey() throws {
        let page = try transaction[pages].page(from: "dune")
        _ = page
    }
}

/// The example of a window that a task follows.
private struct WindowExamples {
    struct Book: Codable, Sendable, Identifiable {
        var id: String
    }
    let connection: YapDatabaseConnection
    let order: YapList<Book, String, Never>

    func windows() {
        let window = YapWindow(.last(50))
        Task { for try await update in connection.updates(of: order, window) { print(update.rows.count) } }
        window.grow(by: 50)  // an update with the change-set that inserts 50 older rows
    }
}

/// The examples of relations, manual lists and R-trees.
private struct RelationExamples {
    struct Song: Codable, Sendable, Identifiable {
        var id: Int
    }
    struct Photo: Codable, Sendable, Identifiable {
        var id: Int
        var tagIDs: [String]
    }
    struct Tag: Codable, Sendable, Identifiable {
        var id: String
    }
    struct Shop: Codable, Sendable, Identifiable {
        var id: Int
        var longitude: Double
        var latitude: Double
    }
    struct Friend: Codable, Sendable, Identifiable {
        var id: String
        var groupID: String?
    }
    struct Circle: Codable, Sendable, Identifiable {
        var id: String
    }
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let transaction: YapDatabaseReadWriteTransaction
    let songs = YapCollection("songs", of: Song.self)
    let photos = YapCollection("photos", of: Photo.self)
    let tags = YapCollection("tags", of: Tag.self)
    let shops = YapCollection("shops", of: Shop.self)
    let people = YapCollection("people", of: Friend.self)
    let membership: YapRelation<Friend, String, Never, Circle, String, Never>
    let likes: YapRelation<Friend, String, Never, Song, Int, Never>
    let playlist: YapList<Song, Int, Never>
    let map: YapRTreeIndex<Shop, Int, Never>

    func relation() throws {
        struct Person: Codable, Sendable, Identifiable {
            var id: String
            var groupID: String?
        }
        struct Group: Codable, Sendable, Identifiable {
            var id: String
        }
        let people = YapCollection("people", of: Person.self)
        let groups = YapCollection("groups", of: Group.self)
        let membership = YapRelation("membership", of: people, from: \.groupID, to: groups, onDelete: .clear)

        try database.register(membership)
        let members = try connection.read { transaction in try transaction[membership].sources(of: "friends") }
        _ = members
    }

    func many() {
        let tagged = YapRelation("tagged", of: photos, from: \.tagIDs, to: tags, onDelete: .clear)
        _ = tagged
    }

    func byHand() throws {
        let likes = YapRelation("likes", of: people, to: songs)
        try database.register(likes)
        try connection.readWrite { transaction in
            try transaction[likes].link("alice", to: 7)
        }
    }

    func values() throws {
        let members = try transaction[membership].sources(of: "friends")
        let group = try transaction[membership].targets(of: "alice").first
        _ = (members, group)
    }

    func keys() throws {
        let names = try transaction[membership].sourceKeys(of: "friends")
        let group = try transaction[membership].targetKeys(of: "alice").first
        _ = (names, group)
    }

    func counts() throws {
        let count = try transaction[membership].sourceCount(of: "friends")
        let others = try transaction[membership].targetCount(of: "alice")
        _ = (count, others)
    }

    func links() throws {
        try transaction[likes].link("alice", to: 7)
        try transaction[likes].unlink("alice", from: 8)
    }

    func manual() throws {
        let playlist = YapList.manual("playlist", of: songs)
        try database.register(playlist)
        try connection.readWrite { transaction in
            try transaction[playlist].append(8)
            try transaction[playlist].insert(7, at: 0)
        }
    }

    func playing() throws {
        try transaction[playlist].append(7, to: "evening")
        try transaction[playlist].insert(7, at: 0)
        try transaction[playlist].move(7, to: 3)
        try transaction[playlist].remove(7)
        try transaction[playlist].removeAll(in: "evening")
    }

    func boxes() throws {
        let map = YapRTreeIndex("map", of: shops, on: .at(\.longitude), .at(\.latitude))
        try database.register(map)
        let near = try connection.read { transaction in
            try transaction[map].values(overlapping: .range(13.3...13.5), .range(52.4...52.6))
        }
        _ = near
    }

    func parts() throws {
        let near = try transaction[map].values(overlapping: .range(13.3...13.5), .range(52.4...52.6))
        let north = try transaction[map].values(within: .all, .range(52.5...90))
        _ = (near, north)
    }
}
