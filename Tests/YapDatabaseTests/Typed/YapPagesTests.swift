import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// Pages of a list while its rows come, go and move: a row that stays where it is comes exactly once.
@Suite struct YapPagesTests {
    private static let order = YapList(
        "order", of: Novel.all, groupedBy: \.shelf, sortedBy: .descending(\.year), .ascending(\.id))
    private static let ties = YapList("ties", of: Novel.all, groupedBy: \.shelf, sortedBy: .descending(\.year))

    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func aRowThatStaysComesExactlyOnce(seed: UInt64)
        throws
    {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            let filtered = YapList("filtered", filtering: Self.order, where: \.price < 100)
            try database.register(Self.order, Self.ties, filtered)
            let connection = try database.newConnection()
            var (ids, nextID): (Set<Int>, Int) = ([], 0)
            // With equal rows, those that are there do not move: they come and go.
            func edit(_ count: Int, moves: Bool) throws -> Set<Int> {
                var edited: Set<Int> = []
                try connection.readWrite { transaction throws in
                    for _ in 0..<count {
                        var id = ids.sorted().randomElement(using: &random) ?? 0
                        if random.percent(ids.count > 50 ? 70 : 30) {
                            ids.remove(id)
                            try transaction[Novel.all].remove(id)
                        } else {
                            if !moves || random.percent(50) || ids.isEmpty { (id, nextID) = (nextID, nextID + 1) }
                            ids.insert(id)
                            try transaction[Novel.all].save(Novel(id, "t", .hall, year: random.below(5)))
                        }
                        edited.insert(id)
                    }
                }
                return edited
            }
            for step in 0..<Effort.cases(150) {
                let context: Comment = "seed \(seed), step \(step)"
                let list = [Self.order, filtered, Self.ties][step % 3]
                let moves = step % 3 < 2
                if ids.count < 20 { _ = try edit(60, moves: true) }
                let pages = list.pages(of: 1 + random.below(7), in: "hall")
                let all = try connection.read { try $0[list].values(in: "hall").map(\.id) }
                let forwards = random.percent(50)
                var (met, moved): ([Int], Set<Int>) = ([], [])
                var page = try connection.read { forwards ? try $0[pages].first() : try $0[pages].last() }
                #expect(forwards ? page.isFirst : page.isLast, context)
                while true {
                    #expect(page.keys == page.values.map(\.id), context)
                    if page.keys.isEmpty { break }
                    met += forwards ? page.keys : page.keys.reversed()
                    moved.formUnion(try edit(random.below(6), moves: moves))
                    page = try connection.read { [page] transaction throws in
                        forwards ? try transaction[pages].page(after: page) : try transaction[pages].page(before: page)
                    }
                }
                let staying = all.filter { !moved.contains($0) }
                let found = met.filter { !moved.contains($0) }
                try #require(found == (forwards ? staying : staying.reversed()), context)
                if let id = all.last, !moved.contains(id) {
                    let page = try connection.read { try $0[pages].page(from: id) }
                    #expect(page.keys.first == id, context)
                }
            }
        }
    }

    @Test func aConnectionGoesThroughAllPages() async throws {
        try await withTemporaryDatabase { database async throws in
            try await database.register(Self.order)
            let connection = try database.newConnection()
            try await connection.write { try $0[Novel.all].save((0..<25).map { Novel($0, "t", year: -$0) }) }
            var (sizes, ids): ([Int], [Int]) = ([], [])
            for try await page in connection.pages(Self.order.pages(of: 10, in: "hall")) {
                sizes.append(page.keys.count)
                ids += page.values.map(\.id)
            }
            #expect(sizes == [10, 10, 5])
            #expect(ids == Array(0..<25))
            let none = connection.pages(Self.order.pages(of: 10, in: "attic"))
            for try await page in none { Issue.record("\(page)") }
        }
    }

    @Test func groupsAreLettersAndDays() throws {
        try withTemporaryDatabase { database throws in
            struct Photo: Codable, Sendable, Identifiable {
                var id: Int
                var name: String?
                var taken: Date
            }
            let photos = YapCollection("photos", of: Photo.self)
            let zone = try #require(TimeZone(secondsFromGMT: 7_200))
            let letters = YapList("letters", of: photos, groupedBy: .initial(\.name), sortedBy: .ascending(\.id))
            let days = YapList(
                "days", of: photos, groupedBy: .day(\.taken, in: zone, newestFirst: true), sortedBy: .ascending(\.id))
            let months = YapList("months", of: photos, groupedBy: .month(\.taken, in: zone), sortedBy: .ascending(\.id))
            let years = YapList("years", of: photos, groupedBy: .year(\.taken, in: zone), sortedBy: .ascending(\.id))
            try database.register(letters, days, months, years)
            let connection = try database.newConnection()
            let names: [String?] = ["Éva", "eve", "ångström", "42", nil, "", "ß", "東京", "zoe", "é"]
            // 23:00 in Greenwich on New Year's Eve of 2025, which is 01:00 of the next year two hours east.
            let newYear = Date(timeIntervalSince1970: 1_767_222_000)
            let dates = [0, -7_200, 86_400, 40 * 86_400].map { newYear + $0 } + [.distantPast, .distantFuture]
            let odd = [Double.nan, .infinity, -.infinity, 1e300].map { Date(timeIntervalSinceReferenceDate: $0) }
            try connection.readWrite { transaction throws in
                for (id, name) in names.enumerated() {
                    try transaction[photos].save(Photo(id: id, name: name, taken: (dates + odd)[id]))
                }
            }
            try connection.read { transaction throws in
                #expect(
                    try transaction[letters].groups == ["A", "E", "SS", "Z", "東", "#"].map { $0 == "SS" ? "S" : $0 })
                #expect(try transaction[letters].values(in: "E").map(\.id) == [0, 1, 9])
                #expect(try transaction[letters].values(in: "#").map(\.id) == [3, 4, 5])
                let (days, named) = (try transaction[days], ["2026-02-10", "2026-01-02", "2026-01-01", "2025-12-31"])
                #expect(Array(days.groups.dropFirst(2).prefix(4)) == named)
                #expect(days.groups.allSatisfy { $0.count == 10 } && days.count == 9)
                // Dates without end are on the first and the last day that has a name.
                #expect(days.groups.first == "9999-12-31" && days.groups.last == "0001-01-01")
                #expect(try transaction[months].count(in: "2026-01") == 2)
                #expect(try transaction[years].groups.contains("2025"))
            }
            #expect(YapSectionIndex(groups: ["Adams", "austen", "Brown", "#"]).titles == ["A", "B", "#"])
            #expect(YapSectionIndex(groups: ["Adams", "austen", "Brown", "#"]).section(of: "B") == 2)
        }
    }

    private static let folder = ProcessFolder("pages")
    private static let byID = YapList("byID", of: Novel.all, sortedBy: .ascending(\.id))

    private static func saveNewerRows() async throws {
        let newer = YapCollection("novels", of: Novel.self, version: 2, migrating: .from(1, Novel.self) { $0 })
        let list = YapList("byID", of: newer, sortedBy: .ascending(\.id))
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(list)
        try await database.newConnection().write { try $0[newer].save((30..<60).map { Novel($0, "newer") }) }
        try database.close()
    }

    /// A newer version of the program has written rows that this one cannot decode: whole pages of them. They are left out, and nothing else is.
    @Test(.serialized, arguments: [7, 10, 100]) func whatCannotBeDecodedIsNoEnd(size: Int) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(Self.byID)
        let connection = try database.newConnection()
        try await connection.write { try $0[Novel.all].save((0..<100).map { Novel($0, "n") }) }
        await #expect(processExitsWith: .success) { try await Self.saveNewerRows() }
        var found: [Int] = []
        for try await page in connection.pages(Self.byID.pages(of: size)) {
            found += page.keys
            if found.count > 200 { break }
        }
        #expect(found == Array(0..<30) + Array(60..<100))
        try database.close()
    }

    private struct Named: Codable, Sendable, Identifiable {
        var id: String
        var number = 1
    }

    /// Keys that differ in their Unicode form alone, of rows that are equal in order.
    @Test(arguments: [1, 2, 3]) func keysAreBytes(size: Int) async throws {
        try await withTemporaryDatabase { database async throws in
            let all = YapCollection("named", of: Named.self)
            let list = YapList("list", of: all, sortedBy: .ascending(\.number))
            try await database.register(list)
            let connection = try database.newConnection()
            let names = ["caf\u{e9}", "cafe\u{301}", "b", "\u{212a}", "K"]
            try await connection.write { try $0[all].save(names.map { Named(id: $0) }) }
            var found: [String] = []
            for try await page in connection.pages(list.pages(of: size)) {
                found += page.keys
                if found.count > 20 { break }
            }
            #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
            let pages = list.pages(of: size)
            var backwards: [String] = []
            var page = try await connection.read { try $0[pages].last() }
            while backwards.count < 20 {
                backwards = page.keys + backwards
                if page.isFirst { break }
                page = try await connection.read { [page] in try $0[pages].page(before: page) }
            }
            #expect(backwards.map { Array($0.utf8) } == names.map { Array($0.utf8) })
        }
    }
}
