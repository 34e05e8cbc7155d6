import Foundation
import YapDatabase

/// This library, with lists that are declared by fields.
final class OurProgram: Program {
    let database: YapDatabase
    let connection: YapDatabaseConnection

    init(_ url: URL, lists: Int) throws {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .normal
        // The main queue of these processes runs nothing.
        options.postsNotifications = false
        database = try YapDatabase(url: url, options: options)
        database.registerCodableSerialization(Item.self, forCollection: Item.collection)
        connection = try database.newConnection()
        for number in 0..<lists { try database.register(Self.list(number)) }
    }

    private init(_ database: YapDatabase) throws {
        self.database = database
        connection = try database.newConnection()
    }

    static func list(_ number: Int) -> YapList<Item, Int, Never> {
        YapList(
            "list\(number)", of: YapCollection(Item.collection, of: Item.self), groupedBy: \.group,
            sortedBy: .ascending(\.rank))
    }

    func read(_ key: String) throws {
        try connection.read { keep(try $0.object(forKey: key, inCollection: Item.collection)) }
    }

    func readAll() throws {
        try connection.read { transaction in
            try transaction.iterateKeysAndObjects(inCollection: Item.collection) {
                (_: String, item: Item, _: inout Bool) in keep(item)
            }
        }
    }

    func readList(_ group: String, first count: Int) throws {
        try connection.read { keep(try $0[Self.list(0)].values(in: group, 0..<count)) }
    }

    func add(_ rows: [(key: String, item: Item)]) throws { try connection.readWrite { try $0.add(rows[...]) } }

    func set(_ rows: [(key: String, item: Item)]) throws { try add(rows) }

    func remove(_ keys: [String]) throws {
        try connection.readWrite { try $0.removeObjects(forKeys: keys, inCollection: Item.collection) }
    }

    func other() throws -> any Program { try OurProgram(database) }

    func close() throws { try database.close() }
}
