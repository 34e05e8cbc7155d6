import Foundation
import TestSupport
import Testing
import YapDatabase

@testable import FileReading

@Suite struct ListContentTests {
    @Test(arguments: originalFiles) func aCollectionIsInTheOrderOfItsKeysOrOfItsRowids(name: String) throws {
        try withFile(name) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let catalog = try snapshot.catalog()
            for collection in catalog.collections {
                for order in ListSubject.RowOrder.allCases {
                    let content = try ListContent(.collection(collection, by: order), snapshot, catalog: catalog)
                    try content.loadAll()
                    let expected = try query(
                        path,
                        "SELECT rowid FROM database2 WHERE collection = '\(collection)' ORDER BY \(order.rawValue)")
                    #expect(try content.allRowids().map { [String($0)] } == expected)
                    try expectPlaces(content)
                }
            }
        }
    }

    @Test(arguments: originalFiles) func aViewHasTheGroupsAndRowsOfItsPages(name: String) throws {
        try withFile(name) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            let catalog = try snapshot.catalog()
            for view in catalog.views {
                let content = try ListContent(.view(view.name, groups: nil), snapshot, catalog: catalog)
                #expect(content.damage == [])
                let counts = try query(
                    path, "SELECT \"group\", sum(count) FROM \"view_\(view.name)_page\" GROUP BY 1 ORDER BY 1")
                #expect(content.groups.map { [$0, String(content.counts[$0]!)] } == counts)
                try expectPlaces(content)
            }
        }
    }

    @Test func groupsThatDifferInUnicodeFormAreTwo() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let database = try YapDatabase(url: url)
            let groups = ["e\u{301}", "é"]
            try database.register(
                YapDatabaseAutoView(
                    grouping: .withKeyBlock { _, _, key in groups[key == "a" || key == "b" ? 0 : 1] },
                    sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) }), withName: "view")
            try database.newConnection().readWrite { transaction throws in
                for key in ["a", "b", "c"] { try transaction.setObject("x", forKey: key, inCollection: "c") }
            }
            try database.close()
            let snapshot = try BrowsedFile(path: url.path).snapshot
            let content = try ListContent(.view("view", groups: nil), snapshot, catalog: snapshot.catalog())
            #expect(content.groups.hasSameBytes(as: groups))
            #expect(groups.map { content.counts[$0] } == [2, 1])
            try expectPlaces(content)
        }
    }

    /// Each row is found at its place.
    private func expectPlaces(_ content: ListContent) throws {
        for group in content.groups {
            let source = try #require(content.sources[group])
            let rowids = try content.snapshot.read { try source.rowids(in: 0..<source.count.known, $0) }
            #expect(rowids.count == source.count.known)
            for (place, rowid) in rowids.enumerated() {
                #expect(try content.snapshot.read { try source.place(of: rowid, $0) } == place)
            }
        }
    }
}

extension ListContent {
    /// All rows of all groups, one after the other.
    func allRowids() throws -> [Int64] {
        try groups.flatMap { group in
            let source = sources[group]!
            return try snapshot.read { try source.rowids(in: 0..<source.count.known, $0) }
        }
    }
}
