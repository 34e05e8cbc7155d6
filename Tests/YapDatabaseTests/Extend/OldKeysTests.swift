import Foundation
import SQLiteBridge
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Files in which an early release of the original stored the tag of an extension under other keys.
@Suite struct OldKeysTests {
    @Test func theTagIsReadFromOlderKeysAndStoredUnderThePresentOne() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            let calls = Mutex(0)
            func opened(_ body: (YapDatabase) throws -> Void) throws {
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                try body(database)
                try database.register([
                    ("items", Item.view(tag: "3") { calls.withLock { $0 += 1 } }),
                    (
                        "even",
                        FilteredViewTests.filter(tag: "4") { item in
                            calls.withLock { $0 += 1 }
                            return item.sort % 2 == 0
                        }
                    ),
                    ("idx", Item.index(tag: "5") { calls.withLock { $0 += 1 } }),
                ])
                try database.close()
            }
            try opened { try $0.writeItems(0..<30) }
            #expect(calls.withLock { $0 } > 30)
            do {
                let handle = try foreignProgram(url)
                try handle.execute("DELETE FROM yap2 WHERE key = 'versionTag'")
                for row in ["'items', 'version', 3", "'even', 'tag', '4'", "'idx', 'version', 5"] {
                    try handle.execute("INSERT INTO yap2 (extension, key, data) VALUES (\(row))")
                }
            }
            calls.withLock { $0 = 0 }
            try opened { database throws in
                let connection = try database.newConnection()
                #expect(
                    try YapDatabaseView.previousVersionTag(forRegisteredViewName: "items", with: connection) == "3")
            }
            #expect(calls.withLock { $0 } == 0)
            let statement = try foreignProgram(url).statement(
                "SELECT group_concat(extension || ' ' || key || ' ' || data || ' ' || typeof(data)) FROM (SELECT * FROM yap2 "
                    + "WHERE key IN ('versionTag', 'version', 'tag') ORDER BY extension)")
            defer { statement.reset() }
            #expect(try statement.step())
            #expect(
                statement.text(at: 0)
                    == "even versionTag 4 text,idx versionTag 5 text,items versionTag 3 text")
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
