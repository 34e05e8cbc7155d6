import Foundation
import YapDatabase

// The examples of the article "Writing while offline", and of the doc comments about mutations.

private struct Message: Codable, Sendable, Identifiable {
    var id: String
    var text: String
    var likes = 0
}
private struct Seat: Codable, Sendable, Identifiable {
    var id: String
    var guest: String
}
private struct Mark: Codable, Sendable, Identifiable {
    var id: String
    var upTo: Date
}
private struct Gone: Error {}
private struct Taken: Error { var by: String }

private let messages = YapCollection("messages", of: Message.self)
private let seats = YapCollection("seats", of: Seat.self)
private let marks = YapCollection("marks", of: Mark.self)

private enum OfflineExamples {
    struct Say: YapMutation {
        static let mutationName = "say"
        var id: String
        var text: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            try transaction[messages].save(Message(id: id, text: text))
        }
    }

    struct Edit: YapMutation {
        static let mutationName = "edit"

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {}
    }

    struct Like: YapMutation {
        static let mutationName = "like"
        var message: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            guard var liked = try transaction[messages][message] else { return }
            liked.likes += 1
            try transaction[messages].save(liked)
        }
    }

    struct Rename: YapMutation {
        static let mutationName = "rename"
        var message: String
        var text: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            guard var renamed = try transaction[messages][message] else { throw Gone() }
            renamed.text = text
            try transaction[messages].save(renamed)
        }
    }

    struct Book: YapMutation {
        static let mutationName = "book"
        var seat: String
        var guest: String

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            if let other = try transaction[seats][seat], other.guest != guest { throw Taken(by: other.guest) }
            try transaction[seats].save(Seat(id: seat, guest: guest))
        }
    }

    struct Read: YapMutation {
        static let mutationName = "read"
        static let dependsOnlyOnItsRows = true
        var person: String
        var upTo: Date

        func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
            let before = try transaction[marks][person]?.upTo ?? .distantPast
            try transaction[marks].save(Mark(id: person, upTo: max(before, upTo)))
        }
    }

    static func mutate(_ database: YapDatabase, _ connection: YapDatabaseConnection) async throws {
        database.registerMutations(Say.self, Edit.self)
        try await connection.mutate(Say(id: UUID().uuidString, text: "Hello"))
    }

    static func mutate(_ connection: YapDatabaseConnection) throws {
        try connection.mutate(Say(id: UUID().uuidString, text: "Hello"))
        for record in try connection.read({ try $0.rejectedMutations() }) { try connection.forgetMutation(record) }
        for record in try connection.read({ try $0.rejectedMutations() }) { try connection.repeatMutation(record) }
    }

    static func look(_ transaction: YapDatabaseReadTransaction, _ message: Message) throws {
        let mark = try transaction.hasPendingChanges(forKey: message.id, inCollection: "messages") ? "○" : "✓"
        print(mark)
        print(try transaction.pendingMutations().count, "wait for the server")
        for record in try transaction.rejectedMutations() { print(record.reason ?? "") }
    }

    static func list() -> YapList<YapMutationRecord, String, Never> {
        let waiting = YapList(
            "waiting", of: YapMutationRecord.all, sortedBy: .ascending(\.number), where: \.isSettled == false)
        return waiting
    }
}
