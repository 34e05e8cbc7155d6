import Foundation
import Testing

@testable import YapDatabase

@Suite struct CloseTests {
    @Test func afterCloseEveryCallSaysSo() throws {
        try withTemporaryFolder { folder throws in
            let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            try database.close()
            try database.close()
            expectError(.closed) { try connection.read { _ in } }
            expectError(.closed) { try connection.readWrite { _ in } }
            expectError(.closed) { _ = try connection.beginLongLivedReadTransaction() }
            expectError(.closed) { _ = try database.newConnection() }
            expectError(.closed) { try database.register(RecordingExtension(), withName: "late") }
        }
    }

    @Test func closeWaitsForWhatWasAskedBefore() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            let connection = try database.newConnection()
            for number in 0..<50 { connection.asyncReadWrite { try $0.setObject(number, forKey: "\(number)") } }
            try database.close()
            let again = try YapDatabase(url: url, options: .forTests)
            #expect(try again.newConnection().read { try $0.numberOfKeysInAllCollections() } == 50)
            try again.close()
        }
    }

    @Test func theLogIsEmptyWhenTheLastConnectionIsGone() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.newConnection().readWrite { try $0.setObject("x", forKey: "k") }
            try database.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.sqlite"])
        }
    }
}
