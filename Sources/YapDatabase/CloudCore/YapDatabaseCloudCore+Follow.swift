import Foundation

/// Keeps the pipelines in step with the newest snapshot.
extension YapDatabaseCloudCore {
    func begin(_ name: String, _ database: YapDatabase) {
        state.withLock { state in
            state.name = name
            state.database = database
        }
        // Commits of this process call `follow` by themselves; those of others come here.
        let commits = database.commits.beginning()
        later()
        Task.detached(priority: .userInitiated) { [weak self] in
            for await commit in commits {
                guard let self, isRegistered else { return }
                if commit.isExternal || commit.isForeign { later() }
            }
        }
    }

    /// Follows the newest snapshot, soon. Any number of calls until then are one.
    func later() {
        let isFirst = state.withLock { state in
            defer { state.isFollowing = true }
            return !state.isFollowing
        }
        if isFirst { queue.async { [weak self] in self?.follow() } }
    }

    private var isRegistered: Bool {
        let (database, name) = state.withLock { ($0.database, $0.name) }
        guard let database, let name else { return false }
        return database.registeredExtension(name) === self
    }

    /// The operations of the newest snapshot that this process knows; nil while the extension cannot be used.
    var newest: CloudQueue? {
        let (database, name) = state.withLock { ($0.database, $0.name) }
        guard let database, let name, let entry = database.commitLog.latest.entry(name), entry.extension === self else {
            return nil
        }
        return (entry.state as? CloudCoreState)?.queue(self)
    }

    /// Tells the pipelines what is queued, and starts what may start. Runs on `queue`.
    private func follow() {
        state.withLock { $0.isFollowing = false }
        guard let queued = notifyPipelines() else { return }
        let pipelines = registeredPipelines().filter { $0.canStart }
        var (now, nextHold): (Date, Date?) = (clock.now, nil)
        func note(_ date: Date?) {
            if let date { nextHold = min(nextHold ?? date, date) }
        }
        if pipelines.contains(where: { $0.hasReady(queued[$0.name], now) }) {
            // Another process may have completed operations a moment ago.
            guard let newest = refreshed() else { return }
            now = clock.now
            for pipeline in pipelines { note(pipeline.start(newest[pipeline.name], now)) }
        } else {
            for pipeline in pipelines { note(pipeline.nextHold(queued[pipeline.name], now)) }
        }
        if let nextHold { alarm.set(nextHold, clock) { [weak self] in self?.later() } }
    }

    private func notifyPipelines() -> CloudQueue? {
        guard let queued = newest else { return nil }
        for pipeline in registeredPipelines() { pipeline.follow(queued[pipeline.name]) }
        return queued
    }

    /// The operations after the commits of all processes so far.
    private func refreshed() -> CloudQueue? {
        guard let database = state.withLock({ $0.database }) else { return nil }
        do {
            // It begins by reading the newest state of the file.
            _ = try database.newConnection()
            alarm.succeed()
        } catch let error as YapDatabaseError where error.code == .closed {
            return nil
        } catch {
            let when = alarm.retry { [weak self] in self?.later() }
            YapDatabase.log(.warning, "Operations are looked for again \(when): \(error)")
            return nil
        }
        return notifyPipelines()
    }
}
