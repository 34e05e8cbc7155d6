import Foundation
import ListChanges
import Testing

@testable import YapDatabase

@Suite struct FailedTransactionTests {
    private struct Refused: Error {}
    private struct NotCodable {}

    @Test func aClosureThatThrowsLeavesNothingBehind() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("before", forKey: "k") }
            #expect(throws: Refused.self) {
                try connection.readWrite { transaction throws in
                    try transaction.setObject("half", forKey: "k")
                    try transaction.setObject("half", forKey: "new")
                    throw Refused()
                }
            }
            try connection.read { transaction throws in
                #expect(try transaction.object(forKey: "k") as? String == "before")
                #expect(try transaction.object(forKey: "new") == nil)
            }
            #expect(database.snapshot == 1)
        }
    }

    @Test func rollbackLeavesNothingBehindAndReturnsTheValue() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let value = try connection.readWrite { transaction throws in
                try transaction.setObject("x", forKey: "k")
                transaction.rollback()
                return 7
            }
            #expect(value == 7)
            #expect(try connection.read { try $0.object(forKey: "k") } == nil)
            #expect(database.snapshot == 0)
        }
    }

    @Test func aValueThatCannotBeEncodedIsThrownAndTheTransactionGoesOn() throws {
        try withTemporaryDatabase { database throws in
            database.registerCodableSerialization(String.self, forCollection: "strings")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                expectError(.encodingFailed, mentioning: "\"strings\"") {
                    try transaction.setObject(7, forKey: "k", inCollection: "strings")
                }
                let value = NotCodable()
                expectError(.encodingFailed) { try transaction.setObject(value, forKey: "k") }
                expectError(.encodingFailed) { try transaction.setObject("x", forKey: "k", withMetadata: value) }
                try transaction.setObject("kept", forKey: "other")
            }
            try connection.read { transaction throws in
                #expect(try transaction.numberOfKeysInAllCollections() == 1)
                #expect(try transaction.object(forKey: "other") as? String == "kept")
            }
        }
    }

    @Test func aValueThatIsTooLargeIsThrownAndTheTransactionGoesOn() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.store().handle.limitValues(toBytes: 10_000)
            try connection.readWrite { transaction throws in
                try transaction.setObject("small", forKey: "k", withMetadata: "m")
                let large = String(repeating: "x", count: 20_000)
                expectError(.valueTooLarge, mentioning: "The object of", "at most 10000 bytes") {
                    try transaction.setObject(large, forKey: "new")
                }
                expectError(.valueTooLarge, mentioning: "The metadata of") {
                    try transaction.setObject("x", forKey: "new", withMetadata: large)
                }
                expectError(.valueTooLarge) { try transaction.replace(large, forKey: "k") }
                expectError(.valueTooLarge) { try transaction.replaceMetadata(large, forKey: "k") }
                expectError(.valueTooLarge) {
                    try transaction.setObject(
                        "x", forKey: "k", withMetadata: nil, serializedObject: Data(count: 10_001),
                        serializedMetadata: nil)
                }
                try transaction.setObject("kept", forKey: "other")
            }
            try connection.read { transaction throws in
                #expect(try transaction.allKeys(inCollection: nil) == ["k", "other"])
                #expect(try transaction.object(forKey: "k") as? String == "small")
                #expect(try transaction.metadata(forKey: "k") as? String == "m")
            }
        }
    }

    @Test func aRowThatIsTooLargeTogetherIsSaidToBe() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.store().handle.limitValues(toBytes: 10_000)
            let half = String(repeating: "x", count: 6_000)
            expectError(.valueTooLarge, mentioning: "together") {
                try connection.readWrite { try $0.setObject(half, forKey: "k", withMetadata: half) }
            }
            expectError(.valueTooLarge) { try connection.readWrite { try $0.setObject(1, forKey: half + half) } }
            #expect(try connection.read { try $0.numberOfKeysInAllCollections() } == 0)
        }
    }

    @Test func anExtensionThatFailsTakesTheWholeTransactionWithIt() throws {
        try withTemporaryDatabase { database throws in
            try database.register(RecordingExtension(failOnKey: "bad"), withName: "recorder")
            let connection = try database.newConnection()
            let before = database.snapshot
            expectError(.transactionFailed) {
                try connection.readWrite { transaction throws in
                    try transaction.setObject("x", forKey: "good")
                    // The closure looks away; the transaction does not.
                    try? transaction.setObject("x", forKey: "bad")
                }
            }
            #expect(database.snapshot == before)
            #expect(try connection.read { try $0.numberOfKeysInAllCollections() } == 0)
            try connection.readWrite { try $0.setObject("x", forKey: "good") }
            #expect(database.snapshot == before + 1)
        }
    }

    @Test func aTransactionWithoutEffectIsNoCommit() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.removeObject(forKey: "absent")
                try transaction.touchRow(forKey: "absent")
                try transaction.removeAllObjectsInAllCollections()
            }
            #expect(database.snapshot == 0)
        }
    }

    @Test func changingKeysDuringAnEnumerationThatGoesOnIsRefused() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                try database.newConnection().readWrite { transaction throws in
                    for key in ["a", "b"] { try transaction.setObject(key, forKey: key) }
                    try transaction.iterateKeys(inCollection: nil) { key, _ in
                        try transaction.removeObject(forKey: key)
                    }
                }
            }
        }
        #expect(stopped.said("Set `stop` to true"))
    }

    @Test func changingKeysDuringAnEnumerationThatStopsIsAllowed() throws {
        try withTemporaryDatabase { database throws in
            try database.newConnection().readWrite { transaction throws in
                for key in ["a", "b"] { try transaction.setObject(key, forKey: key) }
                try transaction.iterateKeys(inCollection: nil) { key, stop in
                    try transaction.removeObject(forKey: key)
                    stop = true
                }
                #expect(try transaction.allKeys(inCollection: nil) == ["b"])
                try transaction.iterateKeys(inCollection: nil) { key, _ in try transaction.replace("c", forKey: key) }
            }
        }
    }
}
