import Foundation
import TortureLedger
import YapDatabase

/// Writes until the disk is full, frees room, and continues, repeatedly: nothing of a failed transaction may be visible
/// anywhere.
func fillTheDisk(path: String, seed: UInt64, rounds: Int, by means: String) throws {
    signal(SIGXFSZ, SIG_IGN)
    let obstacle: any Obstacle = means == "limit" ? SizeLimit(path: path) : Ballast(path: path)
    let database = try YapDatabase(url: URL(filePath: path))
    try Ledger.prepareAll(database, writers: writers)
    let pair = try Pair(database)
    var random = SplitMix64(seed: seed)
    for round in 0..<rounds {
        for _ in 0..<Int.random(in: 1..<20, using: &random) { try pair.commit(size: 100) }
        try obstacle.leaveRoom(Int.random(in: 0..<80_000, using: &random))
        let error = try pair.commitUntilItFails(size: Int.random(in: 0..<3_000, using: &random))
        let advice = ["Free some space", "Check the disk", "Raise the limit"]
        try require(
            [.diskFull, .inputOutput].contains(error.code) && advice.contains { "\(error)".contains($0) },
            "round \(round): a full disk is told as \(error)")
        try pair.checkNothingShows()
        try obstacle.remove()
        try pair.commit(size: 100)
    }
    try pair.checkNothingShows()
    try database.close()
    try requireSound(path)
}

func requireSound(_ path: String) throws {
    let problems = try YapDatabase.check(url: URL(filePath: path))
    try require(problems.isEmpty, "\(path): \(problems)")
}

private protocol Obstacle {
    func leaveRoom(_ bytes: Int) throws
    func remove() throws
}

/// Limits every file to little more than the log's size.
private struct SizeLimit: Obstacle {
    let path: String

    func leaveRoom(_ bytes: Int) throws {
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        try set(rlim_t(log + bytes))
    }

    func remove() throws { try set(rlim_t.max) }

    private func set(_ bytes: rlim_t) throws {
        var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
        try require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, "setrlimit: errno \(errno)")
    }
}

/// A file that takes almost all of the free room.
private struct Ballast: Obstacle {
    let path: String

    func leaveRoom(_ bytes: Int) throws {
        let file = open(path + ".ballast", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try require(file >= 0, "\(path).ballast: errno \(errno)")
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        var size = 0
        while case let written = write(file, block, block.count), written > 0 { size += written }
        try require(errno == ENOSPC, "\(path).ballast ends with errno \(errno)")
        try require(ftruncate(file, max(0, size - bytes)) == 0, "ftruncate: errno \(errno)")
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path + ".ballast") }
}
