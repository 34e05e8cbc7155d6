import CSQLite
import Foundation
import Synchronization
import Testing

@testable import SQLiteBridge

/// The mutexes that SQLite uses in this process.
@Suite struct LibraryMutexTests {
    init() throws {
        // Configures the library, before its first use.
        _ = try SQLiteHandle(path: "", mode: .memory)
    }

    @Test func aMutexExcludesOtherThreads() throws {
        let mutex = try SharedMutex(SQLITE_MUTEX_FAST)
        sqlite3_mutex_enter(mutex.pointer)
        #expect(onOtherThread { sqlite3_mutex_try(mutex.pointer) } == SQLITE_BUSY)
        sqlite3_mutex_leave(mutex.pointer)
        let status = onOtherThread {
            let status = sqlite3_mutex_try(mutex.pointer)
            sqlite3_mutex_leave(mutex.pointer)
            return status
        }
        #expect(status == SQLITE_OK)
    }

    @Test func aRecursiveMutexIsFreeWhenItIsLeftAsOftenAsEntered() throws {
        let mutex = try SharedMutex(SQLITE_MUTEX_RECURSIVE)
        sqlite3_mutex_enter(mutex.pointer)
        sqlite3_mutex_enter(mutex.pointer)
        sqlite3_mutex_leave(mutex.pointer)
        #expect(onOtherThread { sqlite3_mutex_try(mutex.pointer) } == SQLITE_BUSY)
        sqlite3_mutex_leave(mutex.pointer)
        let status = onOtherThread {
            let status = sqlite3_mutex_try(mutex.pointer)
            sqlite3_mutex_leave(mutex.pointer)
            return status
        }
        #expect(status == SQLITE_OK)
    }

    @Test func theLibrarysOwnMutexesAreDifferentOnes() {
        let all = (SQLITE_MUTEX_STATIC_MAIN...SQLITE_MUTEX_STATIC_VFS3).map { sqlite3_mutex_alloc($0) }
        #expect(Set(all).count == 12)
        #expect(!all.contains(nil))
        #expect(sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS1) == all[9])
        // SQLite's own functions return one for any number: these are ours.
        #expect(sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_VFS3 + 1) == nil)
    }

    @Test func threadsThatMeetAreExcludedInTurn() throws {
        let mutex = try SharedMutex(SQLITE_MUTEX_FAST)
        let (threads, rounds) = (4, 20_000)
        let count = Counter()
        let end = DispatchGroup()
        for _ in 0..<threads {
            end.enter()
            Thread.detachNewThread {
                for _ in 0..<rounds {
                    sqlite3_mutex_enter(mutex.pointer)
                    count.value += 1
                    sqlite3_mutex_leave(mutex.pointer)
                }
                end.leave()
            }
        }
        end.wait()
        #expect(count.value == threads * rounds)
    }

    /// The mutex is held longer than the other thread tries before it sleeps.
    @Test func aThreadThatSleepsIsWoken() throws {
        let mutex = try SharedMutex(SQLITE_MUTEX_FAST)
        let (isWaiting, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isEntered = Atomic(false)
        sqlite3_mutex_enter(mutex.pointer)
        Thread.detachNewThread {
            isWaiting.signal()
            sqlite3_mutex_enter(mutex.pointer)
            isEntered.store(true, ordering: .sequentiallyConsistent)
            sqlite3_mutex_leave(mutex.pointer)
            isDone.signal()
        }
        isWaiting.wait()
        usleep(20_000)
        let wasEntered = isEntered.load(ordering: .sequentiallyConsistent)
        #expect(!wasEntered)
        sqlite3_mutex_leave(mutex.pointer)
        isDone.wait()
    }
}

/// Guarded by the mutex of its test.
private final class Counter: @unchecked Sendable {
    // @unchecked: changed inside the mutex only.
    var value = 0
}

/// Guards nothing by itself.
private final class SharedMutex: @unchecked Sendable {
    // @unchecked: a mutex is made to be used by several threads.
    let pointer: OpaquePointer

    init(_ kind: Int32) throws { pointer = try #require(sqlite3_mutex_alloc(kind)) }
    deinit { sqlite3_mutex_free(pointer) }
}

private func onOtherThread(_ body: @escaping @Sendable () -> Int32) -> Int32 {
    let result = Atomic<Int32>(0)
    let end = DispatchGroup()
    end.enter()
    Thread.detachNewThread {
        result.store(body(), ordering: .sequentiallyConsistent)
        end.leave()
    }
    end.wait()
    return result.load(ordering: .sequentiallyConsistent)
}
