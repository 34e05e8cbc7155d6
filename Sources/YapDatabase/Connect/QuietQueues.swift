import Dispatch

/// Waits, without blocking a thread, until a queue has done what it was given so far.
func awaitQueue(_ queue: DispatchQueue) async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
}

/// Tasks that wait for a state that other threads bring about: each is resumed at every change, and looks again.
final class ChangeWaiters: Sendable {
    /// Not the continuation itself: a process that has just begun would search all conformances of the program for that of `Never`.
    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
    }
    private let waiting = Locked<[Waiter]>([])

    /// Waits until a condition holds, which may change only before calls of ``changed()``.
    /// - Throws: `CancellationError` if the task is cancelled before.
    func wait(until holds: () -> Bool) async throws {
        while !holds() {
            try Task.checkCancellation()
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    waiting.withLock { $0.append(Waiter(continuation: continuation)) }
                    // It may have changed before the task was in the list.
                    if holds() || Task.isCancelled { changed() }
                }
            } onCancel: {
                changed()
            }
        }
    }

    /// Lets those who wait look again. Costs one lock if none does.
    func changed() {
        let tasks = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for task in tasks { task.continuation.resume() }
    }
}
