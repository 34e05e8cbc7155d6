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

    private typealias Condition = YapCondition<Novel>

    private static func chain(_ count: Int, _ junction: (Condition, Condition) -> Condition) -> Condition {
        (1..<count).reduce(\.price == 0) { junction($0, \.price == Double($1 * 2)) }
    }

    /// An operator and its contrary by turns, nested on the left side or on the right one.
    private static func nested(_ count: Int, isLeft: Bool) -> Condition {
        (1..<count).reduce(\.price == 0) { inner, number in
            let other: Condition = number % 2 == 0 ? \.price != Double(number) : \.price == Double(number)
            switch (isLeft, number % 2 == 0) {
            case (true, true): return inner && other
            case (true, false): return inner || other
            case (false, true): return other && inner
            case (false, false): return other || inner
            }
        }
    }

    private static func inverted(_ count: Int) -> Condition { (0..<count).reduce(\.price < 4) { inner, _ in !inner } }

    /// Conditions of many terms, of which SQLite nests what one operator joins.
    @Test(arguments: [1, 2, 60, 95, 100, 101, 250, 1_000, 5_000]) func chainsOfManyTermsFindWhatTheirConditionsFind(
        count: Int
    ) throws {
        try withTemporaryDatabase { database throws in
            try database.register(YapIndex("prices", of: Novel.all, on: \.price))
            try database.newConnection().readWrite { transaction throws in
                let novels = transaction[Novel.all]
                try novels.save((0..<30).map { Novel($0, "a", price: Double($0)) })
                var conditions = [
                    Self.chain(count, ||), Self.chain(count) { $0 && !$1 }, !Self.chain(count, ||),
                    Self.inverted(count),
                ]
                if count <= 60 {
                    conditions += [Self.nested(count, isLeft: true), Self.nested(count / 4 + 1, isLeft: false)]
                }
                for (place, condition) in conditions.enumerated() {
                    let expected = try novels.values().filter(condition.holds).map(\.id)
                    let query = novels.where(condition)
                    #expect(try Set(query.keys()) == Set(expected), "\(count), condition \(place)")
                    #expect(try query.count == expected.count, "\(count), condition \(place)")
                    #expect(try query.explain().isEmpty == false)
                }
            }
        }
    }

    @Test func whatIsTooLargeForSQLiteSaysWhatToDo() throws {
        try withTemporaryDatabase { database throws in
            try database.register(YapIndex("prices", of: Novel.all, on: \.price))
            try database.newConnection().readWrite { transaction throws in
                let novels = transaction[Novel.all]
                try novels.save((0..<30).map { Novel($0, "a", price: Double($0)) })
                let (many, deep) = (Self.chain(5_001, ||), Self.nested(3_000, isLeft: true))
                // Each value is told, whatever SQLite says.
                #expect(try novels.values().filter(many.holds).count == 15)
                #expect(try novels.values().filter(deep.holds).isEmpty == false)
                expectError(.badQuery, mentioning: "at most 5000") { _ = try novels.where(many).count }
                for condition in [deep, !deep, deep || \.price == 1, Self.nested(150, isLeft: false)] {
                    expectError(.badQuery, mentioning: "nested too deep") { _ = try novels.where(condition).count }
                }
                let error = #expect(throws: YapDatabaseError.self) {
                    _ = try novels.where(\.price ~= (0..<300_000).map(Double.init)).count
                }
                let said = try #require(error)
                #expect(said.code == .badQuery && said.message.contains("Divide the values among several queries"))
                #expect(said.description.utf8.count < 1_000)
            }
        }
    }

    /// Files have them: another text would fill the lists of every file again.
    @Test func versionTagsOfConditionsStayAsTheyAre() {
        let (a, b, c): (Condition, Condition, Condition) = (\.price < 1, \.price > 2, \.year == nil)
        let tags: [(Condition, String)] = [
            (a && b && c, "((price < ? AND price > ?) AND year IS NULL)"),
            (a && (b && c), "(price < ? AND (price > ? AND year IS NULL))"),
            ((a || c) && !(a && c), "((price < ? OR year IS NULL) AND ((price < ? AND year IS NULL)) IS NOT TRUE)"),
            (!(!a) || c || a, "((((price < ?) IS NOT TRUE) IS NOT TRUE OR year IS NULL) OR price < ?)"),
        ]
        for (condition, tag) in tags {
            let text = condition.clause?.description?.components(separatedBy: ";").first
            #expect(text == tag)
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
