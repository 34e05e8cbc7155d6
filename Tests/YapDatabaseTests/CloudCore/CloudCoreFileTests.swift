import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// The tables, files whose tables another program made, and operations that it stored.
@Suite struct CloudCoreFileTests {
    private static let layout = [
        #"CREATE TABLE "cloudcore_mapping_cloud" ("database_rowid" INTEGER NOT NULL,"cloudURI" TEXT NOT NULL)"#,
        #"CREATE TABLE "cloudcore_pipeline3_cloud" ("rowid" INTEGER PRIMARY KEY,"name" TEXT NOT NULL,"algorithm" INTEGER NOT NULL)"#,
        #"CREATE TABLE "cloudcore_queue2_cloud" ("rowid" INTEGER PRIMARY KEY,"pipelineID" INTEGER,"graphID" INTEGER NOT NULL,"operation" BLOB)"#,
        #"CREATE TABLE "cloudcore_tag_cloud" ("key" TEXT NOT NULL,"identifier" TEXT NOT NULL,"tag" BLOB NOT NULL,PRIMARY KEY ("key","identifier"))"#,
        #"CREATE INDEX "cloudURI" ON "cloudcore_mapping_cloud" ("cloudURI")"#,
        #"CREATE INDEX "database_rowid" ON "cloudcore_mapping_cloud" ("database_rowid")"#,
    ]

    private func lines(_ url: URL, _ sql: String) throws -> [String] {
        let handle = try SQLiteHandle(path: url.path, mode: .readOnly, busyTimeout: 1_000)
        let statement = try handle.statement(sql)
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(at: 0) ?? "NULL") }
        return lines
    }

    private func packed(_ sql: String) -> String { sql.replacing(", ", with: ",") }

    /// Launches on one file, one after the other; each ends with the whole-file check.
    private func withLaunches(
        _ body: (
            URL, _ launch: (YapDatabaseCloudCore, (YapDatabaseConnection, YapDatabase) throws -> Void) throws -> Void
        )
            throws -> Void
    ) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try body(url) { cloud, work in
                cloud.suspend()
                let database = try YapDatabase(url: url, options: .forTests)
                try database.register(cloud, withName: "cloud")
                try work(database.newConnection(), database)
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    private let uploader = Uploader()

    @Test func theTablesAreThoseOfTheOriginal() throws {
        try withLaunches { url, launch throws in
            try launch(makeCloud(uploader, others: ["big"])) { connection, _ throws in
                let items =
                    "SELECT sql FROM sqlite_master WHERE tbl_name LIKE 'cloudcore%' AND sql NOT NULL ORDER BY type DESC, name"
                #expect(try lines(url, items).map(packed) == Self.layout)
                let entry =
                    "SELECT key || ' ' || typeof(data) || ' ' || data FROM yap2 WHERE extension = 'cloud' ORDER BY key"
                #expect(
                    try lines(url, entry) == [
                        "class text YapDatabaseCloudCore", "classVersion integer 3", "versionTag text 1",
                    ])
                try connection.readWrite { transaction throws in
                    try transaction.cloud.addOperation(Upload("a"))
                    try transaction.cloud.addOperation(Upload("b", in: "big"))
                    try transaction.cloud.setTag(7, forKey: "k", withIdentifier: nil)
                }
                let queue =
                    "SELECT typeof(pipelineID) || coalesce(pipelineID, '') || graphID || typeof(operation) FROM cloudcore_queue2_cloud"
                #expect(try lines(url, queue) == ["null2blob", "integer22blob"])
                let pipelines = "SELECT rowid || name || algorithm FROM cloudcore_pipeline3_cloud"
                #expect(try lines(url, pipelines) == ["1default0", "2big0"])
                #expect(try lines(url, "SELECT typeof(tag) || tag FROM cloudcore_tag_cloud") == ["integer7"])
            }
            // A second one has indexes of its own.
            try launch(makeCloud(uploader, others: ["big"])) { _, database throws in
                let second = makeCloud(uploader)
                try database.register(second, withName: "second")
                let names = "SELECT name FROM sqlite_master WHERE tbl_name = 'cloudcore_mapping_second' ORDER BY name"
                #expect(
                    try lines(url, names) == [
                        "cloudcore_mapping_second", "cloudcore_mapping_second_cloudURI",
                        "cloudcore_mapping_second_database_rowid",
                    ])
                try database.unregisterExtension(withName: "second")
                #expect(try lines(url, "SELECT name FROM sqlite_master WHERE name LIKE '%second%'") == [])
            }
        }
    }

    @Test func registeringAgainWritesNothingAndCallsNoDeserializer() throws {
        try withLaunches { url, launch throws in
            let (encoded, decoded) = (Locked(0), Locked(0))
            func cloud() -> YapDatabaseCloudCore {
                let cloud = makeCloud(uploader)
                cloud.setOperationSerializer(
                    { operation in
                        encoded.withLock { $0 += 1 }
                        return Data("\(operation.label) \(operation.uuid)".utf8)
                    },
                    deserializer: { data in
                        decoded.withLock { $0 += 1 }
                        return try #require(FixedUpload(data))
                    })
                return cloud
            }
            try launch(cloud()) { connection, _ throws in
                try connection.readWrite { try $0.queue(FixedUpload("a", UUID())) }
                #expect(encoded.withLock { $0 } == 1 && decoded.withLock { $0 } == 0)
            }
            let bytes = try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud")
            try launch(cloud()) { connection, _ throws in
                #expect(try connection.read { try $0.queued } == ["default 0 a"])
                #expect(encoded.withLock { $0 } == 1 && decoded.withLock { $0 } == 1)
            }
            #expect(try lines(url, "SELECT hex(operation) FROM cloudcore_queue2_cloud") == bytes)
        }
    }

    /// What NSKeyedArchiver makes of an operation on Apple's systems.
    private func archive(_ className: String, _ uuid: UUID, version: Int64 = 1, after other: UUID? = nil) throws
        -> [UInt8]
    {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        var objects: [BinaryPropertyList] = [.string("$null")]
        var fields: [String: BinaryPropertyList] = [
            "uuid": .uid(2), "priority": .integer(3), "dependencies": .uid(0), "persistentUserInfo": .uid(4),
            "path": .uid(7), "$class": .uid(8),
        ]
        if version != 0 { fields["version_base"] = .integer(version) }
        func named(_ names: String...) -> BinaryPropertyList {
            .dictionary(["$classname": .string(names[0]), "$classes": .array(names.map(BinaryPropertyList.string))])
        }
        if other != nil {
            fields["dependencies"] = .uid(9)
        }
        objects += [
            .dictionary(fields), .dictionary(["NS.uuidbytes": .data(bytes), "$class": .uid(3)]),
            named("NSUUID", "NSObject"),
            .dictionary(["NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(5)]), "$class": .uid(6)]),
            .string("key"), named("NSDictionary", "NSObject"), .string("/from/apple"),
            named(className, "YapDatabaseCloudCoreOperation", "NSObject"),
        ]
        if let other {
            let set = version == 0 ? "NSArray" : "NSSet"
            objects += [
                .dictionary(["NS.objects": .array([.uid(10)]), "$class": .uid(11)]),
                .dictionary([
                    "NS.uuidbytes": .data(withUnsafeBytes(of: other.uuid) { Data($0) }), "$class": .uid(3),
                ]), named(set, "NSObject"),
            ]
        }
        return Array(
            BinaryPropertyList.dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
            ]).bytes())
    }

    private func makeForeignFile(_ url: URL, _ operations: [[UInt8]]) throws {
        try YapDatabase(url: url, options: .forTests).close()
        let handle = try foreignProgram(url)
        // The original writes more white space.
        for sql in Self.layout { try handle.execute(sql.replacing(",", with: ",\n  ")) }
        try handle.execute(
            """
            INSERT INTO yap2 VALUES ('cloud', 'class', 'YapDatabaseCloudCore'), ('cloud', 'classVersion', 3), \
            ('cloud', 'versionTag', '1')
            """)
        try handle.execute("INSERT INTO cloudcore_pipeline3_cloud VALUES (1, 'default', 0)")
        try handle.execute("INSERT INTO cloudcore_tag_cloud VALUES ('/a', 'eTag', 'x'), ('/a', 'n', 5)")
        try handle.execute("INSERT INTO database2 VALUES (1, 'c', 'k', x'00', NULL)")
        try handle.execute("INSERT INTO cloudcore_mapping_cloud VALUES (1, '/a')")
        for bytes in operations {
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            try handle.execute("INSERT INTO cloudcore_queue2_cloud VALUES (NULL, NULL, 7, x'\(hex)')")
        }
    }

    @Test func aFileOfTheOriginalIsReadAndWritten() throws {
        try withLaunches { url, launch throws in
            let (first, second, third) = (UUID(), UUID(), UUID())
            YapDatabase.registerArchivedClass(AppleUpload.self, as: "ObjCUpload")
            try makeForeignFile(
                url,
                [
                    archive("ObjCUpload", first), archive("ObjCUpload", second, after: first),
                    archive("ObjCUpload", third, version: 0, after: second),
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
            try withLaunches { url, launch throws in
                let unknown = UUID()
                let archive = try archive("MissingClass", unknown)
                try makeForeignFile(url, [archive, [1, 2, 3]])
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
        try withLaunches { url, launch throws in
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

    @Test func pipelinesAreRenamedAndDropped() throws {
        try withLaunches { url, launch throws in
            try launch(makeCloud(uploader, others: ["old", "gone"])) { connection, _ throws in
                try connection.readWrite { transaction throws in
                    for name in ["old", "gone"] { try transaction.cloud.addOperation(Upload(name, in: name)) }
                }
            }
            let cloud = makeCloud(uploader)
            let renamed = YapDatabaseCloudCorePipeline(name: "new", delegate: uploader)
            renamed.previousNames = ["old"]
            cloud.registerPipeline(renamed)
            try launch(cloud) { connection, _ throws in
                #expect(try connection.read { try $0.queued } == ["default 0 gone", "new 0 old"])
                #expect(cloud.pipeline(withName: "old") === renamed)
            }
            #expect(try lines(url, "SELECT name FROM cloudcore_pipeline3_cloud ORDER BY name") == ["default", "new"])
            // It has the rowid of `gone`, and none of its operations.
            try launch(makeCloud(uploader, others: ["new", "other"])) { connection, _ throws in
                #expect(try connection.read { try $0.queued } == ["default 0 gone", "new 0 old"])
            }
        }
    }

    @Test func aCommitGraphThatBecomesFlatKeepsItsOrder() throws {
        try withLaunches { url, launch throws in
            let (a, b, c) = (Upload("a"), Upload("b"), Upload("c"))
            try launch(makeCloud(uploader)) { connection, _ throws in
                for operation in [a, b, c] { try connection.readWrite { try $0.queue(operation) } }
            }
            // In the launch after that too.
            for _ in 0..<2 {
                try launch(makeCloud(uploader, .flatGraph)) { connection, _ throws in
                    try connection.read { transaction throws in
                        let cloud = try transaction.cloud
                        #expect(cloud.operation(with: a.uuid)?.dependencies == [])
                        #expect(cloud.operation(with: b.uuid)?.dependencies == [a.uuid])
                        #expect(cloud.operation(with: c.uuid)?.dependencies == [b.uuid])
                    }
                }
            }
            #expect(try lines(url, "SELECT algorithm FROM cloudcore_pipeline3_cloud") == ["1"])
        }
    }

    @Test func theCheckFindsWhatDoesNotFit() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeForeignFile(url, [])
            #expect(try YapDatabase.check(url: url) == [])
            let handle = try foreignProgram(url)
            try handle.execute("INSERT INTO cloudcore_pipeline3_cloud VALUES (2, 'default', 0)")
            try handle.execute(
                "INSERT INTO cloudcore_queue2_cloud VALUES (1, 9, 1, x'01'), (2, NULL, 'x', NULL), (3, 2, 1, x'02')")
            try handle.execute("INSERT INTO cloudcore_mapping_cloud VALUES (8, '/b'), (1, '/a')")
            let problems = try YapDatabase.check(url: url)
            #expect(problems.allSatisfy { $0.extensionName == "cloud" && !$0.canBeRebuilt })
            let texts = problems.map { $0.description.replacing("cloud core \"cloud\": ", with: "") }
            #expect(
                texts == [
                    "has the pipeline \"default\" more than once", "operation 1 is in pipeline 9, which does not exist",
                    "operation 2 has a graph that is no number", "operation 2 has no bytes",
                    "row 8, which does not exist, is attached to \"/b\"", "row 1 is attached to \"/a\" more than once",
                ])
            try handle.execute("DROP TABLE cloudcore_queue2_cloud")
            try handle.execute("CREATE TABLE cloudcore_queue2_stray (rowid INTEGER PRIMARY KEY)")
            let others = try YapDatabase.check(url: url).map(\.description)
            #expect(others.contains("cloud core \"cloud\": has no table \"cloudcore_queue2_cloud\""))
            #expect(others.contains("cloud core \"stray\": has tables, but no entry in yap2"))
        }
    }

    @Test func damagedTablesAreAnError() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try makeForeignFile(url, [])
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

/// A class that has another name in files.
final class AppleUpload: Upload {}

/// An operation that no coder can read.
final class FixedUpload: YapDatabaseCloudCoreOperation {
    let name: String

    init(_ name: String, _ uuid: UUID) {
        self.name = name
        super.init(uuid: uuid)
    }

    convenience init?(_ data: Data) {
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let uuid = UUID(uuidString: String(parts[1])) else { return nil }
        self.init(String(parts[0]), uuid)
    }

    required init?(coder: NSCoder) { nil }

    override func copy(with zone: NSZone? = nil) -> Any { FixedUpload(name, uuid) }
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
