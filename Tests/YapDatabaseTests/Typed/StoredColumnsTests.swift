import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Indexes and searches that read columns out of stored bytes, against those that decode whole values.
@Suite struct StoredColumnsTests {
    private static let formats = [YapDatabaseCodableFormat.propertyList, .json]

    /// Where bytes were changed, but to no value that names a property twice, the columns are those of the whole value. Only a value that cannot be decoded may have columns
    /// nevertheless, if other properties are damaged.
    @Test func damagedBytesGiveTheColumnsOfTheWholeValue() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let index = YapIndex(
            "index", of: YapCollection("parcels", of: Parcel<Kept>.self), on: \.price, \.title, \.oldLevel, \.day,
            \.lastYear, \.size, \.link)
        let fields = try #require((index.makeExtension() as? YapDatabaseSecondaryIndex)?.fields)
        for format in Self.formats {
            var codings = CodingTable()
            codings.declare(Parcel<Kept>.self, format, in: "parcels")
            let columns = try #require(fields.byBytes(codings))
            for id in 0..<2_000 {
                let key = RowKey(collection: "parcels", key: "\(id)")
                var bytes = try format.encode(Parcel<Kept>(id: id, &random))
                let names = countOfNames(bytes, format)
                for _ in 0..<random.below(3) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
                }
                let context = Comment(rawValue: "seed \(seed), \([UInt8](bytes))")
                let whole = Result { try bytes.withUnsafeBytes { try format.decode(Parcel<Kept>.self, $0) } }
                let found = Result { try bytes.withUnsafeBytes { try columns($0, key) } }
                guard case .success(let parcel) = whole, countOfNames(bytes, format) == names else { continue }
                let wanted = try #require(try fields.byObject(parcel, key))
                #expect(try found.get() == wanted, context)
            }
        }
    }

    @Test func indexesAndSearchesHaveTheSameColumns() throws {
        for format in Self.formats {
            try withTemporaryDatabase { database throws in
                let first = try columns(database, "kept", format) { Parcel<Kept>(id: $0, &$1) }
                let second = try columns(database, "other", format) { Parcel<NotGiven>(id: $0, &$1) }
                #expect(first == second && first.values.allSatisfy { $0.count > 5 })
            }
        }
    }

    /// What each column has for all rows, those that were there first.
    private func columns<Promise>(
        _ database: YapDatabase, _ name: String, _ format: YapDatabaseCodableFormat,
        _ make: (Int, inout SplitMix64) -> Parcel<Promise>
    ) throws -> [String: [String]] {
        typealias Index = YapIndex<Parcel<Promise>, Int, Never>
        var random = SplitMix64(seed: 6)
        let parcels = YapCollection(name, of: Parcel<Promise>.self, as: format)
        let connection = try database.newConnection()
        func write(_ count: Int) throws {
            try connection.readWrite { transaction throws in
                for _ in 0..<count { try transaction[parcels].save(make(random.below(300), &random)) }
            }
        }
        try write(200)
        let indexes = [
            Index(
                "scalars", of: parcels, on: \.title, \.note, \.isOwned, \.isRead, \.price, \.discount, \.weight, \.day,
                \.dueDay, \.year, \.lastYear, \.count, \.size),
            Index(
                "others", of: parcels, on: \.shelf, \.oldShelf, \.level, \.oldLevel, \.token, \.link, \.stamp),
            Index("inner", of: parcels, on: \.sender.name, \.title),
        ]
        let texts = YapTextIndex("texts", of: parcels, on: \.title, \.note)
        let notes = YapTextIndex("notes", of: parcels, on: \.note)
        var found: [String: [String]] = [:]
        for index in indexes { try database.register(index) }
        try database.register(texts)
        try database.register(notes)
        try write(60)
        try connection.read { transaction throws in
            for index in indexes {
                let access = try #require(transaction.ext(index.name) as? YapDatabaseSecondaryIndexTransaction)
                #expect(try access.numberOfRows(matching: .matchingAll()) == transaction[parcels].count)
                for column in access.index.layout.columns {
                    let query = YapDatabaseQuery(string: "ORDER BY rowid")
                    try access.iterateIndexedValues(inColumn: column, matching: query) { value, _ in
                        found["\(index.name) \(column)", default: []].append("\(type(of: value)) \(value)")
                    }
                }
            }
            for search in [try transaction[texts].search, try transaction[notes].search] {
                for word in ["dune", "ubik", "é", "short", "日本", "null"] {
                    try search.iterateKeys(matching: word) { _, key, _ in
                        found["\(search.name)", default: []].append("\(word) \(key)")
                    }
                }
            }
        }
        for name in indexes.map(\.name) + [texts.name, notes.name] { try database.unregisterExtension(withName: name) }
        return found
    }
}
