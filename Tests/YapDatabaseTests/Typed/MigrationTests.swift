import Foundation
import ListChanges
import SeededRandom
import TestTraits
import Testing

@testable import YapDatabase

/// Three versions of one program's rows.
private struct PersonV1: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var name: String
    var mobile: String?
}

private struct PersonV2: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var first: String
    var last: String
    var mobile: String?

    init(id: Int, first: String, last: String, mobile: String?) {
        (self.id, self.first, self.last, self.mobile) = (id, first, last, mobile)
    }

    init(_ old: PersonV1) {
        let parts = old.name.split(separator: " ", maxSplits: 1).map(String.init)
        self.init(id: old.id, first: parts.first ?? "", last: parts.dropFirst().first ?? "", mobile: old.mobile)
    }
}

private struct Person: Codable, Hashable, Sendable, Identifiable {
    enum Mood: String, Codable { case calm, loud }

    var id: Int
    var first: String
    var last: String
    var phone: String?
    var stars: Int64
    var mood: Mood

    init(_ old: PersonV2) {
        (id, first, last, phone) = (old.id, old.first, old.last, old.mobile)
        (stars, mood) = (3, .calm)
    }
}

/// A type that the library leaves to Foundation: it asks for its coding path.
private struct Placed: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var text: String

    enum CodingKeys: CodingKey { case id, text }

    init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }

    init(from decoder: any Decoder) throws {
        _ = decoder.codingPath.count
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode(Int.self, forKey: .id), try container.decode(String.self, forKey: .text))
    }

    func encode(to encoder: any Encoder) throws {
        _ = encoder.codingPath.count
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(text, forKey: .text)
    }
}

@Suite struct MigrationTests {
    private struct Collections {
        let v1: YapCollection<PersonV1, Int, Never>
        let v2: YapCollection<PersonV2, Int, Never>
        let v3: YapCollection<Person, Int, Never>
        /// As ``v3``, by the names of the fields.
        let v3ByNames: YapCollection<Person, Int, Never>

        init(_ format: YapDatabaseCodableFormat) {
            v1 = YapCollection("people", of: PersonV1.self, as: format)
            v2 = YapCollection(
                "people", of: PersonV2.self, version: 2, migrating: .from(1, PersonV1.self) { PersonV2($0) }, as: format
            )
            v3 = YapCollection(
                "people", of: Person.self, version: 3, migrating: .from(2, PersonV2.self) { Person($0) },
                .from(1, PersonV1.self) { PersonV2($0) }, as: format)
            v3ByNames = YapCollection(
                "people", of: Person.self, version: 3, migrating: .from(1, PersonV1.self) { PersonV2($0) },
                .from(2, .renaming("mobile", to: "phone"), .adding("stars", 3), .adding("mood", "calm")), as: format)
        }
    }

    static let formats: [(name: String, format: YapDatabaseCodableFormat)] = [
        ("property list", .propertyList), ("json", .json),
    ]

    /// Programs of three versions write the same rows in turn. Each reads what older ones wrote, through the migrations; a newer value is an
    /// error that says so, and is never overwritten.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]), formats.map(\.name))
    func programsOfThreeVersionsShareRows(seed: UInt64, format: String) throws {
        let format = Self.formats.first { $0.name == format }!.format
        let all = Collections(format)
        var random = SplitMix64(seed: seed)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            var (v1, v2, v3): ([Int: PersonV1], [Int: PersonV2], [Int: Person]) = ([:], [:], [:])
            for step in 0..<Effort.cases(2_000) {
                let context: Comment = "seed \(seed), step \(step)"
                let id = random.below(40)
                let newest = random.percent(50) ? all.v3 : all.v3ByNames
                let written = random.below(3) + 1
                let stored = v3[id] != nil ? 3 : v2[id] != nil ? 2 : v1[id] != nil ? 1 : 0
                let name = "N\(random.below(5)) L\(random.below(5))"
                let one = PersonV1(id: id, name: name, mobile: random.percent(50) ? "\(id)" : nil)
                func write(_ transaction: YapDatabaseReadWriteTransaction) throws {
                    switch written {
                    case 1: try transaction[all.v1].save(one)
                    case 2: try transaction[all.v2].save(PersonV2(one))
                    default: try transaction[newest].save(Person(PersonV2(one)))
                    }
                }
                if written < stored {
                    let error = #expect(throws: YapDatabaseError.self, context) { try connection.readWrite(write) }
                    #expect(
                        error?.code == .newerVersion && error?.message.contains("version \(stored)") == true, context)
                } else {
                    try connection.readWrite(write)
                    (v1[id], v2[id], v3[id]) = (nil, nil, nil)
                    switch written {
                    case 1: v1[id] = one
                    case 2: v2[id] = PersonV2(one)
                    default: v3[id] = Person(PersonV2(one))
                    }
                }
                if random.percent(5) {
                    let result = try database.migrate(newest)
                    #expect(result == YapMigrationResult(migrated: v1.count + v2.count), context)
                    for (id, old) in v1 { v2[id] = PersonV2(old) }
                    for (id, old) in v2 { v3[id] = Person(old) }
                    (v1, v2) = ([:], [:])
                }
                try connection.read { transaction throws in
                    var people = v3
                    for (id, old) in v2 { people[id] = Person(old) }
                    for (id, old) in v1 { people[id] = Person(PersonV2(old)) }
                    #expect(try Set(transaction[newest].values()) == Set(people.values), context)
                    #expect(try transaction[newest][id] == people[id], context)
                    let (older, problems) = try transaction[all.v2].decodableValues()
                    #expect(Set(older) == Set(v2.values).union(v1.values.map { PersonV2($0) }), context)
                    #expect(problems.count == v3.count, context)
                    #expect(try transaction[all.v1].decodableValues().values.count == v1.count, context)
                }
            }
        }
    }

    /// Lists, indexes and searches stand over rows of all versions, are not filled again, and stay right while rows are migrated.
    @Test(arguments: formats.map(\.name)) func whatIsDeclaredStaysWhileRowsAreMigrated(format: String) throws {
        let all = Collections(Self.formats.first { $0.name == format }!.format)
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            do {
                let database = try YapDatabase(url: url, options: .forTests)
                try database.register(YapList("order", of: all.v1, sortedBy: .ascending(\.id)))
                try database.newConnection().readWrite { transaction throws in
                    for id in 0..<1_300 {
                        try transaction[all.v1].save(PersonV1(id: id, name: "A\(id % 7) B\(id)", mobile: nil))
                    }
                }
                try database.close()
            }
            let database = try YapDatabase(url: url, options: .forTests)
            let order = try database.register(YapList("order", of: all.v3, sortedBy: .ascending(\.id)))
            let byFirst = try database.register(
                YapList("first", of: all.v3, groupedBy: \.first, sortedBy: .descending(\.id), where: \.stars > 2))
            try database.register(YapIndex("index", of: all.v3, on: \.last, \.stars))
            let text = try database.register(YapTextIndex("text", of: all.v3, on: \.last))
            let connection = try database.newConnection()
            func check(_ when: Comment) throws {
                try connection.read { transaction throws in
                    #expect(try transaction[order].values().map(\.id) == Array(0..<1_300), when)
                    #expect(try transaction[byFirst].groups.count == 7, when)
                    #expect(
                        try transaction[byFirst].values(in: "A3").map(\.id)
                            == (0..<1_300).filter { $0 % 7 == 3 }.reversed(), when)
                    #expect(try transaction[all.v3].where(\.last == "B77").values().map(\.id) == [77], when)
                    #expect(try transaction[text].values(matching: "b78").map(\.id) == [78], when)
                }
            }
            try check("before")
            let follower = try ListFollower(database, view: "order", groups: ["all"])
            let result = try database.migrate(all.v3)
            #expect(result == YapMigrationResult(migrated: 1_300))
            #expect(try database.migrate(all.v3) == YapMigrationResult())
            try check("after")
            let changes = try follower.advance("migrated")?.rowChanges ?? []
            #expect(changes.count == 1_300 && changes.allSatisfy { $0.type == .update })
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A program that knows no versions meets rows of a newer one: its lists leave them out with the reason, and it cannot overwrite them.
    @Test(arguments: formats.map(\.name)) func anOlderProgramLosesNothing(format: String) throws {
        let all = Collections(Self.formats.first { $0.name == format }!.format)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[all.v1].save(PersonV1(id: 1, name: "A B", mobile: nil))
                try transaction[all.v3].save(Person(PersonV2(id: 2, first: "C", last: "D", mobile: "5")))
            }
            let list = try database.register(YapList("ids", of: all.v1, sortedBy: .ascending(\.id)))
            try connection.read { transaction throws in
                #expect(try transaction[list].values().map(\.id) == [1])
                #expect(try transaction[list].problems.map(\.key) == ["2"])
                let error = #expect(throws: YapDatabaseError.self) { _ = try transaction[all.v1][2] }
                #expect(error?.code == .decodingFailed)
                #expect(
                    error?.message.hasPrefix("people/2 cannot be decoded: It is a value of version 3, and this program")
                        == true)
            }
            let before = try connection.read { try $0.serializedObject(forKey: "2", inCollection: "people") }
            #expect(throws: YapDatabaseError.self) {
                try connection.readWrite { try $0[all.v1].save(PersonV1(id: 2, name: "x", mobile: nil)) }
            }
            #expect(try connection.read { try $0.serializedObject(forKey: "2", inCollection: "people") } == before)
            // It may remove the row.
            try connection.readWrite { try $0[all.v1].remove(2) }
        }
    }

    /// A program that knows no versions, such as the original, writes rows of any shape without a mark.
    @Test func rowsThatSayNoVersionAreReadAsWhatTheyAre() throws {
        let all = Collections(.json)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let newest = Person(PersonV2(id: 3, first: "E", last: "F", mobile: "6"))
            try connection.readWrite { transaction throws in
                try transaction[all.v1].save(PersonV1(id: 1, name: "A B", mobile: nil))
                for (id, bytes) in [
                    ("3", try JSONEncoder().encode(newest)),
                    ("4", Data(#"{"id": 4, "first": "G", "last": "H", "$version" : 2}"#.utf8)),
                    ("5", Data(#"{"id": 5}"#.utf8)),
                ] {
                    try transaction.setObject(
                        PersonV1(id: 0, name: "", mobile: nil), forKey: id, inCollection: "people", withMetadata: nil,
                        serializedObject: bytes, serializedMetadata: nil)
                }
            }
            try connection.read { transaction throws in
                let (people, problems) = try transaction[all.v3].decodableValues()
                #expect(people.map(\.id) == [1, 3, 4] && people[1] == newest && people[2].last == "H")
                #expect(problems.map(\.cause) == ["the field \"name\" is missing."])
            }
            let result = try database.migrate(all.v3)
            #expect(result.migrated == 3 && result.problems.map(\.key) == ["5"])
        }
    }

    /// Values that are left to Foundation, and those of a closure's format, have versions too; the latter cannot say them.
    @Test func everyFormatHasVersions() throws {
        let own = YapDatabaseCodableFormat(
            encode: { try JSONEncoder().encode($0) }, decode: { try JSONDecoder().decode($0, from: $1) })
        for (format, isMarked) in [(YapDatabaseCodableFormat.propertyList, true), (.json, true), (own, false)] {
            let old = YapCollection("placed", of: PersonV1.self, as: format)
            let new = YapCollection(
                "placed", of: Placed.self, version: 2, migrating: .from(1, PersonV1.self) { Placed($0.id, $0.name) },
                as: format)
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                try connection.readWrite { transaction throws in
                    for id in 0..<20 {
                        try transaction[old].save(PersonV1(id: id, name: "n\(id)", mobile: nil))
                        try transaction[new].save(Placed(id + 100, "t"))
                    }
                }
                try connection.read { transaction throws in
                    #expect(try transaction[new].values().count == 40)
                    #expect(try transaction[old].decodableValues().problems.count == 20)
                    let bytes = try #require(try transaction.serializedObject(forKey: "100", inCollection: "placed"))
                    #expect((bytes.firstRange(of: Data("$version".utf8)) != nil) == isMarked)
                }
                #expect(try database.migrate(new).migrated == (isMarked ? 20 : 40))
            }
        }
    }

    /// Two handles in one transaction, and rows that are changed while they are visited.
    @Test func twoVersionsOfACollectionAreUsedInTurn() throws {
        let all = Collections(.propertyList)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<10 { try transaction[all.v1].save(PersonV1(id: id, name: "A B", mobile: nil)) }
            }
            try connection.readWrite { transaction throws in
                let (old, new) = (transaction[all.v1], transaction[all.v3])
                try old.forEach { _, value in try new.save(Person(PersonV2(value))) }
                #expect(try new.values().count == 10)
                #expect(try old.decodableValues().values.isEmpty)
            }
        }
    }

    /// Equal bytes are no change: no list has an update, and other connections hear nothing of it.
    @Test(arguments: [false, true]) func savingAnEqualValueIsNoUpdate(isChange: Bool) throws {
        var options = YapDatabaseOptions.forTests
        options.storesEqualValues = isChange
        try withTemporaryDatabase(options: options) { database throws in
            let dated = YapCollection("dated", of: Novel.self, metadata: Int.self)
            let list = try database.register(YapList("dated", of: dated, sortedBy: .ascending(\.title)))
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for id in 0..<5 { try transaction[dated].save(Novel(id, "t\(id)"), metadata: id) }
            }
            let follower = try ListFollower(database, view: list.name, groups: ["all"])
            func changes(_ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws -> [String] {
                try connection.readWrite(body)
                return try (follower.advance("saved")?.rowChanges ?? []).compactMap(\.key?.key)
            }
            let equal = isChange ? ["2"] : []
            #expect(try changes { try $0[dated].save(Novel(2, "t2"), metadata: 2) } == equal)
            #expect(try changes { try $0[dated].save(Novel(2, "t2")) } == equal)
            #expect(try changes { try $0[dated].update(2) { $0.title = "t2" } } == equal)
            #expect(try changes { try $0[dated].save(Novel(2, "t2"), metadata: 3) } == ["2"])
            #expect(try changes { try $0[dated].save(Novel(2, "t2"), metadata: nil) } == ["2"])
            #expect(try changes { try $0[dated].save(Novel(2, "t2b")) } == ["2"])
            // The original's call is one always.
            #expect(try changes { try $0.setObject(Novel(2, "t2b"), forKey: "2", inCollection: "dated") } == ["2"])
        }
    }

    // MARK: Kills

    private static let folder = ProcessFolder("migration")

    private static func migrateUntilKilled() throws {
        let all = Collections(.json)
        let text = try String(contentsOf: folder.ofParent.appending(path: "pause"), encoding: .utf8)
        let microseconds = try #require(UInt32(text))
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try database.register(YapList("order", of: all.v3, sortedBy: .ascending(\.id)))
        Thread.detachNewThread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }
        _ = try database.migrate(all.v3)
        while true { sleep(1) }
    }

    private static func fill(_ url: URL) throws {
        let database = try YapDatabase(url: url, options: .forTests)
        try database.newConnection().readWrite { transaction throws in
            let people = transaction[Collections(.json).v1]
            for id in 0..<6_000 { try people.save(PersonV1(id: id, name: "A B\(id)", mobile: nil)) }
        }
        try database.close()
    }

    private static func finish(_ url: URL) throws {
        let all = Collections(.json)
        let database = try YapDatabase(url: url, options: .forTests)
        try database.register(YapList("order", of: all.v3, sortedBy: .ascending(\.id)))
        #expect(try database.migrate(all.v3).problems.isEmpty)
        let people = try database.newConnection().read { try $0[all.v3].values() }
        #expect(
            Set(people) == Set((0..<6_000).map { Person(PersonV2(PersonV1(id: $0, name: "A B\($0)", mobile: nil))) }))
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    /// A migration that is killed at any moment goes on where it was, and no row is lost.
    @Test(.ends(within: 600)) func aKilledMigrationGoesOn() async throws {
        let url = try Self.folder.make().appending(path: "t.sqlite")
        defer { Self.folder.remove() }
        try Self.fill(url)
        for microseconds in stride(from: 5_000, to: 85_000, by: Effort.isFull ? 8_000 : 40_000) {
            try Data("\(microseconds)".utf8).write(to: url.deletingLastPathComponent().appending(path: "pause"))
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.migrateUntilKilled() }
            #expect(try YapDatabase.check(url: url) == [])
        }
        try Self.finish(url)
    }

    // MARK: Declarations

    @Test func aGapInTheMigrationsStopsTheProgram() async throws {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = YapCollection(
                "people", of: Person.self, version: 3, migrating: .from(1, PersonV1.self) { PersonV2($0) })
        }
        let text = String(decoding: try #require(stopped).standardErrorContent, as: UTF8.self)
        #expect(text.contains("from 1 to 3 each version needs one migration, and there are those from 1."))
    }

    @Test func migrationsThatDoNotMeetStopTheProgram() async throws {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = YapCollection(
                "people", of: Person.self, version: 3, migrating: .from(1, PersonV1.self) { $0 },
                .from(2, PersonV2.self) { Person($0) })
        }
        let text = String(decoding: try #require(stopped).standardErrorContent, as: UTF8.self)
        #expect(text.contains("one migration gives PersonV1, and the next takes PersonV2."))
    }

    @Test func aMigrationToAnotherTypeStopsTheProgram() async throws {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = YapCollection(
                "people", of: Person.self, version: 2, migrating: .from(1, PersonV1.self) { PersonV2($0) })
        }
        let text = String(decoding: try #require(stopped).standardErrorContent, as: UTF8.self)
        #expect(text.contains("the last migration gives PersonV2 instead of Person."))
    }
}
