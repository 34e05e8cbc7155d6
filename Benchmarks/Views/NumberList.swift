import Foundation
import SeededRandom
import YapDatabase

/// A database of numbers, and a view that sorts them in one group.
enum NumberList {
    static let collection = "numbers"
    static let view = "sorted"
    static let group = "all"

    /// Returns bytes that sort like the number.
    static func object(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    /// Makes a database store the numbers as they are. Must come before the first row.
    static func registerSerializer(in database: YapDatabase) {
        database.registerSerializer(
            YapDatabase.rawSerializer(), deserializer: YapDatabase.rawDeserializer(), forCollections: [collection])
    }

    static func register(in database: YapDatabase) throws {
        try database.register(
            YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in group },
                sorting: .withObjectBlock { _, _, _, _, first, _, _, second in
                    compare(first as! Data, second as! Data)
                }, versionTag: "1"),
            withName: view)
    }

    /// Adds rows whose numbers are random.
    static func add(_ rows: Range<Int>, to connection: YapDatabaseConnection) throws {
        registerSerializer(in: connection.database)
        try connection.readWrite { transaction in
            try forEach(rows) { key, object in
                try transaction.setObject(object, forKey: key, inCollection: collection)
            }
        }
    }

    /// Calls the body with the key and the object of each row.
    static func forEach(_ rows: Range<Int>, _ body: (String, Data) throws -> Void) rethrows {
        var random = SplitMix64(seed: UInt64(rows.lowerBound))
        for row in rows { try body("\(row)", object(random.next())) }
    }

    private static func compare(_ first: Data, _ second: Data) -> ComparisonResult {
        let (a, b) = (number(first), number(second))
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }

    private static func number(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}
