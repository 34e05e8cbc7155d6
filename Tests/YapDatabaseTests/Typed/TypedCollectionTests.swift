import Foundation
import Testing

@testable import YapDatabase

@Suite struct TypedCollectionTests {
    /// Foundation's encoder refuses these as property lists.
    @Test func bareValuesAreStoredToo() throws {
        enum Mood: String, Codable { case good, bad }
        let counts = YapCollection("counts", of: Novel.self, metadata: Int.self)
        let moods = YapCollection("moods", of: Mood.self, key: \.rawValue)
        let dates = YapCollection(
            "dates", of: Date.self, metadata: String.self, key: \.timeIntervalSinceReferenceDate.description)
        try withTemporaryDatabase { database throws in
            let writer = try database.newConnection()
            for round in 1...12 {
                try writer.readWrite { transaction throws in
                    try transaction[counts].save(Novel(round, "n"), metadata: round)
                    try transaction[moods].save(round % 2 == 0 ? .good : .bad)
                    try transaction[dates].save(
                        Date(timeIntervalSinceReferenceDate: Double(round)), metadata: "\(round)")
                }
                try database.newConnection().read { transaction throws in
                    #expect(try transaction[counts].row(forKey: round)?.metadata == round)
                    #expect(try transaction[moods]["bad"] == .bad)
                    #expect(try transaction[dates].row(forKey: "\(round).0")?.metadata == "\(round)")
                }
            }
        }
    }

    private func withNovels(_ body: (YapDatabaseConnection) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "Dune"), Novel(2, "Solaris"), Novel(10, "Ubik")])
            }
            try body(connection)
        }
    }

    @Test func valuesComeBackWithTheirType() throws {
        try withNovels { connection throws in
            try connection.read { transaction throws in
                let novels = transaction[Novel.all]
                #expect(try novels[2] == Novel(2, "Solaris"))
                #expect(try novels[3] == nil)
                #expect(try novels.values(forKeys: [10, 7, 1]).map(\.title) == ["Ubik", "Dune"])
                #expect(try novels.keys() == [1, 10, 2])
                #expect(try novels.values().map(\.id) == [1, 10, 2])
                #expect(try novels.count == 3 && novels.contains(1) && !novels.contains(3))
                #expect(try novels.first { $0.title > "E" }?.id == 10)
                #expect(try novels.row(forKey: 1)?.value.title == "Dune" && novels.row(forKey: 1)?.metadata == nil)
            }
        }
    }

    @Test func valuesAreChangedAndRemoved() throws {
        try withNovels { connection throws in
            try connection.readWrite { transaction throws in
                let novels = transaction[Novel.all]
                #expect(try novels.update(1) { $0.title = "Dune Messiah" })
                #expect(try !novels.update(3) { _ in Issue.record("There is no such row.") })
                try novels.remove(2)
                try novels.remove([10, 11])
                try novels.touch(1)
            }
            #expect(try connection.read { try $0[Novel.all].values().map(\.title) } == ["Dune Messiah"])
            try connection.readWrite { try $0[Novel.all].removeAll() }
            #expect(try connection.read { try $0[Novel.all].count } == 0)
        }
    }

    @Test func metadataIsKeptWhereOnlyTheValueIsSaved() throws {
        struct Stamp: Codable, Equatable {
            var time: Int
        }
        let stamped = YapCollection("novels", of: Novel.self, metadata: Stamp.self)
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let (early, late) = (Stamp(time: 1), Stamp(time: 2))
            try connection.readWrite { transaction throws in
                let novels = transaction[stamped]
                try novels.save(Novel(1, "Dune"), metadata: early)
                try novels.save(Novel(1, "Ubik"))
                #expect(try novels.metadata(forKey: 1) == early)
                try novels.save(Novel(2, "Solaris"))
                #expect(try novels.metadata(forKey: 2) == nil)
                try novels.setMetadata(late, forKey: 2)
            }
            let row = try database.newConnection().read { try $0[stamped].row(forKey: 2) }
            #expect(row?.metadata == late && row?.value.title == "Solaris" && row?.id == 2)
        }
    }

    /// What a program without types has read and cached before makes no difference.
    @Test func aCollectionThatWasReadWithoutATypeIsReadAgain() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.setObject(
                    "bytes", forKey: "1", inCollection: "novels", withMetadata: nil,
                    serializedObject: PropertyListEncoder.binary.encode(Novel(1, "Dune")), serializedMetadata: nil)
            }
            try connection.read { transaction throws in
                #expect(try transaction.object(forKey: "1", inCollection: "novels") as? String == "bytes")
                #expect(try transaction[Novel.all][1]?.title == "Dune")
            }
        }
    }

    /// So does every other reader of the row, on connections that have cached it.
    @Test func aListReadsAgainWhatWasCachedWithoutAType() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.setObject(
                    "bytes", forKey: "1", inCollection: "novels", withMetadata: nil,
                    serializedObject: PropertyListEncoder.binary.encode(Novel(1, "Dune")), serializedMetadata: nil)
            }
            try database.register(Novel.order)
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].value(at: 0, in: "hall")?.title == "Dune")
                #expect(try transaction.object(forKey: "1", inCollection: "novels") as? Novel == Novel(1, "Dune"))
            }
        }
    }

    @Test func aRowOfAnotherTypeIsAnErrorThatNamesIt() throws {
        try withNovels { connection throws in
            try connection.readWrite { transaction throws in
                try transaction.setObject(
                    nil ?? 0, forKey: "5", inCollection: "novels", withMetadata: nil, serializedObject: Data([1, 2]),
                    serializedMetadata: nil)
                try transaction.setObject(Novel(6, "Ubik"), forKey: "six", inCollection: "novels")
            }
            try connection.database.newConnection().read { transaction throws in
                expectError(.decodingFailed, mentioning: "5", "novels") { _ = try transaction[Novel.all][5] }
                expectError(.decodingFailed, mentioning: "six", "no Int") { _ = try transaction[Novel.all].keys() }
            }
            try connection.readWrite { try $0.removeObjects(forKeys: ["5", "six"], inCollection: "novels") }
        }
    }

    @Test func keysOfManyTypes() throws {
        struct Mark: RawRepresentable, YapKey {
            var rawValue: UUID
        }
        let uuid = UUID()
        #expect(UUID.key(stored: uuid.storedKey) == uuid && UUID.key(stored: "x") == nil)
        #expect(Int.key(stored: (-5).storedKey) == -5 && UInt64.key(stored: UInt64.max.storedKey) == .max)
        #expect(Mark.key(stored: Mark(rawValue: uuid).storedKey)?.rawValue == uuid)
        #expect(String.key(stored: "é".storedKey) == "é")
        try withTemporaryDatabase { database throws in
            let byTitle = YapCollection("titles", of: Novel.self, as: .json) { $0.title }
            try database.newConnection().readWrite { transaction throws in
                try transaction[byTitle].save(Novel(1, "Dune"))
                #expect(try transaction[byTitle]["Dune"]?.id == 1)
                let json = try #require(try transaction.serializedObject(forKey: "Dune", inCollection: "titles"))
                #expect(json.first == UInt8(ascii: "{"))
            }
        }
    }

    @Test func aChangedKeyStopsTheProgramWithASentence() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                try database.newConnection().readWrite { transaction throws in
                    try transaction[Novel.all].save(Novel(1, "Dune"))
                    try transaction[Novel.all].update(1) { $0.id = 2 }
                }
            }
        }
        #expect(result.said("update changed the key of a value from 1 to 2"))
    }
}

extension PropertyListEncoder {
    fileprivate static var binary: PropertyListEncoder {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return encoder
    }
}
