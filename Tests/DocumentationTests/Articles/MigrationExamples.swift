import Foundation
import TestSupport
import Testing
import YapDatabase

/// The examples of the article about migrations, compiled and run, and those of its doc comments.
@Suite struct MigrationExamplesTests {
    /// Opens a database in which the first version of the program has stored a row.
    private func withRow<Old: Codable & Sendable>(
        _ row: Old, in collection: String, _ body: (YapDatabase) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"))
            let old = YapCollection(collection, of: Old.self, key: { _ in 1 })
            try await database.newConnection().write { try $0[old].save(row) }
            try await body(database)
            try database.close()
            #expect(try YapDatabase.check(url: database.databaseURL) == [])
        }
    }

    private struct Named: Codable, Sendable {
        var id: Int
        var name: String
    }

    @Test func aFieldIsAdded() async throws {
        struct Contact: Codable, Sendable, Identifiable {
            var id: Int
            var name: String
            var stars: Int  // new in version 2
        }
        let contacts = YapCollection("contacts", of: Contact.self, version: 2, migrating: .from(1, .adding("stars", 3)))
        try await withRow(Named(id: 1, name: "Ada"), in: "contacts") { database async throws in
            let ada = try await database.newConnection().read { try $0[contacts][1] }
            #expect(ada?.name == "Ada" && ada?.stars == 3)
        }
    }

    @Test func aFieldHasAnotherName() async throws {
        struct OldCustomer: Codable, Sendable {
            var id: Int
            var mobile: String
        }
        struct Customer: Codable, Sendable, Identifiable {
            var id: Int
            var phone: String  // was "mobile"
        }
        let customers = YapCollection(
            "customers", of: Customer.self, version: 2, migrating: .from(1, .renaming("mobile", to: "phone")))
        try await withRow(OldCustomer(id: 1, mobile: "555"), in: "customers") { database async throws in
            #expect(try await database.newConnection().read { try $0[customers][1]?.phone } == "555")
        }
    }

    @Test func severalFieldsChange() async throws {
        struct Person: Codable, Sendable, Identifiable {
            var id: Int
            var phone: String
            var nickname: String
        }
        struct OldPerson: Codable, Sendable {
            var id: Int
            var mobile: String
        }
        let people = YapCollection(
            "people", of: Person.self, version: 2,
            migrating: .from(1, .renaming("mobile", to: "phone"), .adding("nickname", "")))
        try await withRow(OldPerson(id: 1, mobile: "555"), in: "people") { database async throws in
            let result = try await database.migrate(people)
            #expect(result.migrated == 1)
            let person = try await database.newConnection().read { try $0[people][1] }
            #expect(person?.phone == "555" && person?.nickname == "")
        }
    }

    @Test func aNameIsSplitInTheDocComment() async throws {
        struct PersonV1: Codable, Sendable {
            var id: Int
            var name: String
        }
        struct Person: Codable, Sendable, Identifiable {
            var id: Int
            var first: String
            var last: String
            var phone: String
        }
        let people = YapCollection(
            "people", of: Person.self, version: 2,
            migrating: .from(1, PersonV1.self) { old in
                let parts = old.name.split(separator: " ")
                return Person(
                    id: old.id, first: parts.first.map(String.init) ?? "",
                    last: parts.dropFirst().joined(separator: " "), phone: "")
            })
        try await withRow(PersonV1(id: 1, name: "Ada Lovelace"), in: "people") { database async throws in
            #expect(try await database.newConnection().read { try $0[people][1]?.last } == "Lovelace")
            try migrateNow()
            func migrateNow() throws {
                let result = try database.migrate(people)
                print(result.migrated, result.problems)
                #expect(result.migrated == 1)
            }
        }
    }

    @Test func aFieldIsSplit() async throws {
        struct PersonV1: Codable, Sendable {
            var id: Int
            var name: String
        }
        struct PersonV2: Codable, Sendable, Identifiable {
            var id: Int
            var first: String
            var last: String

            init(_ old: PersonV1) {
                let parts = old.name.split(separator: " ", maxSplits: 1).map(String.init)
                (id, first, last) = (old.id, parts.first ?? "", parts.dropFirst().first ?? "")
            }
        }
        let people = YapCollection(
            "people", of: PersonV2.self, version: 2, migrating: .from(1, PersonV1.self) { PersonV2($0) })
        try await withRow(PersonV1(id: 1, name: "Ada Lovelace"), in: "people") { database async throws in
            let result = try await database.migrate(people)
            print(result.migrated, result.problems)
            #expect(result.migrated == 1)
            #expect(try await database.newConnection().read { try $0[people][1]?.last } == "Lovelace")
        }
    }

    @Test func aFieldHasAnotherType() async throws {
        struct ReadingV1: Codable, Sendable {
            var id: Int
            var value: String
        }
        struct Reading: Codable, Sendable, Identifiable {
            var id: Int
            var value: Double
        }
        let readings = YapCollection(
            "readings", of: Reading.self, version: 2,
            migrating: .from(1, ReadingV1.self) { old in
                guard let value = Double(old.value) else { throw NoNumber(text: old.value) }
                return Reading(id: old.id, value: value)
            })
        struct NoNumber: Error {
            var text: String
        }
        try await withRow(ReadingV1(id: 1, value: "2.5"), in: "readings") { database async throws in
            #expect(try await database.newConnection().read { try $0[readings][1]?.value } == 2.5)
        }
        try await withRow(ReadingV1(id: 1, value: "much"), in: "readings") { database async throws in
            let problems = try await database.newConnection().read { try $0[readings].decodableValues().problems }
            #expect(problems.first?.cause == "NoNumber(text: \"much\")")
        }
    }
}
