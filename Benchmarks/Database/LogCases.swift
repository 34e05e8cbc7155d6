import Foundation
import YapDatabase

/// The write-ahead log of a database with a writer that never pauses, while readers in long-lived read transactions
/// jump from commit to commit. `SECONDS` in the environment sets the duration.
let logCases: [Case] = [
    Case(
        name: "wal/log", n: people, k: 1, unit: "MB", targets: [.value(atMost: 16, "MB")]
    ) { Measurement(value: try logRun().largestLog) },
    Case(
        name: "wal/reader", n: people, k: 1, unit: "ms", targets: [.value(atMost: 50, "ms")]
    ) { Measurement(value: try logRun().longestWaitOfReader) },
    Case(
        name: "wal/interface", n: people, k: 1, unit: "ms", targets: [.value(atMost: 50, "ms")]
    ) { Measurement(value: try logRun().longestWaitOfInterface) },
    Case(
        name: "wal/warning", n: people, k: 1, unit: "MB", targets: [.value(atMost: 16, "MB")]
    ) { Measurement(value: try logSizeAtWarning()) },
]

/// How long the writer writes, unless the environment says otherwise.
private let seconds =
    ProcessInfo.processInfo.environment["SECONDS"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? 60

private struct LogRun {
    var largestLog = 0.0
    var longestWaitOfReader = 0.0
    var longestWaitOfInterface = 0.0
}

/// One run, shared by all cases.
@MainActor private var finishedRun: LogRun?

@MainActor private func logRun() throws -> LogRun {
    if let finishedRun { return finishedRun }
    let run = try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "people.sqlite")) { database in
            let writer = try RestlessWriter(database)
            let reader = try JumpingReader(database)
            writer.start()
            reader.start()
            var run = LogRun()
            run.longestWaitOfInterface = try jumpOnEveryNotification(of: database, until: Time.passed + seconds) {
                run.largestLog = max(run.largestLog, logSize(database))
            }
            try writer.stop()
            run.longestWaitOfReader = try reader.stop()
            return run
        }
    }
    finishedRun = run
    return run
}

/// Acts as the interface: jumps with every notification on the main queue, and reads a row.
///
/// - Returns: the longest wait of a jump, in milliseconds.
@MainActor private func jumpOnEveryNotification(
    of database: YapDatabase, until end: Double, betweenTimes look: () -> Void
) throws -> Double {
    let connection = try database.newConnection()
    try connection.jump()
    let jumps = WaitCounter()
    let token = NotificationCenter.default.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) {
        _ in
        jumps.add { try jump(connection) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    while Time.passed < end {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        look()
    }
    try connection.endLongLivedReadTransaction()
    return try jumps.longest()
}

/// Returns the length of the log when the warning names a reader that never jumps.
@MainActor private func logSizeAtWarning() throws -> Double {
    try withScratchFolder { folder in
        let named = Locked<(reader: String?, bytes: Int)?>(nil)
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .normal
        options.logSizeWarning = { connection, bytes in named.set((connection.name, bytes)) }
        let database = try YapDatabase(url: folder.appending(path: "people.sqlite"), options: options)
        database.registerCodableSerialization(Person.self, forCollection: Person.collection, as: .json)
        let reader = try database.newConnection()
        reader.name = "sleeper"
        try reader.jump()
        let writer = try RestlessWriter(database)
        writer.start()
        let end = Time.passed + seconds
        while named.value == nil, Time.passed < end { drainMainQueue() }
        try writer.stop()
        try database.close()
        guard let warning = named.value, warning.reader == "sleeper" else {
            throw RawError("The reader that never jumps was not named in \(seconds) seconds.")
        }
        return Double(warning.bytes) / 1e6
    }
}

private func logSize(_ database: YapDatabase) -> Double {
    var status = stat()
    return stat(database.databaseURL_wal.path, &status) == 0 ? Double(status.st_size) / 1e6 : 0
}

private func jump(_ connection: YapDatabaseConnection) throws {
    try connection.jump()
    try connection.read { keep(try $0.object(forKey: Person.key(7), inCollection: Person.collection)) }
}

/// Commits one row after the other on its own thread.
private final class RestlessWriter: Sendable {
    private let connection: YapDatabaseConnection
    private let isOver = Locked(false)
    private let failure = Locked<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(_ database: YapDatabase) throws { connection = try database.newConnection() }

    func start() {
        Thread {
            do {
                var number = 0
                while !self.isOver.value {
                    number = (number + 1) % people
                    let (key, person) = (Person.key(number), Person(number))
                    try self.connection.readWrite {
                        try $0.setObject(person, forKey: key, inCollection: Person.collection)
                    }
                }
            } catch {
                self.failure.set(error)
            }
            self.ended.signal()
        }.start()
    }

    func stop() throws {
        isOver.set(true)
        ended.wait()
        if let error = failure.value { throw error }
    }
}

/// Jumps to the newest commit without a pause on its own thread.
private final class JumpingReader: Sendable {
    private let connection: YapDatabaseConnection
    private let isOver = Locked(false)
    private let ended = DispatchSemaphore(value: 0)
    private let jumps = WaitCounter()

    init(_ database: YapDatabase) throws { connection = try database.newConnection() }

    func start() {
        Thread {
            while !self.isOver.value {
                self.jumps.add { try jump(self.connection) }
                usleep(1_000)
            }
            self.ended.signal()
        }.start()
    }

    /// Stops jumping.
    /// - Returns: the longest wait of a jump, in milliseconds.
    func stop() throws -> Double {
        isOver.set(true)
        ended.wait()
        return try jumps.longest()
    }
}
