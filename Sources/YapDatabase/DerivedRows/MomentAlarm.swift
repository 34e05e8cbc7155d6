import Dispatch
import Foundation

/// Wakes up when rows that follow from the time have to be derived again, and derives them in a commit.
///
/// Each program that has registered them has an alarm. The first to write does the work, and the others find none: a look at the file comes before
/// a write. Between moments it sleeps. An alarm that is set too early, because rows changed meanwhile, costs one look.
final class MomentAlarm: Sendable {
    private struct State {
        weak var database: YapDatabase?
        var name = ""
    }

    private let state = Locked(State())
    private let alarm = Alarm("YapDatabase moments")
    private var queue: DispatchQueue { alarm.queue }

    func begin(_ derived: YapDatabaseDerivedRows, _ name: String, in database: YapDatabase) {
        state.withLock { ($0.database, $0.name) = (database, name) }
        // Before the first look, so that no commit is missed.
        let commits = database.commits.beginning()
        queue.async { self.look(isFirst: true) }
        let rows = derived.derivation.target
        Task.detached { [weak self, weak derived, queue] in
            for await commit in commits {
                guard let self, let derived, isAlarm(of: derived) else { return }
                if commit.mayChangeRows(of: rows) { queue.async { self.look(isFirst: false) } }
            }
        }
    }

    func waitUntilIdle() async { await awaitQueue(queue) }

    private func isAlarm(of derived: YapDatabaseDerivedRows) -> Bool {
        let (database, name) = state.withLock { ($0.database, $0.name) }
        return database?.registeredExtension(name) === derived
    }

    /// - Parameter isFirst: whether to look for a clock that was set back, too. Later that would be a dispute with a program whose clock is ahead.
    private func look(isFirst: Bool) {
        let (known, name) = state.withLock { ($0.database, $0.name) }
        guard let database = known else { return }
        do {
            let connection = try database.newConnection()
            var (next, isAhead) = try connection.read { transaction in
                let rows = rows(transaction, name)
                return (try rows?.nextMoment(), try isFirst && rows?.isAhead() ?? false)
            }
            if isAhead || next.map({ $0 <= database.options.clock.now }) ?? false {
                next = try connection.readWrite { [isAhead] transaction in
                    guard let rows = self.rows(transaction, name) else { return nil }
                    try rows.deriveDueRows()
                    if isAhead { try rows.deriveRowsAheadOfClock() }
                    return try rows.nextMoment()
                }
            }
            alarm.succeed()
            if let next { alarm.set(next, database.options.clock) { [weak self] in self?.look(isFirst: false) } }
        } catch let error as YapDatabaseError where error.code == .closed {
        } catch {
            let when = alarm.retry { [weak self] in self?.look(isFirst: isFirst) }
            YapDatabase.log(
                .warning, "Rows of \"\(name)\" whose moment has come are looked for again \(when): \(error)")
        }
    }

    private func rows(_ transaction: YapDatabaseReadTransaction, _ name: String) -> YapDatabaseDerivedRowsTransaction? {
        transaction.ext(name) as? YapDatabaseDerivedRowsTransaction
    }
}
