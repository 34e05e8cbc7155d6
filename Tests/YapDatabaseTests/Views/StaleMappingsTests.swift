import ListChanges
import Testing

@testable import YapDatabase

/// Mappings that are on another snapshot than the transaction.
@Suite struct StaleMappingsTests {
    private static let path = RowPath(section: 0, row: 0)
    private static let key = RowKey(collection: "c", key: "k")

    @Test(
        arguments: [
            { try $0.rowKey(at: path, with: $1) },
            { try $0.object(at: path, with: $1) },
            { try $0.metadata(at: path, with: $1) },
            { try $0.path(of: key, with: $1) },
            { try $0.keys(of: 0..<1, inSection: 0, with: $1).first },
        ] as [@Sendable (YapDatabaseViewTransaction, YapDatabaseViewMappings) throws -> Any?])
    func everyLookUpThrowsAndSaysWhatToDo(
        lookUp: @Sendable (YapDatabaseViewTransaction, YapDatabaseViewMappings) throws -> Any?
    ) throws {
        try withTemporaryDatabase { database in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let writer = try database.newConnection()
            try writer.readWrite {
                try $0.setObject(Item(group: "A", sort: 1, text: ""), forKey: "k", inCollection: "c")
            }
            let connection = try database.newConnection()
            try connection.jump()
            let mappings = YapDatabaseViewMappings(groups: ["A"], view: "items")
            try connection.read { try mappings.update(with: $0) }
            try writer.readWrite { try $0.removeObject(forKey: "k", inCollection: "c") }
            try connection.jump()
            try connection.read { transaction in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                let error = #expect(throws: YapDatabaseError.self) { _ = try lookUp(view, mappings) }
                #expect(error?.code == .mismatchedMappings)
                #expect(error.map { "\($0)".contains("update(with:)") } == true)
                try mappings.update(with: transaction)
                #expect(try lookUp(view, mappings) == nil)
            }
        }
    }
}
