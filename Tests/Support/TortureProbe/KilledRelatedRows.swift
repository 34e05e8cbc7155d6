import CFaultyVFS
import Foundation
import SeededRandom
import TortureLedger
import YapDatabase

/// Makes the file: rows, and what follows from them.
func makeRelatedRows(path: String) throws {
    var random = SplitMix64(seed: 1)
    let database = try YapDatabase(url: URL(filePath: path))
    try RelatedRows.register(database)
    let connection = try database.newConnection()
    for _ in 0..<60 { try connection.readWrite { try RelatedRows.change(&random, in: $0) } }
    try database.close()
}

/// Fills the derived rows again, changes rows, and dies before step number `step`: a call of SQLite that changes a file or the shared index.
/// Ends normally if that has fewer steps.
func changeRelatedRows(path: String, step: Int32) throws {
    try require(faulty_vfs_install() == 0, "the file access cannot be installed")
    faulty_vfs_arm(Int32(FAULTY_KILL.rawValue), step, 1)
    var random = SplitMix64(seed: 2)
    let database = try YapDatabase(url: URL(filePath: path))
    try RelatedRows.register(database, isReplaced: true)
    let connection = try database.newConnection()
    for _ in 0..<6 { try connection.readWrite { try RelatedRows.change(&random, in: $0) } }
    try database.close()
}

/// Changes rows until it is killed, and reports each commit. It ends with the test, as ``writeForever(path:writer:seed:)`` does.
/// - Parameter knowsLists: whether it registers what follows from the rows.
func writeRelatedRows(path: String, seed: UInt64, knowsLists: Bool) throws {
    let test = getppid()
    var options = YapDatabaseOptions()
    options.busyTimeout = 60_000
    var random = SplitMix64(seed: seed)
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    if knowsLists { try RelatedRows.register(database) }
    let connection = try database.newConnection()
    var number = 0
    while getppid() == test {
        number += 1
        try connection.readWrite { transaction throws in
            try RelatedRows.change(&random, in: transaction)
            if random.percent(10) { transaction.rollback() }
            // A later read may be of a commit of the process that does not know the lists.
            if knowsLists, number % 8 == 0 { try RelatedRows.check(in: transaction) }
        }
        report(number)
    }
}

/// Checks what follows from the rows, before and after a write.
func checkRelatedRows(path: String) throws {
    var random = SplitMix64(seed: 3)
    let database = try YapDatabase(url: URL(filePath: path))
    try RelatedRows.register(database)
    let connection = try database.newConnection()
    try connection.read { try RelatedRows.check(in: $0) }
    try connection.readWrite { try RelatedRows.change(&random, in: $0) }
    try connection.read { try RelatedRows.check(in: $0) }
    try database.close()
}
