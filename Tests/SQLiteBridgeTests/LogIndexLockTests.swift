import CMutex
import CSQLite
import Foundation
import Synchronization
import Testing

@testable import SQLiteBridge

/// The locks of a log's index, and the mutexes that wait before they sleep.
@Suite struct LogIndexLockTests {
    @Test func aDatabaseFileHasOurLocksAndAllElseIsSQLites() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let ours = try SQLiteHandle(path: path, mode: .create)
        var plain: OpaquePointer?
        #expect(sqlite3_open(path, &plain) == SQLITE_OK)
        defer { sqlite3_close(plain) }
        let (own, others) = (try addresses(ofMethods: ours.pointer), try addresses(ofMethods: try #require(plain)))
        // Version, then the functions in the order of sqlite3_io_methods: xShmMap, xShmLock, xShmBarrier are 13, 14 and 15.
        #expect(own.indices.filter { own[$0] != others[$0] } == [14, 15])
    }

    private func addresses(ofMethods handle: OpaquePointer) throws -> [UInt] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        #expect(sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK)
        let methods = try #require(file?.pointee.pMethods)
        let count = MemoryLayout<sqlite3_io_methods>.size / MemoryLayout<UInt>.size
        return methods.withMemoryRebound(to: UInt.self, capacity: count) {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }

    @Test func threadsThatMeetAreExcludedInTurn() throws {
        let (threads, rounds) = (4, 20_000)
        let mutex = Mutex()
        let count = Counter()
        let end = DispatchGroup()
        for _ in 0..<threads {
            end.enter()
            Thread.detachNewThread {
                for _ in 0..<rounds {
                    yap_mutex_lock(mutex.pointer)
                    count.value += 1
                    pthread_mutex_unlock(mutex.pointer)
                }
                end.leave()
            }
        }
        end.wait()
        #expect(count.value == threads * rounds)
    }

    /// The mutex is held longer than the other thread tries before it sleeps.
    @Test func aThreadThatSleepsIsWoken() throws {
        let mutex = Mutex()
        let (isWaiting, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isEntered = Atomic(false)
        yap_mutex_lock(mutex.pointer)
        Thread.detachNewThread {
            isWaiting.signal()
            yap_mutex_lock(mutex.pointer)
            isEntered.store(true, ordering: .sequentiallyConsistent)
            pthread_mutex_unlock(mutex.pointer)
            isDone.signal()
        }
        isWaiting.wait()
        // Time is the subject: longer than it tries, and nothing happens in it.
        usleep(20_000)
        let wasEntered = isEntered.load(ordering: .sequentiallyConsistent)
        #expect(!wasEntered)
        pthread_mutex_unlock(mutex.pointer)
        isDone.wait()
    }
}

private final class Mutex: @unchecked Sendable {
    // @unchecked: a mutex is made to be used by several threads.
    let pointer = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(pointer, nil) }

    deinit {
        pthread_mutex_destroy(pointer)
        pointer.deallocate()
    }
}

/// Guarded by the mutex of its test.
private final class Counter: @unchecked Sendable {
    // @unchecked: changed inside the mutex only.
    var value = 0
}
