import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// The tables, and what launches with other pipelines make of them.
@Suite struct CloudCoreFileTests {
    private let uploader = Uploader()

    private func packed(_ sql: String) -> String { sql.replacing(", ", with: ",") }

    @Test func theTablesAreThoseOfTheOriginal() throws {
        try withCloudLaunches { url, launch throws in
            try launch(makeCloud(uploader, others: ["big"])) { connection, _ throws in
                let items =
                    "SELECT sql FROM sqlite_master WHERE tbl_name LIKE 'cloudcore%' AND sql NOT NULL ORDER BY type DESC, name"
                #expect(try lines(url, items).map(packed) == originalCloudLayout)
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
        try withCloudLaunches { url, launch throws in
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

    @Test func pipelinesAreRenamedAndDropped() throws {
        try withCloudLaunches { url, launch throws in
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
        try withCloudLaunches { url, launch throws in
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
}
