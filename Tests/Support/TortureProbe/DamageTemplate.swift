import Foundation
import TortureLedger
import YapDatabase

/// A small file, and a version with a part of it still in the log.
struct DamageTemplate {
    let file: Data
    let fileWithLog: Data
    let log: Data
    private let states: [Answer]
    private static let commits = 8

    init(folder: String) throws {
        let path = folder + "/template.sqlite"
        let url = URL(filePath: path)
        let database = try YapDatabase(url: url)
        try Ledger.prepare(database, writers: writers)
        let connection = try database.newConnection()
        // A reader keeps the log from being copied into the file.
        let holder = try database.newConnection()
        try holder.beginLongLivedReadTransaction()
        var states: [Answer] = [try connection.read { try Answer($0) }]
        for number in 1...Self.commits {
            try connection.readWrite { try Ledger(writer: writers[0]).write(number, size: 20, in: $0) }
            states.append(try connection.read { try Answer($0) })
        }
        fileWithLog = try Data(contentsOf: url)
        log = try Data(contentsOf: URL(filePath: path + "-wal"))
        try database.close()
        file = try Data(contentsOf: url)
        self.states = states
    }

    /// Returns the allowed answers: the newest state or, with a damaged log, any that was committed.
    func answers(_ isLogDamaged: Bool) -> [Answer] { isLogDamaged ? states : Array(states.suffix(1)) }

    func write(to path: String, _ damage: Damage) throws {
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        try (damage.isInLog ? fileWithLog : damage.apply(file)).write(to: URL(filePath: path))
        if damage.isInLog { try damage.apply(log).write(to: URL(filePath: path + "-wal")) }
    }
}
