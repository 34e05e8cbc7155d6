import ByteCoders
import Foundation
import SeededRandom
import YapDatabase

/// A row of the cases about large views: six fields, about 120 bytes, in the default format.
struct Item: YapPlainCodable, Sendable, Identifiable {
    static let collection = "items"
    static let groups = 10

    var id: Int
    var title: String
    var note: String
    var group: String
    var rank: Double
    var isRead: Bool

    init(_ number: Int, rank: Double) {
        id = number
        title = "Item Number \(number)"
        note = "Some words about item \(number), forty letters"
        group = "group \(number % Self.groups)"
        self.rank = rank
        isRead = number & 1 == 0
    }

    /// Items whose ranks ascend with their numbers, or are random; the same in every run.
    static func all(_ numbers: Range<Int>, isRandom: Bool) -> [(key: String, item: Item)] {
        var random = SplitMix64(seed: UInt64(numbers.lowerBound) + 17)
        return numbers.map { number in
            (key(number), Item(number, rank: isRandom ? Double(random.next() >> 12) : Double(number)))
        }
    }

    static func key(_ number: Int) -> String { "\(number)" }

    /// The bytes that our own default format stores.
    func encoded() throws -> Data {
        guard let bytes = ByteCoding.propertyList(self) else { throw RawError("An item cannot be encoded.") }
        return bytes
    }

    static func decoded(_ bytes: Data) throws -> Item {
        try bytes.withUnsafeBytes { try ByteCoding.decodePropertyList(Item.self, from: $0) }
    }

    static func byRank(_ first: Any, _ second: Any) -> ComparisonResult {
        let (a, b) = ((first as! Item).rank, (second as! Item).rank)
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }
}

/// Items in ten groups, by rank: declared by fields, or by blocks that see objects.
enum ItemList: String, CaseIterable {
    case fields
    case blocks

    static let name = "items by rank"
    static let list = YapList(
        name, of: YapCollection(Item.collection, of: Item.self), groupedBy: \.group, sortedBy: .ascending(\.rank))

    /// All groups, as the connection sees them.
    static func mappings(_ connection: YapDatabaseConnection) throws -> YapDatabaseViewMappings {
        let mappings = YapDatabaseViewMappings(groups: (0..<Item.groups).map { "group \($0)" }, view: name)
        try connection.read { try mappings.update(with: $0) }
        return mappings
    }

    func register(in database: YapDatabase) throws {
        switch self {
        case .fields: try database.register(Self.list)
        case .blocks:
            try database.register(
                YapDatabaseAutoView(
                    grouping: .withObjectBlock { _, _, _, object in (object as? Item)?.group },
                    sorting: .withObjectBlock { _, _, _, _, first, _, _, second in Item.byRank(first, second) },
                    versionTag: "1"),
                withName: Self.name)
        }
    }
}

/// Opens a database of items in the default format and closes it after the body.
@MainActor func withItems<Value>(
    _ url: URL, _ numbers: Range<Int> = 0..<0, isRandom: Bool = true, _ body: (YapDatabase) throws -> Value
) throws -> Value {
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    let database = try YapDatabase(url: url, options: options)
    database.registerCodableSerialization(Item.self, forCollection: Item.collection)
    let result = Result {
        if !numbers.isEmpty {
            try database.newConnection().readWrite { try $0.add(Item.all(numbers, isRandom: isRandom)[...]) }
        }
        return try body(database)
    }
    try database.close()
    drainMainQueue()
    return try result.get()
}

extension YapDatabaseReadWriteTransaction {
    func add(_ items: ArraySlice<(key: String, item: Item)>) throws {
        for (key, item) in items { try setObject(item, forKey: key, inCollection: Item.collection) }
    }
}
