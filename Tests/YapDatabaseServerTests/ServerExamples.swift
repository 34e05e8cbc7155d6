import Foundation
import YapDatabaseServer

// The examples of docs/server.md and of the doc comments.

func openTeam(_ url: URL) throws -> YapDatabase {
    var options = YapDatabaseServerOptions(address: "postgres://alice@db.example.com/yap", space: "team")
    options.collections = .allExcept(["drafts"])
    return try YapDatabase.open(url: url, server: options)
}

func showState(of database: YapDatabase) async {
    guard let server = database.server else { return }
    for await state in server.states { print(state) }
}

func say(_ text: String, in database: YapDatabase) throws {
    try database.newConnection().readWrite { transaction in
        transaction.serverMode = .rows
        try transaction.setObject(text, forKey: UUID().uuidString, inCollection: "messages")
    }
}

func takeServerState(of database: YapDatabase, copy: URL) async throws {
    guard let server = database.server else { return }
    for await state in server.states {
        guard case .refused = state else { continue }
        try database.takeServerState(copyingTo: copy)
        return
    }
}

func openBooks(_ url: URL) throws -> YapDatabase {
    var options = YapDatabaseServerOptions(address: "postgres://alice@db.example.com/team", space: "books")
    options.timeout = .seconds(5)
    let database = try YapDatabase.open(url: url, server: options)
    return database
}

func restore(_ database: YapDatabase) throws {
    let restoration = try database.restoreSpace(address: "postgres://alice@db.example.com/team")
    print(restoration.isComplete)
}

func tellSpace(_ database: YapDatabase) throws {
    if let space = try database.followedSpace { print("follows \(space.name)") }
}

func detach(_ database: YapDatabase) throws {
    try database.detachFromServer()
}

func rules() -> YapDatabaseServerRule {
    var rule = YapDatabaseServerRule(collection: "notes")
    rule.owner = .field("author")  // alone changes and removes a note
    rule.readers = .field("members")  // "alice&bob", or "#all" for everyone
    rule.signed = ["reactions"]  // each adds and removes the own name
    return rule
}

struct Announce: YapMutation {
    static let mutationName = "announce"
    var id: String
    var text: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.setObject(text, forKey: id, inCollection: "news")
    }
}

func announce(_ text: String, in database: YapDatabase) async throws {
    try await database.newConnection().mutate(Announce(id: UUID().uuidString, text: text))
}
