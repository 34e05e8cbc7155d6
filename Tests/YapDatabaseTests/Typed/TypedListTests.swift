import Foundation
import Testing

@testable import YapDatabase

@Suite struct TypedListTests {
    @Test func rowsAreGroupedSortedAndFiltered() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Novel.order)
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save([
                    Novel(1, "Dune", .hall, year: 1965), Novel(2, "Ubik", .hall, year: 1969), Novel(3, "Emma", .hall),
                    Novel(4, "Solaris", .attic), Novel(5, "Lost", nil), Novel(6, "Lent", .hall, isOwned: false),
                    Novel(7, "Aniara", .hall, year: 1969),
                ])
            }
            try connection.read { transaction throws in
                let order = try transaction[Novel.order]
                #expect(order.groups == ["attic", "hall"] && order.count == 5 && order.count(in: "hall") == 4)
                #expect(try order.values(in: "hall").map(\.title) == ["Aniara", "Ubik", "Dune", "Emma"])
                #expect(try order.values(in: "hall", 1..<3).map(\.id) == [2, 1])
                #expect(try order.value(at: 0, in: "attic")?.title == "Solaris" && order.key(at: 1, in: "hall") == 2)
                #expect(try order.row(at: 3, in: "hall")?.key == 3 && order.value(at: 9, in: "hall") == nil)
                #expect(try order.place(of: 1).map { "\($0.group) \($0.index)" } == "hall 2")
                #expect(try order.place(of: 6) == nil)
                let mappings = Novel.order.mappings(.first(2, groups: ["hall"]))
                try mappings.update(with: transaction)
                #expect(try order.value(at: RowPath(section: 0, row: 1), with: mappings)?.title == "Ubik")
                #expect(try order.path(of: 1, with: mappings) == nil)
            }
        }
    }

    @Test func orderingsOfEveryKind() {
        let texts = ["b", "A", "ä", "B10", "B9", "a"]
        func sorted(_ order: YapOrder<Novel>) -> [String] {
            texts.map { Novel(0, $0) }.sorted { order.compare($0, $1) == .orderedAscending }.map(\.title)
        }
        #expect(sorted(.ascending(\.title)) == ["A", "B10", "B9", "a", "b", "ä"])
        #expect(sorted(.descending(\.title)).first == "ä")
        #expect(
            Array(sorted(.ascending(\.title, .localized(Locale(identifier: "de")))).suffix(3)) == ["b", "B9", "B10"])
        #expect(sorted(.ascending(\.title, .caseInsensitive)).prefix(2).map { $0.lowercased() } == ["a", "a"])
        let years = [3, nil, 1].map { Novel($0 ?? 0, "", year: $0) }
        func ids(_ order: YapOrder<Novel>) -> [Int] {
            years.sorted { order.compare($0, $1) == .orderedAscending }.map(\.id)
        }
        #expect(ids(.ascending(\.year)) == [0, 1, 3] && ids(.ascending(\.year, nil: .last)) == [1, 3, 0])
        #expect(ids(.descending(\.year)) == [3, 1, 0] && ids(.descending(\.year, nil: .first)) == [0, 3, 1])
    }

    @Test func theVersionTagFollowsFromTheDeclaration() {
        func tag(_ order: YapOrder<Novel>, where condition: YapCondition<Novel>? = nil) -> String {
            YapList("order", of: Novel.all, groupedBy: \.shelf, sortedBy: order, where: condition).versionTag
        }
        #expect(
            Novel.order.versionTag
                == "novels | shelf | year nil last descending | title | id | isOwned = ?; Int \"1\" | order 2")
        let tags = [
            tag(.ascending(\.title)), tag(.descending(\.title)), tag(.ascending(\.id)),
            tag(.ascending(\.title, .caseInsensitive)), tag(.ascending(\.title, .localized(Locale(identifier: "sv")))),
            tag(.ascending(\.title, .localized(Locale(identifier: "de")))), tag(.ascending(\.author.name)),
            tag(.ascending(\.title), where: \.price < 10), tag(.ascending(\.title), where: \.price < 11),
            tag(.ascending(\.title), where: \.price <= 10), tag(.ascending(\.title), where: \.title == "10"),
            tag(.ascending(\.title), where: \.year == nil), tag(.ascending(\.title), where: \.year != nil),
            tag(.ascending(\.title), where: !(\.year != nil)), tag(.ascending(\.year)),
            tag(.ascending(\.year, nil: .last)),
            YapList("order", of: Novel.all, sortedBy: .ascending(\.title)).versionTag,
        ]
        #expect(Set(tags).count == tags.count, "\(tags)")
        #expect(tag(.ascending(\.title)) == tags[0])
    }

    /// A list is filled again if its tag is another one, so values stand in it as they always did.
    @Test func valuesInTagsStayAsTheyAre() {
        func expectTag(_ condition: YapCondition<Novel>, _ value: String) {
            let tag = YapList("order", of: Novel.all, sortedBy: .ascending(\.title), where: condition).versionTag
            #expect(tag.contains("; \(value) |"), "\(tag)")
        }
        expectTag(\.title == "a\"b", #"String "a\"b""#)
        expectTag(\.title == "", #"String """#)
        expectTag(\.id == -7, #"Int64 "-7""#)
        expectTag(\.price < 1e300, #"Double "1e+300""#)
        expectTag(\.year == 1970, #"Int64 "1970""#)
        expectTag(\.isOwned == true, #"Int "1""#)
    }

    @Test func whatHasNoNameNeedsATag() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = YapList("shouts", of: Novel.all, sortedBy: .ascending(\.shout))
        }
        #expect(result.said("The list \"shouts\" uses a closure or a computed property"))
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = YapList("some", of: Novel.all, where: .holds { $0.price > 1 })
        }
        #expect(other.said("Give it a versionTag"))
        let list = YapList("shouts", of: Novel.all, sortedBy: .ascending(\.shout), versionTag: "1")
        #expect(list.versionTag == "1 | order 2")
    }

    @Test func aListWithoutGroupsAndOneWithAClosure() throws {
        let all = YapList("all", of: Novel.all, sortedBy: .ascending(\.title))
        let letters = YapList("letters", of: Novel.all, sortedBy: .ascending(\.title), versionTag: "1") {
            $0.title.first.map(String.init)
        }
        try withTemporaryDatabase { database throws in
            try database.register(all, letters)
            try database.newConnection().readWrite { transaction throws in
                try transaction[Novel.all].save([
                    Novel(1, "Dune"), Novel(2, "Aniara"), Novel(3, "Dracula"), Novel(4, ""),
                ])
                #expect(try transaction[all].values().map(\.id) == [4, 2, 3, 1])
                #expect(try transaction[all].value(at: 1)?.id == 2)
                #expect(try transaction[letters].values(in: "D").map(\.id) == [3, 1])
                #expect(try transaction[letters].groups == ["A", "D"])
            }
        }
    }

    @Test func aChangedDeclarationFillsTheListAgainAndTheSameOneDoesNot() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            func rows(_ list: YapList<Novel, Int, Never>, write: Bool = false) throws -> [Int] {
                let database = try YapDatabase(url: url, options: .forTests)
                try database.register(list)
                let connection = try database.newConnection()
                if write { try connection.readWrite { try $0[Novel.all].save([Novel(1, "b"), Novel(2, "a")]) } }
                defer { try? database.close() }
                return try connection.read { try $0[list].values().map(\.id) }
            }
            let byTitle = YapList("list", of: Novel.all, sortedBy: .ascending(\.title))
            #expect(try rows(byTitle, write: true) == [2, 1])
            #expect(try rows(byTitle) == [2, 1])
            #expect(try rows(YapList("list", of: Novel.all, sortedBy: .ascending(\.id))) == [1, 2])
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aListThatIsNotRegisteredIsAnErrorThatSaysSo() throws {
        try withTemporaryDatabase { database throws in
            try database.newConnection().read { transaction throws in
                expectError(.badExtension, mentioning: "\"order\" is not registered") {
                    _ = try transaction[Novel.order]
                }
                expectError(.badExtension, mentioning: "\"texts\"") { _ = try transaction[Novel.texts] }
            }
        }
    }

    @Test func aGroupedListIsNotEmptyBecauseNoGroupWasNamed() throws {
        try withTemporaryDatabase { database throws in
            let price = YapFigure<Novel, Double>.sum(\.price)
            let rooms = YapList("rooms", groupsOf: Novel.order, figures: [price], sortedBy: .ascending(\.name))
            let shelves = YapList.manual("shelves", of: Novel.all)
            let titles = YapList("titles", of: Novel.all, sortedBy: .ascending(\.title))
            let all: [any YapDeclaration] = [Novel.order, rooms, shelves, titles]
            try database.register(all)
            let connection = try database.newConnection()
            try connection.read { transaction throws in
                #expect(try transaction[Novel.order].values() == [] && transaction[Novel.order].value(at: 0) == nil)
            }
            try connection.readWrite { transaction throws in
                try transaction[Novel.all].save([Novel(1, "Dune"), Novel(2, "Emma", .attic)])
                try transaction[shelves].append(1, to: "lent")
            }
            try connection.read { transaction throws in
                let rows = try transaction[Novel.order]
                for read in [
                    { _ = try rows.values() }, { _ = try rows.value(at: 0) }, { _ = try rows.key(at: 0) },
                    { _ = try rows.row(at: 0) }, { _ = try transaction[Novel.order.pages(of: 5)] },
                    { _ = try rows.figure(price) },
                ] as [() throws -> Void] {
                    expectError(.badQuery, mentioning: "\"order\"", "`in: \"attic\"`", "2") { try read() }
                }
                #expect(try rows.value(at: 0, in: "hall")?.title == "Dune")
                #expect(try rows.values(in: "cellar") == [])
                #expect(try transaction[titles].values().map(\.id) == [1, 2])
                // Its groups are the program's, which may use the one without a name now and then.
                #expect(try transaction[shelves].values() == [])
            }
            try database.unregister(rooms)
            try database.unregister(Novel.order)
            #expect(database.registeredExtensions().keys.sorted() == ["shelves", "titles"])
            try database.register([])
        }
    }
}
