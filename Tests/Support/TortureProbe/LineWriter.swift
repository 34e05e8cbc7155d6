import Foundation
import TortureLedger
import YapDatabase

/// Two threads commit without a pause until the process is killed, or the test is over. Each reports how long each of its commits took, in
/// microseconds: `THREAD COMMITS LONGEST`, after every hundredth of a second.
func writeInLine(path: String) throws {
    let test = getppid()
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    options.busyTimeout = 60_000
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    let isOver = DispatchSemaphore(value: 0)
    for thread in 0..<2 {
        let connection = try database.newConnection()
        Thread.detachNewThread {
            do {
                try writeInLine(connection, thread: thread, until: { getppid() != test })
                isOver.signal()
            } catch {
                FileHandle.standardError.write(Data("torture-probe: \(error)\n".utf8))
                exit(1)
            }
        }
    }
    for _ in 0..<2 { isOver.wait() }
}

private func writeInLine(_ connection: YapDatabaseConnection, thread: Int, until isOver: () -> Bool) throws {
    let key = "\(getpid()) \(thread)"
    var (count, longest, reported) = (0, UInt64(0), DispatchTime.now())
    while !isOver() {
        let start = DispatchTime.now()
        try connection.readWrite { try $0.setObject(count, forKey: key, inCollection: "line") }
        let end = DispatchTime.now()
        count += 1
        longest = max(longest, end.uptimeNanoseconds - start.uptimeNanoseconds)
        guard end > reported + .milliseconds(10) else { continue }
        let line = "\(thread) \(count) \(longest / 1_000)\n"
        _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
        (longest, reported) = (0, end)
    }
}
