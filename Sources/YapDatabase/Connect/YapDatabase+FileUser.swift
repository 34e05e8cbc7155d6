import Dispatch
import Foundation

extension YapDatabase: FileUser {
    package func holdingWriters<Value>(_ body: () throws -> Value) rethrows -> Value { try writeGate.pass(body) }

    package var oldestStay: Int? {
        connections.all.lazy.filter { $0.holdsLog.load(ordering: .acquiring) }.map(\.snapshot).min()
    }

    package func restartReaders(until deadline: DispatchTime) {
        let group = DispatchGroup()
        let gate = Gate()
        for connection in connections.all where connection.holdsLog.load(ordering: .acquiring) {
            group.enter()
            connection.later {
                gate.pass { connection.stepOutOfLog() }
                group.leave()
            }
        }
        _ = group.wait(timeout: deadline)
        gate.close()
    }

    package func readersHoldLog(ofSize logSize: Int) {
        for connection in connections.all where connection.holdsLog.load(ordering: .acquiring) {
            guard connection.snapshot < snapshot else { continue }
            options.logSizeWarning?(connection, logSize)
            guard let limit = options.logSizeLimit, logSize >= limit else { continue }
            connection.later { connection.giveUpState(logSize: logSize) }
        }
    }

    package func warn(_ text: String) { Self.log(.warning, text) }

    package var newestVersions: [FileVersion] { commitLog.newestVersions }

    package var commitCount: Int { rest.commits }

    package func loadForeignCommits() throws {
        // A connection reads the newest state of the file when it is created. This read loads the commits of other processes that lead to that
        // state and announces them (`move` and `extendLog` in Connect/Follow). The connection is needed for nothing else.
        _ = try newConnection()
    }
}

/// Runs bodies until it is closed: afterwards writers may commit again, and readers must not restart.
private final class Gate: Sendable {
    private let isOpen = Locked(true)

    func pass(_ body: () -> Void) { isOpen.withLock { if $0 { body() } } }
    func close() { isOpen.withLock { $0 = false } }
}

extension YapDatabase {
    /// Runs a background task that has only a weak reference to the database otherwise.
    ///
    /// A program that releases the database meanwhile may open the file again: opening waits for the task.
    package func borrowed(_ body: () throws -> Void) rethrows { try file.borrowing(body) }

    /// Shows the machine's other processes a name until the database is closed or this process ends, however it ends: a lock, so nothing is
    /// written. Each process sees the names of the others only.
    ///
    /// - Returns: false if the file system has no such locks, or the file follows a server, whose other hosts would not see them.
    package func hold(name: String) -> Bool { authority == nil && file.hold(name: name) }

    /// Whether another process that runs holds a name. One system call.
    package func isHeldByOthers(name: String) -> Bool { file.isHeldByOthers(name: name) }

    /// Tells once that the file was moved, removed or replaced, as long as the returned watch is kept.
    package func watchPlace(_ tell: @escaping @Sendable (YapDatabaseError) -> Void) throws -> PlaceWatch {
        try PlaceWatch(file, tell)
    }

    /// Whether the file's name leads to it. At most two system calls.
    package var isInPlace: Bool { (try? file.checkPlace()) != nil }

    /// The path of the file, the same for every name of it.
    package var path: String { file.path }
}
