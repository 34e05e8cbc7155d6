import Foundation
import TestSupport
import Testing

@testable import YapDatabaseServer

/// What hosts do to shared rows, each with a line in the order of its host: so a test sees whether each was done once and in order.
struct Deed: YapMutation {
    enum Kind: String, Codable, CaseIterable {
        case put, remove, increment, append, transfer
    }

    static let mutationName = "deed"

    var host: String
    var number: Int
    var kind: Kind
    var key: String
    var value: String
    /// Throws where there is no such row.
    var needsRow = false

    struct Impossible: Error, CustomStringConvertible {
        var description: String
    }

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        func text(_ key: String, _ collection: String) throws -> String? {
            try transaction.object(forKey: key, inCollection: collection) as? String
        }
        // Before anything is refused, so that a refusal has something to take back.
        let order = try text(host, "order")
        try transaction.setObject(
            (order.map { $0 + "," } ?? "") + "\(number)", forKey: host, inCollection: "order", withMetadata: key)
        if needsRow, try text(key, "c") == nil { throw Impossible(description: "There is no row \(key).") }
        switch kind {
        case .put: try transaction.setObject(value, forKey: key, inCollection: "c")
        case .remove: try transaction.removeObject(forKey: key, inCollection: "c")
        case .increment:
            let count = Int(try text(key, "counts") ?? "0") ?? 0
            try transaction.setObject("\(count + 1)", forKey: key, inCollection: "counts")
        case .append: try transaction.setObject((try text(key, "c") ?? "A") + value, forKey: key, inCollection: "c")
        case .transfer:
            let (from, to) = (key, value)
            let rest = (Int(try text(from, "bank") ?? "100") ?? 0) - 30
            guard rest >= 0 else { throw Impossible(description: "Account \(from) has too little.") }
            try transaction.setObject("\(rest)", forKey: from, inCollection: "bank")
            let more = (Int(try text(to, "bank") ?? "100") ?? 0) + 30
            try transaction.setObject("\(more)", forKey: to, inCollection: "bank")
        }
    }
}

/// Adds a line at the end of a list.
struct AddLine: YapMutation {
    struct Line: Codable, Sendable, Identifiable {
        var id: String
        var place: Int
    }

    static let mutationName = "add line"
    static let lines = YapCollection("lines", of: Line.self)
    static let list = YapList("in order", of: lines, sortedBy: .ascending(\.place))

    var id: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let place = try transaction[Self.list].values().count
        try transaction[Self.lines].save(Line(id: id, place: place))
    }
}

/// Sets one row, and reads nothing.
struct Put: YapMutation {
    static let mutationName = "put"
    static let dependsOnlyOnItsRows = true

    var key: String
    var value: String?
    var collection = "c"

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.setObject(value, forKey: key, inCollection: collection)
    }
}

/// Adds one to a counter, which has to be there.
struct Increment: YapMutation {
    static let mutationName = "increment"

    var key: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        guard let text = try transaction.object(forKey: key, inCollection: "c") as? String, let number = Int(text)
        else {
            throw Deed.Impossible(description: "There is no counter \(key).")
        }
        try transaction.setObject("\(number + 1)", forKey: key, inCollection: "c")
    }
}

extension YapDatabase {
    @discardableResult
    func make(_ mutation: some YapMutation) throws -> UUID { try newConnection().mutate(mutation) }

    var pending: [YapMutationRecord] {
        get throws { try newConnection().read { try $0.pendingMutations() } }
    }

    var rejected: [YapMutationRecord] {
        get throws { try newConnection().read { try $0.rejectedMutations() } }
    }

    func waitUntilSent() throws {
        try waitUntil("everything is sent; \(String(describing: server?.state)) \(server?.reasonOfWaiting ?? "")") {
            try pending.isEmpty
        }
    }
}
