import Testing

@testable import YapDatabase

/// Calls that would wait for themselves stop the program with a message.
@Suite struct NestedCallTests {
    @Test func aSyncReadInsideATransactionOfTheSameConnection() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                try connection.read { _ in try connection.read { _ in } }
            }
        }
        #expect(stopped.said("would wait for itself forever"))
    }

    @Test func aWriteInsideAWriteOfTheSameDatabase() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                let (first, second) = (try database.newConnection(), try database.newConnection())
                try first.readWrite { _ in try second.readWrite { _ in } }
            }
        }
        #expect(stopped.said("inside another one of the same database"))
    }

    @Test func anotherConnectionMayBeReadInsideATransaction() throws {
        try withTemporaryDatabase { database throws in
            let (first, second) = (try database.newConnection(), try database.newConnection())
            try first.readWrite { transaction throws in
                try transaction.setObject(1, forKey: "k")
                #expect(try second.read { try $0.object(forKey: "k") } == nil)
            }
        }
    }
}
