import Foundation

/// A value that threads touch one after the other.
///
/// A POSIX mutex and not one of `Synchronization`: the thread sanitizer knows what it means.
package final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is touched only while the mutex is held.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Not to be called inside `body` again.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
