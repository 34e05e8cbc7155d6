import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

@Suite struct FetchTests {
    static let byCategory = YapDB.Fetch.view(
        YapDB.View(
            name: "by category",
            grouping: .byMetadata { _, _, _, metadata in
                Product.Category.decode(metadata).map { "category \($0.number)" }
            },
            sorting: .byObject { _, _, _, _, one, _, _, other in
                guard let one = Product.decode(one), let other = Product.decode(other) else { return .orderedSame }
                return one.name.caseInsensitiveCompare(other.name)
            }, collections: [Product.collection]))

    static let gins = YapDB.Fetch.filter(
        YapDB.Filter(
            name: "gins", parent: byCategory,
            filtering: .byObject { _, _, _, _, object in
                Product.decode(object)?.name.lowercased().contains("gin") ?? false
            }))

    static func found(_ name: String = "found") -> YapDB.Fetch {
        .search(
            YapDB.SearchResults(
                name: name, parent: gins, search: "names", columnNames: ["name"],
                handler: .byObject { _, dict, _, _, object in dict["name"] = Product.decode(object)?.name }))
    }

    static let products = [
        Product(metadata: .init(number: 1), identifier: "rum", name: "Mount Gay Rum", barcode: .qrCode("1")),
        Product(metadata: .init(number: 1), identifier: "boxer", name: "Boxer Gin", barcode: .qrCode("2")),
        Product(metadata: .init(number: 2), identifier: "monkey", name: "Monkey Gin", barcode: .qrCode("3")),
        Product(metadata: .init(number: 1), identifier: "apple", name: "apple gin", barcode: .qrCode("4")),
        Product(metadata: nil, identifier: "none", name: "Gin of no category", barcode: .qrCode("5")),
    ]

    /// The rows of a view, in a launch that has read no product yet.
    private func rows(
        _ fetch: YapDB.Fetch, _ mappings: YapDatabaseViewMappings, _ connection: YapDatabaseConnection
    ) throws -> [String] {
        try connection.read { transaction in
            try mappings.update(with: transaction)
            let view = try #require(transaction.ext(fetch.name) as? YapDatabaseViewTransaction)
            return try mappings.visibleGroups().flatMap { group in
                try (0..<view.numberOfItems(inGroup: group)).map { row in
                    try Product.decode(view.object(at: row, inGroup: group))?.name ?? "none"
                }
            }
        }
    }

    @Test func aFetchRegistersWhatItStandsOn() throws {
        try withDatabase { database, connection throws in
            let fetch = Self.found()
            #expect(!fetch.isRegisteredInDatabase(database))
            try connection.write(Self.products)
            let commits = database.snapshot
            try fetch.registerInDatabase(database)
            #expect(database.snapshot == commits + 1)
            #expect(fetch.isRegisteredInDatabase(database) && Self.byCategory.isRegisteredInDatabase(database))
            #expect(Set(database.registeredExtensions().keys) == ["by category", "gins", "names", "found"])
            try fetch.registerInDatabase(database)
            #expect(database.snapshot == commits + 1)
        }
    }

    @Test func mappingsShowTheGroupsThatTheyName() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "t.sqlite")
            let first = try YapDatabase(url: url)
            try first.newConnection().write(Self.products)
            try first.close()

            let database = try YapDatabase(url: url)
            let connection = try database.newConnection()
            let all = try YapDB.FetchConfiguration(fetch: Self.byCategory)
                .createMappingsRegisteredInDatabase(database)
            #expect(
                try rows(Self.byCategory, all, connection) == ["Boxer Gin", "Mount Gay Rum", "Monkey Gin"].withApple)

            let second = try Self.gins.createViewMappings(YapDB.Mappings(groups: ["category 2"]), inDatabase: database)
            #expect(try rows(Self.gins, second, connection) == ["Monkey Gin"])

            let backwards = YapDB.Mappings(filter: { group, _ in group != "x" }) { one, other, _ in other.compare(one) }
            let configuration = YapDB.FetchConfiguration(fetch: Self.gins, mappings: backwards) { mappings in
                mappings.setIsReversed(true, forGroup: "category 1")
            }
            #expect(configuration.name == "gins")
            let mappings = try configuration.createMappingsRegisteredInDatabase(database)
            #expect(try rows(Self.gins, mappings, connection) == ["Monkey Gin", "apple gin", "Boxer Gin"])
            #expect(mappings.isReversed(forGroup: "category 1"))

            let composed = YapDatabaseViewMappings(groups: ["category 1"], view: "gins")
            let same = try Self.gins.createViewMappings(YapDB.Mappings(composed: composed), inDatabase: database)
            #expect(same === composed)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aSearchFillsAllItsViews() async throws {
        try await withDatabase { database, connection async throws in
            try await connection.asyncWrite(Self.products)
            let search = try YapDB.Search(db: database, views: [Self.found(), Self.found("also")]) { $0 + "*" }
            try await search.usingTerm("mon")
            for name in ["found", "also"] {
                let keys = try await connection.read { transaction in
                    let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
                    return try view.allGroups().flatMap { group in
                        try (0..<view.numberOfItems(inGroup: group)).map { try view.key(at: $0, inGroup: group) }
                    }
                }
                #expect(keys == ["monkey"])
            }
            await #expect(throws: YapDatabaseError.self) { try await search.usingTerm("\"") }
        }
    }

    @Test func anIndexFindsRows() throws {
        try withDatabase { database, connection throws in
            try connection.write(Self.products)
            let index = YapDB.Fetch.index(
                YapDB.SecondaryIndex(
                    name: "columns",
                    handler: .byRow { _, dict, _, _, object, metadata in
                        dict["name"] = Product.decode(object)?.name
                        dict["category"] = Product.Category.decode(metadata)?.number
                    }, columnTypes: ["name": .text, "category": .integer], collections: [Product.collection]))
            try index.registerInDatabase(database)
            #expect(index.isRegisteredInDatabase(database))
            try connection.read { transaction throws in
                let columns = try #require(transaction.ext("columns") as? YapDatabaseSecondaryIndexTransaction)
                let query = YapDatabaseQuery(string: "WHERE category = ? ORDER BY name", parameters: [1])
                var keys: [String] = []
                try columns.iterateKeys(matching: query) { _, key, _ in keys.append(key) }
                #expect(keys == ["boxer", "rum", "apple"])
            }
        }
    }
}

extension [String] {
    /// Names are ordered without regard to case.
    fileprivate var withApple: [String] { ["apple gin"] + self }
}
