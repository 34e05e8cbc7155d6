import Testing

@testable import YapDatabase

/// Calls that would wait for themselves stop the program with a message.
@Suite struct NestedCallTests {
    @Test func aSyncReadInsideATransactionOfTheSameConnection() async {
        await #expect(processExitsWith: .failure) {
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                try connection.read { _ in try connection.read { _ in } }
            }
        }
    }

    @Test func aWriteInsideAWriteOfTheSameDatabase() async {
        await #expect(processExitsWith: .failure) {
            try withTemporaryDatabase { database throws in
                let (first, second) = (try database.newConnection(), try database.newConnection())
                try first.readWrite { _ in try second.readWrite { _ in } }
            }
        }
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
