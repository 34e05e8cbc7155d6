import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// Relations that are declared with types answer and remove as a plain model does.
@Suite struct RelationTests {
    fileprivate struct Club: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var name = ""
    }

    fileprivate struct Member: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var club: Int?
    }

    fileprivate struct Letter: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var writer: Int
        var readers: [Int] = []
    }

    fileprivate static let clubs = YapCollection("clubs", of: Club.self)
    fileprivate static let members = YapCollection("members", of: Member.self)
    fileprivate static let letters = YapCollection("letters", of: Letter.self)

    private static func expectMissing(_ text: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            (error as? YapDatabaseError)?.code == .missingRow && (text.isEmpty || "\(error)".contains(text))
        }
    }

    private struct Tag: Codable, Equatable, Identifiable, Sendable { var id: String }
    private struct Photo: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var tags: [String]
        var cover: String?
    }

    /// Keys that differ in their Unicode form alone name two rows.
    @Test(arguments: [YapTargetRemoval.clear, .deleteSourceWithLast]) func keysAreBytes(removal: YapTargetRemoval)
        throws
    {
        try withTemporaryDatabase { database throws in
            let names = ["caf\u{e9}", "cafe\u{301}"]
            let (tags, photos) = (YapCollection("tags", of: Tag.self), YapCollection("photos", of: Photo.self))
            let tagged = YapRelation("tagged", of: photos, from: \.tags, to: tags, onDelete: removal)
            let covered = YapRelation("covered", of: photos, from: \.cover, to: tags, onDelete: .clear)
            try database.register(tagged, covered)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[tags].save(names.map { Tag(id: $0) })
                try transaction[photos].save(Photo(id: 1, tags: names, cover: names[0]))
            }
            try connection.readWrite { try $0[tags].remove(names[1]) }
            try connection.read { transaction throws in
                let photo = try #require(try transaction[photos][1])
                #expect(photo.tags.map { Array($0.utf8) } == [Array(names[0].utf8)])
                #expect(photo.cover.map { Array($0.utf8) } == Array(names[0].utf8))
                #expect(try transaction[tagged].sourceCount(of: names[0]) == 1)
            }
        }
    }

    @Test func aRowThatIsNamedMustExistWhenTheTransactionEnds() throws {
        try withTemporaryDatabase { database throws in
            let club = try database.register(
                YapRelation("club", of: Self.members, from: \.club, to: Self.clubs, onDelete: .clear))
            let connection = try database.newConnection()
            Self.expectMissing("clubs/7") {
                try connection.readWrite { try $0[Self.members].save(Member(id: 1, club: 7)) }
            }
            #expect(try connection.read { try $0[Self.members].count } == 0)
            try connection.readWrite { transaction throws in
                try transaction[Self.members].save(Member(id: 1, club: 7))
                try transaction[Self.clubs].save(Club(id: 7))
            }
            try connection.read { transaction throws in
                #expect(try transaction[club].sources(of: 7) == [Member(id: 1, club: 7)])
                #expect(try transaction[club].targets(of: 1) == [Club(id: 7)])
                #expect(try transaction[club].sourceCount(of: 7) == 1)
                #expect(try transaction[club].targetCount(of: 2) == 0)
            }
            try connection.readWrite { transaction throws in
                try transaction[Self.clubs].remove(7)
                // Within the transaction, before the rules run.
                #expect(try transaction[club].sources(of: 7) == [])
            }
            #expect(try connection.read { try $0[Self.members].values() } == [Member(id: 1, club: nil)])
        }
    }

    /// The rules run early, before the row that is named is saved.
    @Test func aRowThatIsSavedAfterTheRulesRanIsRelated() throws {
        try withTemporaryDatabase { database throws in
            let club = try database.register(
                YapRelation("club", of: Self.members, from: \.club, to: Self.clubs, onDelete: .deleteSource))
            let connection = try database.newConnection()
            let save = { (transaction: YapDatabaseReadWriteTransaction) throws in
                try transaction[Self.members].save(Member(id: 1, club: 7))
                try transaction[club].graph.flush()
            }
            Self.expectMissing("clubs/7") { try connection.readWrite(save) }
            try connection.readWrite { transaction throws in
                try save(transaction)
                try transaction[Self.clubs].save(Club(id: 7))
                #expect(try transaction[club].sourceKeys(of: 7) == [1])
            }
            #expect(try connection.read { try $0[club].sourceKeys(of: 7) } == [1])
            try connection.readWrite { try $0[Self.clubs].remove(7) }
            #expect(try connection.read { try $0[Self.members].count } == 0)
        }
    }

    @Test func aTargetThatIsStillNamedIsNotLetGo() throws {
        try withTemporaryDatabase { database throws in
            try database.register(
                YapRelation("club", of: Self.members, from: \.club, to: Self.clubs, onDelete: .refuse))
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Self.clubs].save([Club(id: 1), Club(id: 2)])
                try transaction[Self.members].save([Member(id: 1, club: 1), Member(id: 2, club: 1)])
            }
            Self.expectMissing("members/") { try connection.readWrite { try $0[Self.clubs].remove(1) } }
            try connection.readWrite { transaction throws in
                try transaction[Self.clubs].remove(1)
                try transaction[Self.members].remove(1)
                try transaction[Self.members].save(Member(id: 2, club: 2))
            }
            #expect(try connection.read { try $0[Self.clubs].keys() } == [2])
        }
    }

    @Test func linksByHandNeedBothEnds() throws {
        try withTemporaryDatabase { database throws in
            let friends = try database.register(YapRelation("friends", of: Self.members, to: Self.members))
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Self.members].save([Member(id: 1), Member(id: 2), Member(id: 3)])
                try transaction[friends].link(1, to: 2)
                try transaction[friends].link(1, to: 3)
                try transaction[friends].link(1, to: 2)
                #expect(try transaction[friends].targetKeys(of: 1).sorted() == [2, 3])
            }
            for (source, target) in [(1, 9), (9, 1), (8, 9)] {
                Self.expectMissing("friends") {
                    try connection.readWrite { try $0[friends].link(source, to: target) }
                }
            }
            try connection.readWrite { try $0[friends].unlink(1, from: 3) }
            #expect(try connection.read { try $0[friends].targetKeys(of: 1) } == [2])
            try connection.readWrite { try $0[Self.members].remove(2) }
            #expect(try connection.read { try $0[friends].targetCount(of: 1) } == 0)
        }
    }

    @Test func whatCannotBeDecodedIsNeitherRemovedNorInTheWay() throws {
        try withTemporaryDatabase { database throws in
            let club = try database.register(
                YapRelation("club", of: Self.members, from: \.club, to: Self.clubs, onDelete: .deleteSource))
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Self.clubs].save(Club(id: 1))
                try transaction[Self.members].save(Member(id: 1, club: 1))
            }
            try foreignProgram(database.databaseURL).execute(
                "INSERT INTO database2 (collection, key, data) VALUES ('members', '2', x'00')")
            try connection.readWrite { try $0[Self.clubs].save(Club(id: 2)) }
            #expect(try connection.read { try $0[club].sourceKeys(of: 1) } == [1])
            try connection.readWrite { try $0[Self.clubs].remove(1) }
            #expect(try connection.read { try $0[Self.members].keys() } == [2])
            try connection.readWrite { try $0[Self.members].remove(2) }
        }
    }

    /// Chains of relations with every rule, random transactions, roll-backs and a second registration.
    @Test(arguments: Effort.some(Array(1...8) as [UInt64])) func relationsAreThoseOfAPlainModel(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            let rules = Rules(&random)
            try rules.register(in: database)
            let connection = try database.newConnection()
            var model = Model(rules: rules)
            for step in 0..<Effort.cases(2_000) {
                let context: Comment = "seed \(seed), step \(step), \(rules)"
                if step % 300 == 299 {
                    for name in ["club", "writer", "readers"] { try database.unregisterExtension(withName: name) }
                    try rules.register(in: database)
                }
                var next = model
                // Each row is edited once: removing a row and saving it again is another row.
                let edits = Dictionary(
                    (0...random.below(3)).map { _ in Edit(&random) }.map { ($0.row, $0) }, uniquingKeysWith: { $1 }
                ).values.map(\.self)
                for edit in edits { next.apply(edit) }
                let isSound = next.settle(from: model)
                let rollsBack = random.percent(5)
                func write() throws {
                    try connection.readWrite { transaction throws in
                        for edit in edits { try edit.apply(transaction) }
                        if rollsBack { transaction.rollback() }
                    }
                }
                if rollsBack {
                    try write()
                } else if isSound {
                    try write()
                    model = next
                } else {
                    Self.expectMissing("", write)
                }
                try connection.read { transaction throws in
                    #expect(Set(try transaction[Self.clubs].keys()) == model.clubs, context)
                    let members = try transaction[Self.members].values()
                    #expect(Dictionary(uniqueKeysWithValues: members.map { ($0.id, $0) }) == model.members, context)
                    let letters = try transaction[Self.letters].values()
                    try #require(
                        Dictionary(uniqueKeysWithValues: letters.map { ($0.id, $0) }) == model.letters, context)
                    for id in 0..<Edit.ids {
                        let club = try transaction[rules.club].sourceKeys(of: id)
                        #expect(Set(club) == Set(members.filter { $0.club == id }.map(\.id)), context)
                        let readers = try transaction[rules.readers].targetKeys(of: id)
                        #expect(Set(readers) == Set(model.letters[id]?.readers ?? []), context)
                        let read = try transaction[rules.readers].sources(of: id)
                        #expect(
                            Set(read.map(\.id)) == Set(letters.filter { $0.readers.contains(id) }.map(\.id)), context)
                        #expect(try transaction[rules.writer].sourceCount(of: id) == letters.count { $0.writer == id })
                    }
                }
            }
        }
    }
}

private typealias Club = RelationTests.Club
private typealias Member = RelationTests.Member
private typealias Letter = RelationTests.Letter

/// The rules of three relations: members of clubs, writers and readers of letters.
private struct Rules: CustomStringConvertible {
    let clubRemoval: YapTargetRemoval
    let clubLoss: YapSourceRemoval
    let writerRemoval: YapTargetRemoval
    let readersRemoval: YapTargetRemoval
    let club: YapRelation<Member, Int, Never, Club, Int, Never>
    let writer: YapRelation<Letter, Int, Never, Member, Int, Never>
    let readers: YapRelation<Letter, Int, Never, Member, Int, Never>

    init(_ random: inout SplitMix64) {
        let all: [YapTargetRemoval] = [.deleteSource, .clear, .refuse]
        clubRemoval = all[random.below(3)]
        clubLoss = [.keepTarget, .deleteTargetWithLast][random.below(2)]
        writerRemoval = [.deleteSource, .refuse][random.below(2)]
        readersRemoval = [.deleteSource, .clear, .deleteSourceWithLast, .refuse][random.below(4)]
        club = YapRelation(
            "club", of: RelationTests.members, from: \.club, to: RelationTests.clubs, onDelete: clubRemoval,
            onSourceDelete: clubLoss)
        writer = YapRelation(
            "writer", of: RelationTests.letters, from: \.writer, to: RelationTests.members, onDelete: writerRemoval)
        readers = YapRelation(
            "readers", of: RelationTests.letters, from: \.readers, to: RelationTests.members, onDelete: readersRemoval)
    }

    func register(in database: YapDatabase) throws { try database.register(club, writer, readers) }

    var description: String { "club \(clubRemoval) \(clubLoss), writer \(writerRemoval), readers \(readersRemoval)" }
}

private enum Edit {
    case saveClub(Int)
    case removeClub(Int)
    case save(Member)
    case removeMember(Int)
    case write(Letter)
    case removeLetter(Int)

    static let ids = 8

    init(_ random: inout SplitMix64) {
        let id = random.below(Self.ids)
        switch random.below(12) {
        case 0...1: self = .saveClub(id)
        case 2: self = .removeClub(id)
        case 3...5: self = .save(Member(id: id, club: random.percent(30) ? nil : random.below(Self.ids)))
        case 6...7: self = .removeMember(id)
        case 8...10:
            let readers = (0..<random.below(4)).map { _ in random.below(Self.ids) }
            self = .write(Letter(id: id, writer: random.below(Self.ids), readers: readers))
        default: self = .removeLetter(id)
        }
    }

    /// A number for the row.
    var row: Int {
        switch self {
        case .saveClub(let id), .removeClub(let id): id
        case .save(let member): 100 + member.id
        case .removeMember(let id): 100 + id
        case .write(let letter): 200 + letter.id
        case .removeLetter(let id): 200 + id
        }
    }

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        switch self {
        case .saveClub(let id): try transaction[RelationTests.clubs].save(Club(id: id))
        case .removeClub(let id): try transaction[RelationTests.clubs].remove(id)
        case .save(let member): try transaction[RelationTests.members].save(member)
        case .removeMember(let id): try transaction[RelationTests.members].remove(id)
        case .write(let letter): try transaction[RelationTests.letters].save(letter)
        case .removeLetter(let id): try transaction[RelationTests.letters].remove(id)
        }
    }
}

/// Rows, and the rules applied to what a transaction did as a whole.
private struct Model {
    let rules: Rules
    var clubs: Set<Int> = []
    var members: [Int: Member] = [:]
    var letters: [Int: Letter] = [:]

    mutating func apply(_ edit: Edit) {
        switch edit {
        case .saveClub(let id): clubs.insert(id)
        case .removeClub(let id): clubs.remove(id)
        case .save(let member): members[member.id] = member
        case .removeMember(let id): members[id] = nil
        case .write(let letter): letters[letter.id] = letter
        case .removeLetter(let id): letters[id] = nil
        }
    }

    /// Applies the rules until nothing is left to do.
    /// - Parameter before: the state before the transaction, in which all names are of rows that exist.
    /// - Returns: false if the transaction must fail.
    mutating func settle(from before: Model) -> Bool {
        var former = before
        // Rows whose target is gone though they do not let it go: forgiven if they are gone, too, at the end, or name it no more.
        var refusedMembers: [(Int, Int)] = []
        var refusedLetters: [(Int, Int)] = []
        var orphans: Set<Int> = []
        while true {
            var next = self
            let goneClubs = before.clubs.subtracting(clubs)
            let goneMembers = Set(before.members.keys).subtracting(members.keys)
            for (id, member) in members {
                guard let club = member.club, !clubs.contains(club) else { continue }
                guard goneClubs.contains(club) else { continue }
                switch rules.clubRemoval {
                case .deleteSource, .deleteSourceWithLast: next.members[id] = nil
                case .clear: next.members[id]?.club = nil
                case .refuse: refusedMembers.append((id, club))
                }
            }
            for (id, letter) in letters {
                if goneMembers.contains(letter.writer) {
                    switch rules.writerRemoval {
                    case .refuse: refusedLetters.append((id, letter.writer))
                    default: next.letters[id] = nil
                    }
                }
                let gone = goneMembers.intersection(letter.readers)
                if gone.isEmpty || next.letters[id] == nil { continue }
                let left = letter.readers.filter { !gone.contains($0) }
                switch rules.readersRemoval {
                case .deleteSource: next.letters[id] = nil
                case .clear: next.letters[id]?.readers = left
                case .deleteSourceWithLast:
                    if left.isEmpty { next.letters[id] = nil } else { next.letters[id]?.readers = left }
                case .refuse: refusedLetters += gone.map { (id, $0) }
                }
            }
            if rules.clubLoss == .deleteTargetWithLast {
                for (id, member) in former.members {
                    if let club = member.club, self.members[id]?.club != club { orphans.insert(club) }
                }
                for club in orphans where !next.members.values.contains(where: { $0.club == club }) {
                    next.clubs.remove(club)
                }
            }
            former = self
            if next.clubs == clubs, next.members == members, next.letters == letters { break }
            self = next
        }
        return refusedMembers.allSatisfy { members[$0]?.club != $1 }
            && refusedLetters.allSatisfy { letter, gone in
                letters[letter].map { $0.writer != gone && !$0.readers.contains(gone) } ?? true
            }
            && members.values.allSatisfy { $0.club.map(clubs.contains) ?? true }
            && letters.values.allSatisfy { members[$0.writer] != nil && $0.readers.allSatisfy { members[$0] != nil } }
    }
}
