import CSQLite

/// Interrupts the statements of one handle from any thread, also while another thread uses the handle.
public final class SQLiteInterrupter: @unchecked Sendable {
    // @unchecked: `pointer` is used only while the mutex is held. SQLite lets any thread interrupt an open handle.

    private let mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_FAST)
    private var pointer: OpaquePointer?

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { sqlite3_mutex_free(mutex) }

    /// Makes running statements fail soon, with ``SQLiteError/interrupted``. SQLite rolls back a transaction that was
    /// writing. Does nothing if no statement runs.
    public func interrupt() {
        sqlite3_mutex_enter(mutex)
        defer { sqlite3_mutex_leave(mutex) }
        if let pointer { sqlite3_interrupt(pointer) }
    }

    /// Must be called before the handle is closed.
    func end() {
        sqlite3_mutex_enter(mutex)
        defer { sqlite3_mutex_leave(mutex) }
        pointer = nil
    }
}

extension SQLiteHandle {
    /// Calls `isCancelled` repeatedly while a statement runs. If it returns true, the statement fails like an
    /// interrupted one. Nil ends the calls.
    public func cancelStatements(when isCancelled: (@Sendable () -> Bool)?) {
        cancellation = isCancelled.map(Cancellation.init)
        guard let cancellation else { return sqlite3_progress_handler(pointer, 0, nil, nil) }
        sqlite3_progress_handler(
            pointer, Self.stepsBetweenQuestions,
            { context in
                Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().isCancelled() ? 1 : 0
            }, Unmanaged.passUnretained(cancellation).toOpaque())
    }

    /// Steps of SQLite's virtual machine: less than a millisecond.
    private static let stepsBetweenQuestions: Int32 = 10_000
}

/// A closure that C can call through a pointer.
final class Cancellation {
    let isCancelled: @Sendable () -> Bool

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
}
