import Foundation
import Testing

/// The output of `yap browse` for the original's files, against an independent reader.
@Suite struct BrowseOutputTests {
    static let names = ["books", "chat", "json"]

    @Test(arguments: names) func theListIsWhatTheTablesHold(name: String) throws {
        try withCopy(of: name) { url in
            let reader = IndependentReader(path: url.path)
            let run = try browse("--list", "--json", url.path)
            #expect(run.code == 0 && run.errors == "")
            let list = try #require(try run.objects().first)
            let collections = try #require(list["collections"] as? [[String: Any]])
            let counts = try reader.rows("SELECT collection, count(*) FROM database2 GROUP BY 1 ORDER BY 1")
            #expect(collections.map { ["\($0["name"]!)", "\($0["count"]!)"] } == counts)
            for view in try #require(list["views"] as? [[String: Any]]) {
                let name = try #require(view["name"] as? String)
                let groups = try #require(view["groups"] as? [[String: Any]])
                let found = Dictionary(
                    uniqueKeysWithValues: groups.map { ($0["name"] as! String, $0["count"] as! Int) })
                #expect(try found == reader.groups(ofView: name).mapValues(\.count))
                let values = try reader.rows("SELECT key, data FROM yap2 WHERE extension = '\(name)'")
                for key in ["class", "versionTag"] {
                    #expect(view[key] as? String == values.first { $0[0] == key }?[1])
                }
                #expect(view["damaged"] as? Bool == false)
            }
            let file = try #require(list["file"] as? [String: Any])
            #expect(try "\(file["snapshot"]!)" == reader.rows("SELECT data FROM yap2 WHERE key = 'snapshot'")[0][0])
            #expect(try "\(file["pages"]!)" == reader.rows("PRAGMA page_count")[0][0])
        }
    }

    @Test(arguments: names) func aCollectionHasItsRowsInOrderWithTheirValues(name: String) throws {
        try withCopy(of: name) { url in
            let reader = IndependentReader(path: url.path)
            for collection in try reader.rows("SELECT DISTINCT collection FROM database2").map({ $0[0]! }) {
                let printed = try browse("--json", "--collection", collection, url.path).objects()
                let rows = try reader.rows(
                    """
                    SELECT key, rowid, length(data), hex(data), CASE WHEN metadata IS NOT NULL THEN hex(metadata) END \
                    FROM database2 WHERE collection = '\(collection)' ORDER BY key
                    """)
                #expect(printed.count == rows.count)
                for (line, row) in zip(printed, rows) {
                    #expect(line["collection"] as? String == collection)
                    #expect(["\(line["key"]!)", "\(line["rowid"]!)", "\(line["size"]!)"] == row[..<3].map { $0! })
                    // The other classes in an archive would take more than a few lines to read.
                    if collection != "misc", collection != "" {
                        #expect(same(line["object"], try reader.object(row[3])), "\(line) \(row)")
                        #expect(same(line["metadata"], try reader.object(row[4])), "\(line)")
                    }
                }
            }
        }
    }

    @Test(arguments: names) func aViewHasTheRowsOfItsPagesInOrder(name: String) throws {
        try withCopy(of: name) { url in
            let reader = IndependentReader(path: url.path)
            let views = try reader.rows(
                "SELECT extension FROM yap2 WHERE key = 'class' AND data LIKE '%View' ORDER BY 1")
            for view in views.map({ $0[0]! }) {
                let groups = try reader.groups(ofView: view)
                let expected = groups.sorted { $0.key < $1.key }.flatMap { group, rowids in
                    rowids.enumerated().map { "\(group) \($0) \($1)" }
                }
                let printed = try browse("--json", "--view", view, url.path).objects()
                #expect(printed.map { "\($0["group"]!) \($0["index"]!) \($0["rowid"]!)" } == expected)
                let keys = try reader.rows("SELECT rowid, key FROM database2")
                let names = Dictionary(uniqueKeysWithValues: keys.map { ($0[0]!, $0[1]!) })
                #expect(printed.allSatisfy { names["\($0["rowid"]!)"] == $0["key"] as? String })
                let group = try #require(groups.keys.min())
                let last = try browse(
                    "--json", "--view", view, "--group", group, "--last", "3", "--reversed", url.path
                ).objects()
                #expect(last.map { $0["rowid"] as! Int } == groups[group]!.suffix(3).reversed())
            }
        }
    }

    private func same(_ printed: Any?, _ expected: Any?) -> Bool {
        NSDictionary(object: printed ?? NSNull(), forKey: "value" as NSString)
            == NSDictionary(object: expected ?? NSNull(), forKey: "value" as NSString)
    }
}
