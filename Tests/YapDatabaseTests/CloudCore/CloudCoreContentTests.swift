import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Tags, and rows that are attached to URIs.
@Suite struct CloudCoreContentTests {
    private func withCloud(_ body: (YapDatabaseConnection) throws -> Void) throws {
        let uploader = Uploader()
        try withTemporaryDatabase { database throws in
            try database.register(makeCloud(uploader), withName: "cloud")
            try body(database.newConnection())
        }
    }

    @Test func tagsAreStoredByKeyAndIdentifier() throws {
        try withCloud { connection throws in
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                try cloud.setTag("text", forKey: "/a", withIdentifier: "eTag")
                try cloud.setTag(7, forKey: "/a", withIdentifier: "number")
                try cloud.setTag(2.5, forKey: "/a", withIdentifier: nil)
                try cloud.setTag(Data([1, 2]), forKey: "/a", withIdentifier: "data")
                try cloud.setTag("other", forKey: "/b", withIdentifier: "eTag")
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "number") as? Int == 7)
                expectError(.encodingFailed, mentioning: "Date") {
                    try cloud.setTag(Date(), forKey: "/a", withIdentifier: "date")
                }
            }
            try connection.read { transaction throws in
                let cloud = try transaction.cloud
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "eTag") as? String == "text")
                #expect(try cloud.tag(forKey: "/a", withIdentifier: nil) as? Double == 2.5)
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "data") as? Data == Data([1, 2]))
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "date") == nil)
                var found: [String] = []
                try cloud.enumerateTags(forKey: "/a") { identifier, tag, stop in
                    found.append("\(identifier)=\(tag)")
                    stop = identifier == "eTag"
                }
                #expect(found == ["=2.5", "data=2 bytes", "eTag=text"])
            }
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                try cloud.setTag("new", forKey: "/a", withIdentifier: "eTag")
                try cloud.setTag(nil, forKey: "/a", withIdentifier: "number")
                try cloud.removeTag(forKey: "/a", withIdentifier: "data")
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "eTag") as? String == "new")
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "number") == nil)
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "data") == nil)
                try cloud.removeAllTags(forKey: "/a")
                #expect(try cloud.tag(forKey: "/a", withIdentifier: "eTag") == nil)
                #expect(try cloud.tag(forKey: "/b", withIdentifier: "eTag") as? String == "other")
            }
        }
    }

    @Test func aNumberThatSQLiteHasNotIsNoTag() throws {
        try withCloud { connection throws in
            for tag in [Double.nan, Float.nan, NSNumber(value: Double.nan), UInt64.max, NSNumber(value: UInt64.max)]
                as [Any]
            {
                try connection.readWrite { transaction throws in
                    let cloud = try transaction.cloud
                    try cloud.setTag(1, forKey: "/n", withIdentifier: nil)
                    expectError(.encodingFailed, mentioning: "NaN") {
                        try cloud.setTag(tag, forKey: "/n", withIdentifier: nil)
                    }
                    // The transaction goes on.
                    #expect(try cloud.tag(forKey: "/n", withIdentifier: nil) as? Int == 1)
                    try cloud.setTag(Double.infinity, forKey: "/n", withIdentifier: nil)
                }
                #expect(
                    try connection.read { try $0.cloud.tag(forKey: "/n", withIdentifier: nil) as? Double } == .infinity)
            }
        }
    }

    private func attached(_ transaction: YapDatabaseReadTransaction, to uri: String) throws -> [String] {
        var rows: [String] = []
        try transaction.cloud.enumerateAttached(forCloudURI: uri) { key, collection, pending, _ in
            rows.append("\(collection)/\(key)\(pending ? " pending" : "")")
        }
        return rows
    }

    private func uris(_ transaction: YapDatabaseReadTransaction, of key: String) throws -> [String] {
        var uris: [String] = []
        try transaction.cloud.enumerateAttached(forKey: key, collection: "c") { uri, _ in uris.append(uri) }
        return uris
    }

    @Test func rowsAreAttachedOnceAndDetachedWhenTheyAreRemoved() throws {
        try withCloud { connection throws in
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                try transaction.setObject(1, forKey: "a", inCollection: "c")
                for _ in 0..<2 { try cloud.attachCloudURI("/x", forKey: "a", inCollection: "c") }
                try cloud.attachCloudURI("/y", forKey: "a", inCollection: "c")
                // Rows that are not there yet, one of which never is.
                for key in ["b", "never"] {
                    for _ in 0..<2 { try cloud.attachCloudURI("/x", forKey: key, inCollection: "c") }
                }
                try cloud.attachCloudURI("/taken back", forKey: "b", inCollection: "c")
                try cloud.detachCloudURI("/taken back", forKey: "b", inCollection: "c")
                #expect(try attached(transaction, to: "/x") == ["c/a", "c/b pending", "c/never pending"])
                #expect(try uris(transaction, of: "b") == ["/x"])
                try transaction.setObject(2, forKey: "b", inCollection: "c")
                #expect(try attached(transaction, to: "/x") == ["c/a", "c/b", "c/never pending"])
            }
            try connection.readWrite { transaction throws in
                try transaction.setObject(3, forKey: "never", inCollection: "c")
                #expect(try attached(transaction, to: "/x") == ["c/a", "c/b"])
                #expect(try uris(transaction, of: "a") == ["/x", "/y"])
                try transaction.removeObject(forKey: "never", inCollection: "c")
                try transaction.removeObject(forKey: "b", inCollection: "c")
                // It has the rowid of `b`.
                try transaction.setObject(4, forKey: "d", inCollection: "c")
                #expect(try uris(transaction, of: "d") == [])
                try transaction.cloud.detachCloudURI("/y", forKey: "a", inCollection: "c")
            }
            #expect(try connection.read { try attached($0, to: "/x") } == ["c/a"])
            try connection.readWrite { try $0.removeAllObjects(inCollection: "c") }
            #expect(try connection.read { try attached($0, to: "/x") } == [])
        }
    }
}
