import Foundation
import PostgreSQLBridge
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A row of a collection with a rule.
struct Note: Codable, Hashable, Sendable {
    let id: String
    var author: String
    var members: String
    var text = ""
    var likes: [String: [String]]?
    var unseen: [String]?
}

let notes = YapCollection("notes", of: Note.self, key: \.id)

/// Alice, Bob and Mallory have a role and a host each, and names in a space with a rule.
final class Parties {
    let scene: Scene
    private(set) var roles: [String: String] = [:]
    private(set) var hosts: [String: YapDatabase] = [:]

    init(_ scene: Scene, rule: YapDatabaseServerRule = Parties.rule) throws {
        self.scene = scene
        let admin = try scene.administration()
        for name in ["alice", "bob", "mallory"] {
            let role = "\(name)-\(UUID().uuidString.lowercased())"
            try scene.sql().execute("CREATE ROLE \"\(role)\" LOGIN", limits: AnswerLimits())
            try admin.grant(role: role, space: scene.space, canWrite: true)
            try admin.setName(name, ofRole: role, space: scene.space)
            roles[name] = role
        }
        #expect(try admin.setRules([rule], space: scene.space) == 0)
        for (name, role) in roles { hosts[name] = try scene.host(name, user: role) }
    }

    static var rule: YapDatabaseServerRule {
        var rule = YapDatabaseServerRule(collection: notes.name)
        (rule.owner, rule.readers) = (.field("author"), .field("members"))
        (rule.signed, rule.acknowledged) = (["likes"], ["unseen"])
        rule.removal = .whenLast(inField: "unseen")
        return rule
    }

    func write(_ name: String, _ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        try #require(hosts[name]).newConnection().readWrite(body)
    }

    func save(_ note: Note, by name: String) throws { try write(name) { try $0[notes].save(note) } }

    /// Waits until a host has the last commit.
    func wait(for name: String) throws {
        try scene.waitForNumber(scene.truth().number, in: #require(hosts[name]))
    }

    /// Waits until a host has the last commit, and returns its notes.
    func seen(_ name: String) throws -> [String: Note] {
        try wait(for: name)
        let host = try #require(hosts[name])
        let values = try host.newConnection().read { try $0[notes].decodableValues().values }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.id, $0) })
    }

    func expectRefusal(_ part: String, by name: String, _ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws
    {
        let error = #expect(throws: YapDatabaseServerError.self) { try self.write(name, body) }
        #expect(error?.code == .refusedByRule)
        #expect(error?.message.contains(part) == true, "\(String(describing: error)) has no \(part)")
    }

    /// What a role's own SQL says.
    func sql(_ name: String, _ statement: String, _ values: [PostgreSQLValue] = []) throws -> [Int] {
        var answers: [Int] = []
        try scene.sql(user: try #require(roles[name])).query(statement, values, limits: AnswerLimits()) {
            answers.append(try $0.int(0))
        }
        return answers
    }
}
