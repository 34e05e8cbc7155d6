import Foundation
import YapDatabase

/// The memory of a process that works with a list of 10,000,000 rows. `YAP_BENCH_ROWS` sets another number.
///
/// What is counted is all that the process has in memory, in MB of 10^6 bytes: about 15 MB of the program's own and of libraries that
/// other programs share, the caches of SQLite for each connection, its index of the log, and what the allocator keeps of freed memory.
/// The pages of the file that the system caches are not part of it. Each case is a process of its own, which reports the peak
/// (`VmHWM`). Making the file takes half a minute, so they run only when they are named.
let memoryCases: [Case] =
    MemoryWork.allCases.map { work in
        Case(
            name: "memory_\(work.rawValue)", n: MemoryFile.rows, k: MemoryFile.rows, unit: "MB",
            targets: [.value(atMost: work.limit, "MB")], isExtra: true
        ) {
            let file = try MemoryFile.shared.get()
            if work.needsList { try file.fillList() }
            return Measurement(value: try file.peakMegabytes(of: work))
        }
    }

/// What a process does whose memory is measured.
enum MemoryWork: String, CaseIterable {
    /// Registers a list that is declared by fields.
    case populateFields = "populate/fields"
    /// Registers a list of blocks that see objects.
    case populateBlocks = "populate/blocks"
    /// Registers a view that filters the list by its objects.
    case populateFiltered = "populate/filtered"
    /// Opens the file, follows the list in a long-lived read transaction, and commits rows that move.
    case longLived = "long_lived/opened"
    /// The same after all pages of the list were read.
    case longLivedVisited = "long_lived/all_pages_read"
    /// The same in the process that filled the list, without the peak of the filling.
    case longLivedPopulated = "long_lived/populated"

    fileprivate var limit: Double { rawValue.hasPrefix("populate") ? 300 : 100 }
    fileprivate var needsList: Bool { ![.populateFields, .populateBlocks, .longLivedPopulated].contains(self) }
}

/// The file of the cases, which is made for the first of them and removed after all.
@MainActor final class MemoryFile {
    fileprivate static let shared = Result { try MemoryFile() }
    private static var isMade = false
    nonisolated static let rows = ProcessInfo.processInfo.environment["YAP_BENCH_ROWS"].flatMap(Int.init) ?? 10_000_000

    private let folder = FileManager.default.temporaryDirectory.appending(path: "yap-bench-\(UUID().uuidString)")
    private var url: URL { folder.appending(path: "items.sqlite") }
    private var hasList = false

    private init() throws {
        Self.isMade = true
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for start in stride(from: 0, to: Self.rows, by: 100_000) {
            try withItems(url, start..<min(Self.rows, start + 100_000)) { _ in }
        }
    }

    static func remove() {
        if isMade, let file = try? shared.get() { try? FileManager.default.removeItem(at: file.folder) }
    }

    fileprivate func fillList() throws {
        if !hasList { _ = try peakMegabytes(of: .populateFields) }
        hasList = true
    }

    /// Runs a process that does the work and returns its peak.
    fileprivate func peakMegabytes(of work: MemoryWork) throws -> Double {
        let text = try outputOfOwnProcess("--memory-of", work.rawValue, url.path, "\(Self.rows)")
        guard let peak = Double(text) else { throw RawError("The process that is measured has failed.") }
        return peak
    }
}
