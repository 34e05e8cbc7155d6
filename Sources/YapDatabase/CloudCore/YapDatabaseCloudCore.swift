import Dispatch
import FileEngine
import Foundation

/// The name of the pipeline that each ``YapDatabaseCloudCore`` needs.
public let YapDatabaseCloudCoreDefaultPipelineName = "default"

/// Queues of operations for a cloud's server, stored in the commits that cause them.
///
/// ```swift
/// let cloud = YapDatabaseCloudCore(versionTag: "1", options: nil)
/// cloud.registerPipeline(YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: uploader))
/// try database.register(cloud, withName: "cloud")
/// try connection.readWrite { transaction in
///     try transaction.setObject(book, forKey: "dune", inCollection: "books")
///     try (transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)?.addOperation(Upload(path: "/books/dune"))
/// }
/// ```
///
/// Each ``YapDatabaseCloudCorePipeline`` gives its operations to a delegate, when their dependencies and holds permit it, and
/// counts them as running until a transaction completes or skips them. After a launch it gives the delegate every operation
/// again that was neither completed nor skipped: no operation is lost, and none is started after the commit that completed it. Every
/// process that registers the extension runs its pipelines; all processes but one should ``suspend()`` it before they register it.
///
/// It begins when it is registered and ends when it is unregistered or the database is closed.
public final class YapDatabaseCloudCore: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all mutable state is behind a lock, and `settings` is a copy that is never changed.

    struct State {
        var pipelines: [YapDatabaseCloudCorePipeline] = []
        var serializer: YDBCloudCoreOperationSerializer = YapDatabaseCloudCore.defaultOperationSerializer()
        var deserializer: YDBCloudCoreOperationDeserializer = YapDatabaseCloudCore.defaultOperationDeserializer()
        var suspendCount = 0
        var name: String?
        weak var database: YapDatabase?
        /// Whether the queue has a block that follows the newest snapshot.
        var isFollowing = false
    }

    let state = Locked(State())
    /// The operations that were decoded last, by rowid.
    let decoded = Locked<[Int64: QueuedOperation]>([:])
    let alarm = Alarm("YapDatabaseCloudCore")
    var queue: DispatchQueue { alarm.queue }
    let settings: YapDatabaseCloudCoreOptions
    private let givenClock: (any YapClock)?
    private let tag: String

    /// - Parameters:
    ///   - versionTag: another one changes nothing of what is stored.
    ///   - clock: decides when holds end; nil for the clock of the database, ``YapDatabaseOptions/clock``.
    public init(
        versionTag: String? = nil, options: YapDatabaseCloudCoreOptions? = nil,
        clock: (any YapClock)? = nil
    ) {
        tag = versionTag ?? ""
        settings = options?.copy() ?? YapDatabaseCloudCoreOptions()
        givenClock = clock
        super.init(className: "YapDatabaseCloudCore", classVersion: 3)
    }

    var clock: any YapClock { givenClock ?? state.withLock { $0.database }?.options.clock ?? YapSystemClock() }

    /// Operations that may start have been given to their delegates. What these do is the program's.
    package func waitUntilIdle() async { await awaitQueue(queue) }

    /// A copy of the options that it was created with.
    public var options: YapDatabaseCloudCoreOptions { settings.copy() }

    /// The tag that it was created with.
    public var versionTag: String { tag }

    package func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        let tables = CloudCoreTables(transaction.store, extension: name)
        return CloudCoreState(try tables.operations(), try tables.pipelines())
    }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseCloudCoreTransaction(self, state as? CloudCoreState, name: name, transaction: transaction)
    }

    package func didRegister(withName name: String, in database: YapDatabase) { begin(name, database) }
}

/// Options of a ``YapDatabaseCloudCore``. It copies its options when it is created.
public final class YapDatabaseCloudCoreOptions {
    /// The classes whose operations may be queued, with their subclasses; nil for all.
    public var allowedOperationClasses: [YapDatabaseCloudCoreOperation.Type]?

    /// Whether tags can be stored, such as the eTags of remote files. Initially false.
    public var enableTagSupport = false

    /// Whether rows can be attached to URIs of the cloud. Initially false.
    public var enableAttachDetachSupport = false

    /// Creates options: any operation may be queued, without tags and attached rows.
    public init() {}

    func copy() -> YapDatabaseCloudCoreOptions {
        let copy = YapDatabaseCloudCoreOptions()
        copy.allowedOperationClasses = allowedOperationClasses
        copy.enableTagSupport = enableTagSupport
        copy.enableAttachDetachSupport = enableAttachDetachSupport
        return copy
    }

    func allows(_ operation: YapDatabaseCloudCoreOperation) -> Bool {
        allowedOperationClasses.map { $0.contains { operation.isKind(of: $0) } } ?? true
    }
}
