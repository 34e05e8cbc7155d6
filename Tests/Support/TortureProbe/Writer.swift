import Foundation
import TortureLedger
import YapDatabase

/// Commits one transaction after the other until it is killed, and reports each number after its commit. It ends with the test: a run that
/// is stopped kills nothing, and writers that are left make the machine busy.
func writeForever(path: String, writer: String, seed: UInt64) throws {
    let test = getppid()
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    options.busyTimeout = 60_000
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    try Ledger.prepareAll(database, writers: writers)
    let connection = try database.newConnection()
    let ledger = Ledger(writer: writer)
    var random = SplitMix64(seed: seed)
    var last = try connection.read { try ledger.number(in: $0) }
    // What an earlier run committed and could not report.
    report(last)
    while getppid() == test {
        let number = last + 1
        let size = Int.random(in: 0..<20, using: &random) == 0 ? 8_000 : Int.random(in: 0..<200, using: &random)
        try connection.readWrite { try ledger.write(number, size: size, in: $0) }
        report(number)
        last = number
        // Its pace: the others get the lock.
        usleep(UInt32.random(in: 0..<3_000, using: &random))
    }
}

/// Writes in one system call, so that a number is reported completely or not at all.
func report(_ number: Int) {
    let line = "\(number)\n"
    _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
}
