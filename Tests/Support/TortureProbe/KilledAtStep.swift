import CFaultyVFS
import Foundation
import TortureLedger
import YapDatabase

/// Runs a scenario with an extension of each kind, and dies before step number `step`: a call of SQLite that changes a file or the
/// shared index. Ends normally if the scenario has fewer steps. Reports each number after its commit.
func dieAtStep(path: String, step: Int32) throws {
    try require(faulty_vfs_install() == 0, "the file access cannot be installed")
    var options = YapDatabaseOptions()
    options.pragmaSynchronous = .normal
    faulty_vfs_arm(Int32(FAULTY_KILL.rawValue), step, 1)
    let database = try YapDatabase(url: URL(filePath: path), options: options)
    // The tag is another one, so that all of them are filled again.
    try Ledger.prepareAll(database, writers: writers, tag: "2")
    let connection = try database.newConnection()
    let ledger = Ledger(writer: writers[0])
    let last = try connection.read { try ledger.number(in: $0) }
    for (index, size) in [10, 3_000, 100].enumerated() {
        try connection.readWrite { transaction in
            try ledger.write(last + index + 1, size: size, in: transaction)
            try rearrange(last + index + 1, transaction)
        }
        report(last + index + 1)
    }
    try database.unregisterExtension(withName: "index")
    try database.close()
}

/// Other orders and filters, and the first one again at the end.
private func rearrange(_ number: Int, _ transaction: YapDatabaseReadWriteTransaction) throws {
    guard let view = transaction.ext(Ledger.view) as? YapDatabaseAutoViewTransaction else { return }
    for (tag, sign) in [("back \(number)", -1), ("2", 1)] {
        try view.setSorting(
            .withObjectBlock { _, _, _, _, first, _, _, second in
                let (a, b) = (
                    ((first as? Ledger.Entry)?.number ?? 0) * sign, ((second as? Ledger.Entry)?.number ?? 0) * sign
                )
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            }, versionTag: tag)
    }
}

/// Makes the file that the scenario begins with.
func makeLedger(path: String, count: Int) throws {
    let database = try YapDatabase(url: URL(filePath: path))
    try Ledger.prepareAll(database, writers: writers)
    let connection = try database.newConnection()
    let ledger = Ledger(writer: writers[0])
    for number in 1...count { try connection.readWrite { try ledger.write(number, size: 50, in: $0) } }
    try database.close()
}
