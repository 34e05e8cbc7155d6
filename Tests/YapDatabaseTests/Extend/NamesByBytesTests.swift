import FileEngine
import Foundation
import Testing

@testable import YapDatabase

/// Names and tags that begin with a combining character, or end with one that goes with the next: with what the library puts before or behind
/// them these are one `Character`.
@Suite struct NamesByBytesTests {
    private static let names = ["\u{301}order", "order\u{600}", "\u{301}", "\u{200D}a\u{600}"]

    @Test(arguments: names) func tablesBelongToTheirExtension(name: String) {
        for table in ["view_\(name)_page", "view_\(name)_map"] {
            #expect(TableOwner(table: table, among: [table]) == .extension(.view, name: name))
        }
        for kind in TableOwner.Kind.allCases where kind != .view {
            let table = "\(kind.rawValue)_\(name)"
            #expect(TableOwner(table: table, among: [table]) == .extension(kind, name: name))
        }
        #expect(TableOwner(table: "fts_\(name)_content", among: ["fts_\(name)"]) == .extension(.fts, name: name))
        for table in CloudCoreTable.allCases {
            #expect(CloudCoreTable(table: table.name(ofExtension: name)) == table)
        }
    }

    @Test(arguments: names) func aListHasAnyNameAndTag(name: String) throws {
        try withTemporaryDatabase { database in
            let list = YapList(name, of: Novel.all, sortedBy: .ascending(\.title), versionTag: name)
            try database.register(list)
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Novel.all].save(Novel(1, "one")) }
            #expect(try connection.read { try $0[list].count } == 1)
            try connection.readWrite { transaction in
                let before = try #require(try transaction.store.registeredExtension(name))
                #expect(!before.isStale)
                // Once, however often.
                for _ in 0..<2 { try transaction.store.markStale(extension: name) }
                let stale = try #require(try transaction.store.registeredExtension(name))
                #expect(stale.isStale && stale.withoutStaleMark == before)
                transaction.rollback()
            }
            try database.unregisterExtension(withName: name)
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }
}
