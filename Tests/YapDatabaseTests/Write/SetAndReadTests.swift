import Foundation
import Testing

@testable import YapDatabase

@Suite struct SetAndReadTests {
    @Test func whatIsSetIsReadByAnyConnectionAfterTheCommit() throws {
        try withTemporaryDatabase { database in
            let writer = try database.newConnection()
            let reader = try database.newConnection()
            try writer.readWrite { transaction in
                try transaction.setObject("one", forKey: "k", inCollection: "c", withMetadata: 1)
                #expect(try transaction.object(forKey: "k", inCollection: "c") as? String == "one")
            }
            try reader.read { transaction in
                let row = try #require(try transaction.row(forKey: "k", inCollection: "c"))
                #expect(row.object as? String == "one" && row.metadata as? Int == 1)
                #expect(try transaction.hasObject(forKey: "k", inCollection: "c"))
                #expect(try !transaction.hasObject(forKey: "k"))
                #expect(try transaction.object(forKey: "k") == nil)
            }
        }
    }
}
