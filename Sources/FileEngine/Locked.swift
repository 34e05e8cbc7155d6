import CMutex
import Foundation

/// A value guarded by a mutex. Threads hold the mutex for about a microsecond, so a thread that finds it locked spins for a moment before it
/// sleeps.
///
/// Uses a POSIX mutex because the thread sanitizer understands it, unlike `Synchronization`'s.
package final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is accessed only while the mutex is held.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Unchecked: the mutex excludes all other accesses. A body that locked the mutex again would deadlock before it accessed the value.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Gives the body exclusive access to the value. Must not be called again inside the body.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        yap_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// A weak reference that threads may share.
package struct Weak<Object: AnyObject>: @unchecked Sendable {
    // @unchecked: a weak reference is atomic, and it is never assigned after init.
    package private(set) weak var object: Object?

    package init(_ object: Object?) { self.object = object }
}
