import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Files whose tables and operations the original made.
@Suite struct CloudCoreOriginalFileTests {
    private let uploader = Uploader()

    @Test func aFileOfTheOriginalIsReadAndWritten() throws {
        try withCloudLaunches { url, launch throws in
            let (first, second, third) = (UUID(), UUID(), UUID())
            YapDatabase.registerArchivedClass(AppleUpload.self, as: "ObjCUpload")
            try makeOriginalFile(
                url,
                [
                    appleArchive("ObjCUpload", first), appleArchive("ObjCUpload", second, after: first),
                    appleArchive("ObjCUpload", third, version: 0, after: second),
                ])
            let stored = try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud ORDER BY rowid")
            try launch(makeCloud(uploader)) { connection, _ throws in
                try connection.read { transaction throws in
                    let cloud = try transaction.cloud
                    let operation = try #require(cloud.operation(with: second) as? Upload)
                    #expect(
                        operation.path == "/from/apple" && operation.priority == 3 && operation.dependencies == [first])
                    #expect(operation.persistentUserInfo as? [String: String] == ["key": "key"])
                    #expect(operation.snapshot == 7 && operation.pipeline == "default")
                    #expect(cloud.operation(with: third)?.dependencies == [second])
                    #expect(try cloud.tag(forKey: "/a", withIdentifier: "eTag") as? String == "x")
                    var attached: [String] = []
                    try cloud.enumerateAttached(forCloudURI: "/a") { key, _, _, _ in attached.append(key) }
                    #expect(attached == ["k"])
                }
            }
            #expect(try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud ORDER BY rowid") == stored)
            try launch(makeCloud(uploader)) { connection, _ throws in
                try connection.readWrite { transaction throws in
                    let changed = try #require(transaction.cloud.operation(with: second))
                    changed.priority = 1
                    try transaction.cloud.modifyOperation(changed)
                    try transaction.cloud.completeOperation(with: first)
                    try transaction.cloud.addOperation(YapDatabaseCloudCoreOperation())
                    try transaction.removeObject(forKey: "k", inCollection: "c")
                }
            }
            let after = try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud ORDER BY rowid")
            #expect(after.count == 3 && after[0] != stored[1] && after[1] == stored[2])
            // The graph of the new operation comes after that of a commit with a higher number.
            #expect(try lines(url, "SELECT graphID FROM cloudcore_queue2_cloud ORDER BY rowid") == ["7", "7", "8"])
            #expect(try lines(url, "SELECT count(*) FROM cloudcore_mapping_cloud") == ["0"])
            let bytes = try #require(Data(hex: after[0]))
            let object = try KeyedArchive.decodeObject(bytes)
            #expect(
                object.classes == [
                    "ObjCUpload", "YapDatabaseTests.Upload", "YapDatabaseCloudCoreOperation", "NSObject",
                ])
        }
    }

    @Test func whatCannotBeDecodedIsKeptAndNotStarted() async throws {
        let uploader = uploader
        try await onThread {
            try withCloudLaunches { url, launch throws in
                let unknown = UUID()
                let archive = try appleArchive("MissingClass", unknown)
                try makeOriginalFile(url, [archive, [1, 2, 3]])
                let stored = try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud ORDER BY rowid")
                let cloud = makeCloud(uploader)
                try launch(cloud) { connection, _ throws in
                    cloud.resume()
                    let operation = Upload("next")
                    try connection.readWrite { transaction throws in
                        let cloud = try transaction.cloud
                        let kept = try #require(cloud.operation(with: unknown) as? YapDatabaseCloudCoreUnknownOperation)
                        #expect(kept.archivedClassName == "MissingClass" && kept.priority == 3)
                        #expect("\(kept.error)".contains("MissingClass"))
                        kept.priority = 9
                        #expect(try !cloud.modifyOperation(kept))
                        try cloud.addOperation(operation)
                    }
                    #expect(
                        try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud ORDER BY rowid").prefix(2)
                            == stored[...])
                    #expect(uploader.started == [])
                    // The app decides to go on without them.
                    try connection.readWrite { transaction throws in
                        try transaction.cloud.skipOperations { _, operation, _, _ in
                            operation is YapDatabaseCloudCoreUnknownOperation
                        }
                    }
                    try uploader.expect(["next"])
                    try connection.readWrite { try $0.cloud.completeOperation(with: operation.uuid) }
                }
                #expect(try lines(url, "SELECT count(*) FROM cloudcore_queue2_cloud") == ["0"])
            }
        }
    }

    @Test func olderLayoutsAreUpgraded() throws {
        try withCloudLaunches { url, launch throws in
            try YapDatabase(url: url, options: .forTests).close()
            let handle = try foreignProgram(url)
            try handle.execute("CREATE TABLE cloudcore_pipeline_cloud (rowid INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            try handle.execute(
                """
                CREATE TABLE cloudcore_queue_cloud (rowid INTEGER PRIMARY KEY, pipelineID INTEGER, graphID BLOB NOT NULL, \
                prevGraphID BLOB, operation BLOB)
                """)
            try handle.execute("INSERT INTO cloudcore_pipeline_cloud VALUES (4, 'old name')")
            try handle.execute(
                "INSERT INTO yap2 VALUES ('cloud', 'class', 'YapDatabaseCloudCore'), ('cloud', 'classVersion', 1)")
            func insert(_ path: String, _ pipeline: Int?, _ graph: String, after previous: String?) throws {
                let hex = try OperationArchive.encode(Upload(path)).map { String(format: "%02x", $0) }.joined()
                let values =
                    "\(pipeline.map { "\($0)" } ?? "NULL"), x'\(graph)', \(previous.map { "x'\($0)'" } ?? "NULL")"
                try handle.execute("INSERT INTO cloudcore_queue_cloud VALUES (NULL, \(values), x'\(hex)')")
            }
            try insert("third", nil, "cc", after: "bb")
            try insert("second", nil, "bb", after: "aa")
            try insert("first", nil, "aa", after: "00")
            try insert("big 1", 4, "dd", after: nil)
            try insert("second too", nil, "bb", after: "aa")
            let cloud = makeCloud(uploader)
            let big = YapDatabaseCloudCorePipeline(name: "big", delegate: uploader)
            big.previousNames = ["old name"]
            cloud.registerPipeline(big)
            try launch(cloud) { connection, _ throws in
                let expected = [
                    "default 0 first", "default 1 second", "default 1 second too", "default 2 third", "big 0 big 1",
                ]
                #expect(try connection.read { try $0.queued } == expected)
            }
            #expect(
                try lines(url, "SELECT name || rowid FROM cloudcore_pipeline3_cloud ORDER BY 1") == [
                    "big4", "default5",
                ])
            #expect(
                try lines(
                    url,
                    "SELECT name FROM sqlite_master WHERE name IN ('cloudcore_queue_cloud', 'cloudcore_pipeline_cloud')"
                ) == [])
        }
    }
}

extension Data {
    fileprivate init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count % 2 == 0 else { return nil }
        self.init()
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            append(byte)
        }
    }
}
