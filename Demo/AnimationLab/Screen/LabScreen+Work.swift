import LiveTable

// A commit may wait for other programs that hold the file, so it runs in the background while the screen continues.
// Keys typed meanwhile wait for its result; if it takes long, keys that do not change the session are handled at once.
extension LabScreen {
    /// Seconds after which a pending commit is reported.
    private static let patience = 0.3
    private static let mostWaiting = 1000

    /// The work under way, and the keys that wait for it.
    struct Work {
        let start: Double
        var waiting: [InputEvent] = []
        var hasForeignCommit = false
    }

    /// Runs commits and calls back on the main actor.
    typealias Commit =
        @MainActor (
            LabDatabase, [RowOperation], @escaping @MainActor @Sendable (Result<Duration, any Error>) -> Void
        ) -> Void

    /// Commits before the call returns, for tests.
    static let commitAtOnce: Commit = { database, operations, done in
        let start = ContinuousClock.now
        done(Result { try database.commit(operations) }.map { .now - start })
    }

    static let commitInBackground: Commit = { $0.commit($1, then: $2) }

    /// Lets the session do work, then calls `finish` with the outcome for the table.
    func begin(_ work: LabWork, finish: @escaping (YapDatabaseViewOutcome?) throws -> Void) {
        self.work = Work(start: now())
        commit(work, from: 0, finish)
    }

    private func commit(
        _ work: LabWork, from index: Int, _ finish: @escaping (YapDatabaseViewOutcome?) throws -> Void
    ) {
        guard index < work.commits.count else { return end { try finish(work.finish()) } }
        let next = Next(work: work, index: index, finish: finish)
        write(session.database, work.commits[index]) { [weak self] result in self?.committed(next, result) }
    }

    /// The continuation after a commit; it never leaves the main actor.
    private final class Next: @unchecked Sendable {
        let work: LabWork
        let index: Int
        let finish: (YapDatabaseViewOutcome?) throws -> Void

        init(work: LabWork, index: Int, finish: @escaping (YapDatabaseViewOutcome?) throws -> Void) {
            (self.work, self.index, self.finish) = (work, index, finish)
        }
    }

    private func committed(_ next: Next, _ result: Result<Duration, any Error>) {
        do {
            try next.work.committed(next.index, try result.get())
        } catch {
            failedCommit = error
            return end { throw error }
        }
        commit(next.work, from: next.index + 1, next.finish)
    }

    /// Handles the waiting keys. After a failure they are dropped, because they referred to a result that does not
    /// exist.
    private func end(_ finish: () throws -> Void) {
        guard let ended = work else { return }
        work = nil
        let before = message
        message = nil
        attempt(finish)
        let failure: String? = if case .failure(let text) = message { text } else { nil }
        if message == nil { message = before }
        if ended.hasForeignCommit { followForeignCommit(of: session.database.database) }
        if let failure, !ended.waiting.isEmpty {
            message = .failure("\(failure) The keys typed since then were dropped.")
        } else {
            for event in ended.waiting { if work == nil { handle(event) } else { work?.waiting.append(event) } }
        }
        changed()
    }

    // MARK: Keys typed meanwhile

    private var isSlow: Bool { work.map { now() >= $0.start + Self.patience } ?? false }

    /// When to report that the work takes long.
    var momentToTell: Double? {
        work.map { $0.start + Self.patience }.flatMap { $0 > lastDrawn ? $0 : nil }
    }

    /// The status text while the work takes long.
    var workText: String {
        guard let work, isSlow else { return "" }
        return work.waiting.isEmpty ? "writing   " : "writing, \(work.waiting.count) keys wait   "
    }

    /// Whether an event must wait for the work under way; it is then kept.
    func mustWait(_ event: InputEvent) -> Bool {
        guard let work else { return false }
        switch event {
        case .resize, .focus: return false
        case .mouse(let mouse):
            if case .press = mouse.kind, overlay != nil || !tableArea.contains(x: mouse.x, y: mouse.y) { break }
            return false
        case .key(.character("c"), .control): return false
        case .key(let key, let modifiers) where work.waiting.isEmpty && overlay == nil && prompt == nil:
            var reader = focus == .list ? strokes : settingStrokes
            guard case .action(let action, let count) = reader.read(key, modifiers) else { break }
            if action == .quit { return false }
            let isHarmless = focus == .list && TableCommand(action, count: count) != nil
            if isSlow, isHarmless || Self.harmless.contains(action) { return false }
        case .key, .paste: break
        }
        if work.waiting.count < Self.mostWaiting { self.work?.waiting.append(event) }
        return true
    }

    /// Actions that neither change the session nor need it to be at rest.
    private static let harmless: Set<Action> = [
        .slower, .faster, .pause, .frame, .motion, .toggleMouse, .focusNext, .cancel, .nextSetting, .previousSetting,
    ]
}
