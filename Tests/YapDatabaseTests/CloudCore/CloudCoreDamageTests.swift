import Foundation
import FileEngine
import TestSupport
import Testing

@testable import YapDatabase

/// Tables and operations that are not as they should be.
@Suite struct CloudCoreDamageTests {
    private let uploader = Uploader()

    @Test func theCheckFindsWhatDoesNotFit() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeOriginalFile(url, [])
            #expect(try YapDatabase.check(url: url) == [])
            let handle = try foreignProgram(url)
            try handle.execute("INSERT INTO cloudcore_pipeline3_cloud VALUES (2, 'default', 0)")
            try handle.execute(
                "INSERT INTO cloudcore_queue2_cloud VALUES (1, 9, 1, x'01'), (2, NULL, 'x', NULL), (3, 2, 1, x'02')")
            try handle.execute("INSERT INTO cloudcore_mapping_cloud VALUES (8, '/b'), (1, '/a')")
            let problems = try YapDatabase.check(url: url)
            #expect(problems.allSatisfy { $0.extensionName == "cloud" })
            #expect(problems.map(\.canBeRebuilt) == [false, false, false, false, false, true])
            let texts = problems.map { $0.description.replacing("cloud core \"cloud\": ", with: "") }
            #expect(
                texts == [
                    "has the pipeline \"default\" more than once", "operation 1 is in pipeline 9, which does not exist",
                    "operation 2 has a graph that is no number", "operation 2 has no bytes",
                    "row 1 is attached to \"/a\" more than once", "row 8, which does not exist, is attached to \"/b\"",
                ])
            try handle.execute("DROP TABLE cloudcore_queue2_cloud")
            try handle.execute("CREATE TABLE cloudcore_queue2_stray (rowid INTEGER PRIMARY KEY)")
            let others = try YapDatabase.check(url: url).map(\.description)
            #expect(others.contains("cloud core \"cloud\": has no table \"cloudcore_queue2_cloud\""))
            #expect(others.contains("cloud core \"stray\": has tables, but no entry in yap2"))
        }
    }

    @Test func rowsThatTheOriginalRemovedAreDetached() throws {
        try withCloudLaunches { url, launch throws in
            try makeOriginalFile(url, [])
            try foreignProgram(url).execute("DELETE FROM database2")
            #expect(try YapDatabase.check(url: url).count == 1)
            try launch(makeCloud(uploader)) { connection, _ throws in
                try connection.readWrite { transaction throws in
                    try transaction.setObject(1, forKey: "new")
                    try transaction.cloud.enumerateAttached(forKey: "new", collection: nil) { uri, _ in
                        Issue.record("it is attached to \(uri)")
                    }
                }
            }
        }
    }

    @Test(arguments: [("pipeline3", "name"), ("queue2", "operation"), ("tag", "tag"), ("mapping", "cloudURI")])
    func aTableThatRunsSomethingIsRefused(table: String, column: String) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeOriginalFile(url, [])
            let handle = try foreignProgram(url)
            try handle.execute("CREATE INDEX boom ON cloudcore_\(table)_cloud (hex(\(column)))")
            expectError(.notAYapDatabase, mentioning: "cloudcore_\(table)_cloud", "expression") {
                _ = try YapDatabase(url: url, options: .forTests)
            }
            try handle.execute("DROP INDEX boom")
            try handle.execute(
                "CREATE UNIQUE INDEX boom ON cloudcore_\(table)_cloud (\(column))")
            expectError(.notAYapDatabase) { _ = try YapDatabase(url: url, options: .forTests) }
        }
    }

    @Test func damagedTablesAreAnError() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeOriginalFile(url, [])
            let handle = try foreignProgram(url)
            try handle.execute("DROP TABLE cloudcore_queue2_cloud")
            try handle.execute("CREATE TABLE cloudcore_queue2_cloud (rowid INTEGER PRIMARY KEY, operation BLOB)")
            let database = try YapDatabase(url: url, options: .forTests)
            expectError(.corrupt, mentioning: "cloudcore_queue2_cloud", "graphID", "unregisterExtension") {
                try database.register(makeCloud(uploader), withName: "cloud")
            }
            try database.close()
        }
    }

    @Test func aFlippedBitNeverStopsTheProgram() throws {
        let operation = Upload("path", priority: 3, after: [Upload("other")])
        operation.persistentUserInfo = ["a": [1, "x", UUID()], "d": Date()]
        let archive = try OperationArchive.encode(operation)
        var (errors, values) = (0, 0)
        for index in archive.indices {
            for flip in [UInt8(1) << UInt8(index % 8), 0xff] {
                var damaged = archive
                damaged[index] ^= flip
                let row = CloudQueueRow(rowid: .min, pipeline: nil, graph: .max, bytes: Array(damaged))
                let queue = makeCloud(uploader).decode([row, row], [])
                let found = try #require(queue["default"].first?.operations.first)
                if found.isKnown { values += 1 } else { errors += 1 }
                _ = found.copy()
                _ = queue.newGraphNumber("default", commit: 1)
            }
        }
        #expect(errors > 100 && values > 10)
    }
}
