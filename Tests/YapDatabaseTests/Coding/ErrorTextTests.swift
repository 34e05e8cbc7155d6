import Foundation
import Testing

@testable import YapDatabase

/// Messages are for people: no types, domains and codes of the system's libraries, and no names that the library gives.
@Suite struct ErrorTextTests {
    @Test func aFolderIsSaidToBeOne() throws {
        try withTemporaryFolder { folder throws in
            expectError(.cannotOpen, mentioning: "\(folder.path) is a folder, so it is not a database.") {
                _ = try YapDatabase(url: folder)
            }
        }
    }

    /// The advice about the command is the command's.
    @Test func aFileThatIsNoDatabaseIsNotOneForTheCommand() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "text")
            try Data(String(repeating: "text ", count: 100).utf8).write(to: url)
            do {
                _ = try YapDatabase(url: url)
                Issue.record("It was opened.")
            } catch let error as YapDatabaseError {
                #expect(error.code == .notADatabase && !"\(error)".contains("yap "), "\(error)")
            }
        }
    }

    @Test func causesOfTheSystemAreWords() {
        let system = YapDatabaseError(.cannotOpen, "It cannot be read.", underlying: CocoaError(.fileReadUnknown))
        #expect("\(system)".hasPrefix("It cannot be read. — ") && !"\(system)".contains("Domain="), "\(system)")
        let refused = YapDatabaseError(.cannotOpen, "It cannot be read.", underlying: POSIXError(.EACCES))
        #expect("\(refused)" == "It cannot be read. — Permission denied")
        #expect(throws: YapDatabaseError.self) { try withUnreadableRow { #expect(!$0.contains("Domain="), "\($0)") } }
    }

    /// Bytes that are no JSON, whose cause is Foundation's.
    private func withUnreadableRow(_ body: (String) -> Void) throws {
        try withTemporaryDatabase { database throws in
            let words = YapCollection("words", of: Word.self, as: .json)
            let connection = try database.newConnection()
            database.registerObjectSerializer({ _, _, _ in Data("{\"id\": 1,".utf8) }, forCollection: "words")
            try connection.readWrite { try $0.setObject("x", forKey: "1", inCollection: "words") }
            let fresh = try database.newConnection()
            do { _ = try fresh.read { try $0[words][1] } } catch {
                body("\(error)")
                throw error
            }
        }
    }

    private struct Word: Codable, Sendable, Identifiable { var id: Int }

    /// The collection of joined rows has a private character before its name.
    @Test func aChangeOfAJoinNamesTheJoin() {
        for name in ["pairs", "\u{301}pairs"] {
            let key = RowKey(collection: RowTable.derivedMark + name, key: "k")
            #expect("\(key)".utf8.elementsEqual("\(name)/k".utf8))
        }
        #expect("\(RowKey(collection: "c", key: "\u{10FFFD}"))" == "c/\u{10FFFD}")
    }

    @Test func oneMissingPropertyIsNotSeveral() throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            expectError(
                .badQuery, mentioning: "No registered index of \"novels\" has \\.year. Register a YapIndex on it."
            ) {
                _ = try connection.read { try $0[Novel.all].where(\.year == 1).values() }
            }
        }
    }
}
