import Testing

@testable import YapDatabase

@Suite struct ViewTransactionLifeTests {
    /// A transaction that outlives its block keeps its connection's file handles open for good.
    @Test func nothingHoldsATransactionAfterItsEnd() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            weak var ended: YapDatabaseReadTransaction?
            try connection.readWrite { transaction throws in
                ended = transaction
                try transaction.setObject(Item(group: "a", sort: 1, text: ""), forKey: "k", inCollection: "c")
            }
            #expect(ended == nil)
            try connection.read { transaction throws in
                ended = transaction
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                #expect(try view.key(at: 0, inGroup: "a") == "k")
            }
            #expect(ended == nil)
        }
    }
}
