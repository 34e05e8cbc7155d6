import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// An operation with a field of its own.
class Upload: YapDatabaseCloudCoreOperation {
    let path: String

    init(_ path: String, priority: Int32 = 0, in pipeline: String? = nil, after others: [Upload] = []) {
        self.path = path
        super.init()
        self.priority = priority
        self.pipeline = pipeline
        addDependencies(others)
    }

    required init?(coder: NSCoder) {
        guard let path = coder.decodeObject(forKey: "path") as? String else { return nil }
        self.path = path
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(path, forKey: "path")
    }
}

extension YapDatabaseCloudCoreOperation {
    var label: String { (self as? Upload)?.path ?? (self as? FixedUpload)?.name ?? "?" }
}

/// Records what it is given, and does what the test says.
final class Uploader: YapDatabaseCloudCorePipelineDelegate {
    typealias Work = @Sendable (YapDatabaseCloudCoreOperation, YapDatabaseCloudCorePipeline) -> Void

    private let paths = Locked<[String]>([])
    private let work: Locked<Work>

    init(_ work: @escaping Work = { _, _ in }) { self.work = Locked(work) }

    var started: [String] { paths.withLock { $0 } }

    func startOperation(_ operation: YapDatabaseCloudCoreOperation, forPipeline pipeline: YapDatabaseCloudCorePipeline)
    {
        paths.withLock { $0.append(operation.label) }
        work.withLock { $0 }(operation, pipeline)
    }

    func expect(_ paths: [String], inAnyOrder: Bool = false) throws {
        try waitUntil("\(paths) started, not \(started)") {
            inAnyOrder ? started.sorted() == paths.sorted() : started == paths
        }
    }
}

/// A cloud core with a default pipeline, perhaps others, and support for tags and attached rows.
func makeCloud(
    _ delegate: any YapDatabaseCloudCorePipelineDelegate, _ algorithm: YDBCloudCorePipelineAlgorithm = .commitGraph,
    others: [String] = [], clock: (any YapClock)? = nil, supportsAll: Bool = true
) -> YapDatabaseCloudCore {
    let options = YapDatabaseCloudCoreOptions()
    options.enableTagSupport = supportsAll
    options.enableAttachDetachSupport = supportsAll
    let cloud = YapDatabaseCloudCore(versionTag: "1", options: options, clock: clock)
    for name in [YapDatabaseCloudCoreDefaultPipelineName] + others {
        cloud.registerPipeline(YapDatabaseCloudCorePipeline(name: name, algorithm: algorithm, delegate: delegate))
    }
    return cloud
}

extension YapDatabaseReadTransaction {
    var cloud: YapDatabaseCloudCoreTransaction {
        get throws { try #require(ext("cloud") as? YapDatabaseCloudCoreTransaction) }
    }

    /// The queue as text: pipeline, graph and path of each operation.
    var queued: [String] {
        get throws {
            var lines: [String] = []
            try cloud.enumerateOperations { pipeline, operation, graph, _ in
                lines.append("\(pipeline.name) \(graph) \(operation.label)")
            }
            return lines
        }
    }
}

extension YapDatabaseReadWriteTransaction {
    func queue(_ operation: YapDatabaseCloudCoreOperation) throws { #expect(try cloud.addOperation(operation)) }
}

/// Runs a test that waits on a thread of its own: it must not take one from Swift's pool.
func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Opens a database again that the test released, once the last block that uses it has ended.
func reopened(_ url: URL) throws -> YapDatabase {
    var database: YapDatabase?
    try waitUntil("\(url.path) is free") {
        do {
            database = try YapDatabase(url: url, options: .forTests)
        } catch let error as YapDatabaseError where error.code == .alreadyOpen {}
        return database != nil
    }
    return try #require(database)
}
