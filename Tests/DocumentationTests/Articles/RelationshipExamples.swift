import Foundation
import TestSupport
import Testing
import YapDatabase

/// The examples of the article about relationships, compiled and run.
@Suite struct RelationshipExamplesTests {
    struct Tag: Codable, Sendable, Identifiable {
        var id: Int
    }

    @Test func examplesOfTheArticleRunAsItSays() async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"))
            let connection = try database.newConnection()

            struct Person: Codable, Sendable, Identifiable {
                var id: String
                var groupID: String?
                var tagIDs: [Int] = []
            }
            struct Group: Codable, Sendable, Identifiable {
                var id: String
            }
            let people = YapCollection("people", of: Person.self)
            let groups = YapCollection("groups", of: Group.self)
            let membership = YapRelation("membership", of: people, from: \.groupID, to: groups, onDelete: .clear)
            try await database.register(membership)

            try await connection.readWrite { transaction in
                try transaction[groups].save(Group(id: "friends"))
                try transaction[people].save(Person(id: "alice", groupID: "friends"))
                try transaction[people].save(Person(id: "bob", groupID: "friends"))
            }

            try await connection.read { transaction in
                let members = try transaction[membership].sources(of: "friends")  // the values of alice and bob
                let group = try transaction[membership].targets(of: "alice").first  // the value of friends
                let count = try transaction[membership].sourceCount(of: "friends")  // 2; reads no row
                print(members.map(\.id), group?.id ?? "", count)
            }
            try await connection.read { transaction in
                let members = try transaction[membership].sourceKeys(of: "friends")
                #expect(members.sorted() == ["alice", "bob"])
                #expect(try transaction[membership].targets(of: "alice").map(\.id) == ["friends"])
                #expect(try transaction[membership].sourceCount(of: "friends") == 2)
            }

            do {
                try await connection.readWrite { transaction in
                    try transaction[people].save(Person(id: "carol", groupID: "nowhere"))
                }
            } catch let error as YapDatabaseError where error.code == .missingRow {
                print(error.message)
            }
            #expect(try await connection.read { try $0[people].count } == 2)

            try await connection.readWrite { transaction in try transaction[groups].remove("friends") }
            let alice = try await connection.read { transaction in try transaction[people]["alice"] }
            print(alice?.groupID ?? "in no group")
            #expect(alice != nil && alice?.groupID == nil)

            let tags = YapCollection("tags", of: Tag.self)
            let tagged = YapRelation("tagged", of: people, from: \.tagIDs, to: tags, onDelete: .clear)

            let likes = YapRelation("likes", of: people, to: tags)
            try await database.register(tagged, likes)
            try await connection.readWrite { transaction in
                try transaction[tags].save(Tag(id: 7))
                try transaction[likes].link("alice", to: 7)
            }
            try await connection.readWrite { transaction in
                try transaction[people].update("bob") { $0.tagIDs = [7] }
                #expect(try transaction[likes].sources(of: 7).map(\.id) == ["alice"])
                #expect(try transaction[tagged].sourceKeys(of: 7) == ["bob"])
            }
            try await connection.readWrite { transaction in try transaction[tags].remove(7) }
            #expect(try await connection.read { try $0[people]["bob"]?.tagIDs } == [])
            #expect(try await connection.read { try $0[likes].targetCount(of: "alice") } == 0)

            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }
}
