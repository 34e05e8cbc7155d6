import Foundation

extension YapDatabase {
    /// Waits until the database has nothing to do any more, for tests: what a screen, a list or a file shows afterwards stays until the next
    /// write.
    ///
    /// ```swift
    /// try await connection.readWrite { transaction in try transaction[books].save(dune) }
    /// try await database.waitUntilIdle()
    /// #expect(model.sections.map(\.count) == [1])
    /// ```
    ///
    /// When it returns, these are done, and none of them has led to another commit:
    ///
    /// - all calls of all connections, and `asyncRegister` and the like, that were made before: each has committed or failed;
    /// - the commits of other processes made before are known here, and extensions that these left behind are complete and stored;
    /// - each commit was given to each loop over ``commits``, `updates(of:)` and the like that has begun, and the loop's body is through with
    ///   it: it asks for the next one. So a ``YapListModel`` that follows shows it. A loop whose body runs in the task that calls this is not
    ///   waited for;
    /// - notifications were posted, if ``YapDatabaseOptions/postsNotifications`` is true, so the main queue must be running;
    /// - actions that are due on the database's clock were called and have returned; cloud operations that may start were given to their
    ///   delegates; files that rules delete are gone; handlers of changed blocks and undecodable rows were called;
    /// - the checkpoint that was under way has ended. In a file that follows a server, what is being fetched is there.
    ///
    /// It does not wait for what the program does beside the database, such as tasks that were started and write later, nor for completion
    /// blocks on queues. Long-lived read transactions stay where they are: they move by ``YapDatabaseConnection/jump()``. A program that never
    /// stops writing is never idle.
    ///
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `CancellationError` if the task is cancelled before.
    public func waitUntilIdle() async throws {
        while true {
            try checkOpen()
            let before = commitLog.latest
            try await finishWork()
            try await giveCommits()
            guard commitLog.latest !== before || isBusy else { return }
        }
    }

    private var isBusy: Bool {
        connections.all.contains { $0.pendingTransactionCount > 0 } || unposted.withLock { !$0.isEmpty }
    }

    /// Waits for what was requested, in the order in which one thing leads to another.
    private func finishWork() async throws {
        for connection in connections.all {
            try Task.checkCancellation()
            await withCheckedContinuation { continuation in connection.queue.async { continuation.resume() } }
        }
        await awaitQueue(registrations)
        await authority?.waitUntilIdle()
        await loadAndRecover()
        for queue in [promises, Self.blockQueue, UndecodableRowReports.queue] { await awaitQueue(queue) }
        await checkpointer.waitUntilIdle()
    }

    /// Waits until the commits so far are where they are wanted.
    private func giveCommits() async throws {
        try await broadcast.waitUntilTaken()
        for entry in commitLog.latest.extensions { await entry.extension.waitUntilIdle() }
        guard options.postsNotifications else { return }
        // The block that posts them is in the queue already.
        await awaitQueue(.main)
    }
}
