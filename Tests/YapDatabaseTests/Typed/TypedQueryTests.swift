import Foundation
import TestSupport
import Testing

@testable import YapDatabase

@Suite struct TypedQueryTests {
    /// Queries over random novels find what the same condition, asked of each value, finds; in the same order.
    @Test(arguments: Effort.some([1, 2, 3] as [UInt64]), [false, true])
    func queriesFindWhatTheirConditionsFind(seed: UInt64, isTogether: Bool) throws {
        try withTemporaryDatabase { database throws in
            let together = Novel.fields.together(\.year, \.title, \.price).together(\.author.name, \.year)
            try database.register(isTogether ? together.together(\.shelf, \.price) : Novel.fields)
            let connection = try database.newConnection()
            var random = SplitMix64(seed: seed)
            for step in 0..<60 {
                try connection.readWrite { transaction throws in
                    for _ in 0..<4 {
                        let id = random.below(40)
                        if random.percent(25) {
                            try transaction[Novel.all].remove(id)
                        } else {
                            try transaction[Novel.all].save(Novel.random(id, &random))
                        }
                    }
                }
                try connection.read { transaction throws in
                    let novels = transaction[Novel.all]
                    let condition = Novel.condition(&random, depth: 2)
                    let query = novels.where(condition).order(
                        .descending(\.year), .ascending(\.title), .ascending(\.price))
                    let expected = try novels.values().filter(condition.holds)
                    let context = Comment(
                        rawValue: "seed \(seed), step \(step): \(condition.clause?.description ?? "")")
                    #expect(try Set(query.values()) == Set(expected), context)
                    #expect(try query.count == expected.count && Set(query.keys()) == Set(expected.map(\.id)), context)
                    let years = expected.map { $0.year ?? .min }.sorted(by: >)
                    #expect(try query.values().map { $0.year ?? .min } == years, context)
                    // Equal rows come in no particular order.
                    func order(_ novels: [Novel]) -> [String] {
                        novels.map { "\($0.year ?? 0) \($0.title) \($0.price)" }
                    }
                    let limited = try query.limit(3, offset: 1).values()
                    #expect(try order(limited) == order(Array(query.values().dropFirst().prefix(3))), context)
                }
            }
        }
    }

    @Test func anIndexIsUsedAndIsNeeded() throws {
        try withTemporaryDatabase { database throws in
            let prices = YapIndex("prices", of: Novel.all, on: \.price)
            try database.register(prices)
            try database.newConnection().readWrite { transaction throws in
                let novels = transaction[Novel.all]
                try novels.save([Novel(1, "a", price: 1), Novel(2, "b", price: 2), Novel(3, "c", price: 3)])
                #expect(try novels.where(\.price > 1).order(.descending(\.price)).values().map(\.id) == [3, 2])
                #expect(try novels.where(\.price > 1).explain().first?.hasPrefix("SEARCH") == true)
                #expect(try novels.where(\.price ~= 2...2.5).first()?.id == 2)
                #expect(try novels.order(.descending(\.price)).first()?.id == 3)
                expectError(.badQuery, mentioning: "No registered index of \"novels\" has all of \\.price, \\.year") {
                    _ = try novels.where(\.price > 1).where(\.year == 2).values()
                }
                expectError(.badQuery, mentioning: "a computed property") { _ = try novels.where(\.shout == "A").count }
                expectError(.badQuery, mentioning: "closure") { _ = try novels.where(.holds { _ in true }).values() }
                expectError(.badQuery, mentioning: "locale") {
                    _ = try novels.order(.ascending(\.title, .localized(.current))).values()
                }
            }
        }
    }

    /// What asks for one property and orders by the next is read in order, and nothing is sorted.
    @Test func propertiesThatAreInOrderTogetherAreNotSorted() throws {
        try withTemporaryDatabase { database throws in
            let shelf = YapIndex("shelf", of: Novel.all, on: \.price).together(\.author.name, \.year)
                .together(\.shelf, \.price, \.title)
            let apart = YapIndex("apart", of: Novel.all, on: \.price, \.author.name, \.year, \.shelf, \.title)
            let connection = try database.newConnection()
            var random = SplitMix64(seed: 7)
            let novels = (0..<300).map { Novel.random($0, &random) }
            try connection.readWrite { try $0[Novel.all].save(novels) }
            func explained(_ requests: [YapRequest<Novel, Int, Never>]) throws -> [String] {
                try connection.read { transaction throws in
                    try requests.map { try transaction[$0].explain().joined(separator: "; ") }
                }
            }
            let byAuthor = Novel.all.where(\.author.name == "Dick")
            let requests = [
                byAuthor.order(.descending(\.year)).limit(5), byAuthor.order(.ascending(\.year)).limit(5),
                byAuthor.where(\.year > 1962).order(.ascending(\.year)),
                Novel.all.order(.ascending(\.author.name), .ascending(\.year)).limit(5),
                Novel.all.where(\.shelf == .attic).order(.descending(\.price)).limit(5),
                Novel.all.where(\.shelf == .attic).where(\.price == 1).order(.ascending(\.title)),
                Novel.all.where(\.shelf == nil).where(\.price == 1).order(.ascending(\.title)),
            ]
            try database.register(apart)
            for text in try explained(requests) { #expect(text.contains("TEMP B-TREE"), "\(text)") }
            try database.unregister(apart)
            try database.register(shelf)
            for text in try explained(requests) {
                #expect(!text.contains("TEMP B-TREE") && text.contains("INDEX"), "\(text)")
            }
            let years = try connection.read { try $0[requests[0]].values().map(\.year) }
            let expected = novels.filter { $0.author.name == "Dick" }.map(\.year).sorted { $0 ?? 0 > $1 ?? 0 }
            #expect(years == Array(expected.prefix(5)))
        }
    }

    /// Opening again fills nothing, another order does, and an index that the program did not make is not trusted.
    @Test func anOrderOfSeveralPropertiesIsPartOfTheDeclaration() throws {
        let plain = YapIndex("shelf", of: Novel.all, on: \.price)
        let shelf = plain.together(\.author.name, \.year)
        #expect(plain.versionTag != shelf.versionTag)
        #expect(shelf.versionTag != plain.together(\.year, \.author.name).versionTag)
        let all = YapIndex("shelf", of: Novel.all, on: \.price, \.author.name, \.year)
        #expect(shelf.versionTag != all.together(\.author.name, \.year).versionTag)
        #expect(all.versionTag == "novels | price REAL | author.name TEXT | year INTEGER")
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "shelf.sqlite")
            func open(_ index: YapIndex<Novel, Int, Never>, _ body: (YapDatabaseConnection) throws -> Void) throws {
                let database = try YapDatabase(url: url, options: .forTests)
                try database.register(index)
                try body(try database.newConnection())
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
            let query = Novel.all.where(\.author.name == "Dick").order(.ascending(\.year)).limit(2)
            var snapshot = 0
            try open(shelf) { connection throws in
                try connection.readWrite { transaction throws in
                    try transaction[Novel.all].save((0..<9).map { Novel($0, "t", year: 1970 - $0, author: "Dick") })
                }
                snapshot = connection.snapshot
            }
            try open(shelf) { connection throws in
                #expect(connection.snapshot == snapshot)
                #expect(try connection.read { try $0[query].keys() } == [8, 7])
            }
            try foreignProgram(url).execute(#"CREATE INDEX "own" ON "secondaryIndex_shelf" ("year", "author.name")"#)
            try open(shelf) { connection throws in
                #expect(connection.snapshot > snapshot)
                #expect(try connection.read { try $0[query].keys() } == [8, 7])
            }
            try open(plain) { connection throws in
                expectError(.badQuery, mentioning: "author.name") { _ = try connection.read { try $0[query].keys() } }
            }
        }
    }

    /// A row that cannot be decoded, which a strange program put into the index, does not hide the one behind it.
    @Test func theFirstIsTheFirstThatCanBeDecoded() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "novels.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try database.register(Novel.fields)
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Novel.all].save((1...3).map { Novel($0, "t", price: Double($0)) }) }
            connection.objectCacheEnabled = false
            try foreignProgram(url).execute(#"UPDATE "database2" SET "data" = x'00' WHERE "key" = '1'"#)
            try connection.read { transaction throws in
                let novels = transaction[Novel.all].order(.ascending(\.price))
                #expect(try novels.first()?.id == 2)
                // It may have been taken out of the index by now.
                let keys = try novels.keys()
                #expect(keys == [1, 2, 3] || keys == [2, 3])
                #expect(try novels.limit(5, offset: 1).first()?.id == keys[1])
                #expect(try novels.limit(0).first() == nil)
                #expect(try novels.where(\.price > 3).first() == nil)
                // Of the one row that is wanted there is no value.
                #expect(try novels.limit(1).first()?.id == (keys[0] == 1 ? nil : 2))
            }
            try database.close()
        }
    }

    @Test func textsAreFoundBestFirst() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Novel.texts)
            try database.newConnection().readWrite { transaction throws in
                try transaction[Novel.all].save([
                    Novel(1, "The left hand of darkness"), Novel(2, "Dune", author: "Herbert"),
                    Novel(3, "Dune, Dune", author: "Herbert"), Novel(4, "Darkness", author: "A hand"),
                ])
                let texts = try transaction[Novel.texts]
                #expect(try texts.keys(matching: "dune").sorted() == [2, 3])
                #expect(try texts.values(matching: "dune", limit: 1).map(\.id) == [3])
                #expect(try Set(texts.keys(matching: "dark* hand")) == [1, 4])
                expectError(.badQuery) { _ = try texts.keys(matching: "\"open") }
            }
        }
    }
}

extension Novel {
    static func random(_ id: Int, _ random: inout SplitMix64) -> Novel {
        Novel(
            id, random.pick(["Dune", "Ubik", "é", "z", ""]), random.pick([.attic, .cellar, .hall, nil]),
            price: Double(random.below(6)) / 2, year: random.percent(30) ? nil : 1960 + random.below(6),
            isOwned: random.percent(70), author: random.pick(["Le Guin", "Dick"]))
    }

    static func condition(_ random: inout SplitMix64, depth: Int) -> YapCondition<Novel> {
        if depth > 0, random.percent(60) {
            let a = condition(&random, depth: depth - 1)
            switch random.below(3) {
            case 0: return a && condition(&random, depth: depth - 1)
            case 1: return a || condition(&random, depth: depth - 1)
            default: return !a
            }
        }
        let price = Double(random.below(6)) / 2
        let year = 1960 + random.below(6)
        switch random.below(16) {
        case 0: return \.price < price
        case 1: return \.price >= price
        case 2: return \.price == price
        case 3: return \.price != price
        case 4: return \.year > year
        case 5: return \.year <= year
        case 6: return \.year == year
        case 7: return \.year != year
        case 8: return \.year == nil
        case 9: return \.year != nil
        case 10: return \.shelf == .attic
        case 11: return \.title ~= ["Dune", "é"]
        case 12: return \.author.name == "Dick"
        case 13: return \.year ~= [year, nil]
        case 14: return \.shelf ~= [.attic, .hall]
        default: return \.isOwned == true
        }
    }
}
