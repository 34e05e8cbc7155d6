import Foundation
import Testing

@testable import YapDatabase

/// What is stored can be read again: a class that no archive may name is an error when its object is written.
@Suite struct OfferedClassTests {
    private static let wanted = [
        "class YapDatabaseTests.Slip", "registerArchivedClass(Slip.self", "extension Slip: YapDatabaseArchivable",
    ]

    @Test(arguments: [0, 1, 2, 3]) func anObjectThatCouldNotBeReadIsNotStored(form: Int) throws {
        YapDatabase.registerArchivedClass(Envelope.self, as: "Envelope")
        let slip = Slip()
        let value: Any = [slip, [slip], ["a": ["b": slip]], Envelope(slip)][form]
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                for isMetadata in [false, true] {
                    do {
                        try transaction.setObject(
                            isMetadata ? "text" : value, forKey: "k", inCollection: "c",
                            withMetadata: isMetadata ? value : nil)
                        Issue.record("It was stored.")
                    } catch let error as YapDatabaseError {
                        #expect(error.code == .encodingFailed)
                        for words in Self.wanted { #expect("\(error)".contains(words), "\(error)") }
                    }
                }
                #expect(try transaction.object(forKey: "k", inCollection: "c") == nil)
            }
        }
    }

    @Test func anOfferedClassIsReadAgain() throws {
        YapDatabase.registerArchivedClass(Envelope.self, as: "Envelope")
        let found = try KeyedArchive.decode(KeyedArchive.encode([Envelope("text"), OfferedSlip()] as [Any])) as? [Any]
        #expect(found?.first is Envelope && found?.last is OfferedSlip)
    }

    /// Its own coder may encode it, and no archive could be decoded.
    @Test func anObjectOfFoundationNeedsARegistrationToo() throws {
        let error = #expect(throws: UnofferedClass.self) { try KeyedArchive.encode(["a": NSDateComponents()]) }
        #expect(
            "\(error, default: "")".contains("registerArchivedClass(NSDateComponents.self, as: \"NSDateComponents\")"))
    }

    /// An operation that holds one is not queued.
    @Test func anOperationDoesNotHoldOne() {
        let operation = YapDatabaseCloudCoreOperation()
        operation.persistentUserInfo = ["slip": Slip()]
        #expect(throws: UnofferedClass.self) { try OperationArchive.encode(operation) }
    }

    /// The reason was said twice, in the message and as its cause.
    @Test func theReasonIsSaidOnce() throws {
        let error = YapDatabaseError(
            .decodingFailed, "c/k cannot be decoded: \(UnknownClass(name: "Note")) The row is there.",
            underlying: UnknownClass(name: "Note"))
        #expect("\(error)" == error.message)
    }
}

/// A class with the original's coding that nothing offers.
final class Slip: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

final class OfferedSlip: NSObject, NSCoding, YapDatabaseArchivable {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// Holds another object.
final class Envelope: NSObject, NSCoding {
    let content: Any?

    init(_ content: Any) { self.content = content }
    init?(coder: NSCoder) { content = coder.decodeObject(forKey: "content") }
    func encode(with coder: NSCoder) { coder.encode(content, forKey: "content") }
}
