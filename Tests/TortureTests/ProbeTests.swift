import Foundation
import Testing
import TortureLedger

/// Failures injected into one process.
@Suite struct ProbeTests {
    /// No file may grow.
    @Test func withoutRoomForALargerFileNothingOfTheTransactionShows() throws {
        try run("limit", ["full", "FILE", "\(Torture.seed)", Torture.isLong ? "200" : "8", "limit"])
    }

    /// A small disk, which only the superuser can create.
    @Test(.enabled(if: TinyDisk.isPossible, "mounting needs the superuser"))
    func withAFullDiskNothingOfTheTransactionShows() throws {
        try TinyDisk.with { disk in
            try run("disk", ["full", "FILE", "\(Torture.seed)", Torture.isLong ? "200" : "8", "ballast"], on: disk)
        }
    }

    /// Every call of a scenario (in the short form a sample) fails up to three times in a row.
    @Test(arguments: FaultyCall.allCases) func aFailingCallIsAnErrorAndNothingElse(call: FaultyCall) throws {
        try run("\(call)", ["faults", "FOLDER", "\(call.rawValue)", Torture.isLong ? "1" : "\(call.shortStep)"])
    }

    @Test func aDamagedFileIsAnErrorOrACorrectAnswer() throws {
        try run("damage", ["damage", "FOLDER", "\(Torture.seed)", Torture.isLong ? "20000" : "300"])
    }

    private func run(_ name: String, _ arguments: [String], on disk: URL? = nil) throws {
        try Torture.inFolder(name) { folder in
            let places = ["FILE": (disk ?? folder).appending(path: "t.sqlite").path, "FOLDER": folder.path]
            let child = try Child(arguments.map { places[$0] ?? $0 }, name: name, in: folder)
            let end = child.end()
            let manner = end < 0 ? "died of signal \(-end)" : "ended with \(end)"
            try require(end == 0, "the probe \(arguments) \(manner): \(child.lastWords)")
            let output = try String(contentsOf: child.output, encoding: .utf8)
            if !output.isEmpty { print("torture \(name): \(output)", terminator: "") }
        }
    }
}

/// The kinds of calls that `CFaultyVFS` can fail, in its order.
enum FaultyCall: Int, CaseIterable, Sendable {
    case read, write, full, sync, truncate, size, lock, shmMap, shmLock, open, delete, access

    /// Kinds with hundreds of calls in the scenario are sampled.
    var shortStep: Int {
        switch self {
        case .read, .write, .full, .shmLock: 13
        case .size, .lock, .sync, .access: 5
        default: 1
        }
    }
}
