import Foundation
import SQLiteBridge
import FileEngine

/// One state of a file, held for as long as it is needed, read without leaving a trace.
///
/// It has two transactions on the same state: one for interactive reads, one for background work. Each serves one
/// caller at a time. A loosened state holds its transactions only during reads, so that the writing program can restart
/// its log.
package final class FileSnapshot: Sendable {
    package let path: String
    package let schema: FileSchema
    /// The number of the last commit as stored in the file; nil if there is none or it cannot be read.
    package let number: Int?
    /// What is unusual about the file, in sentences.
    let notes: [String]
    /// The size of all pages of the state. No value can be longer, whatever its record claims.
    let bytes: Int
    let mark: Mark
    /// The end of the log in this state; nil without locks.
    let log: LogPosition?
    private let front: TicketLock<SnapshotReader>
    private let back: TicketLock<SnapshotReader>
    private let isLoose = Locked(false)
    private let written = Locked<LogPages?>(nil)

    /// Identifies a state.
    struct Mark: Hashable, Sendable {
        var hold: Hold
        /// The files' stamps before the state was read.
        var file: FileState
    }

    /// What keeps the state unchanged.
    enum Hold: Hashable, Sendable {
        /// A reader's locks, with the change counter of the log's shared index.
        case locks(change: UInt32)
        /// Only that no program writes to file or log.
        case nothing
        /// Only that no program writes to the file itself. Others may start a log meanwhile.
        case noLog
    }

    init(path: String, mark: Mark, log: LogPosition? = nil, front: sending Store, back: sending Store) throws {
        self.path = path
        self.mark = mark
        self.log = log
        func pragma(_ name: String) throws -> Int { try front.first("PRAGMA \(name)") { Int($0.int64(at: 0)) } ?? 0 }
        bytes = try pragma("page_count") * pragma("page_size")
        schema = try FileSchema(front)
        do {
            number = try schema.snapshotNumber(front)
            notes = schema.notes
        } catch let error as YapDatabaseError where error.isDamage {
            number = nil
            notes = schema.notes + ["The number of the last commit cannot be read. \(error.message)"]
        }
        self.front = TicketLock(SnapshotReader(front))
        self.back = TicketLock(SnapshotReader(back))
    }

    /// More entries than any index can have: a walk that meets more is in a cycle.
    var maxEntries: Int { bytes / 4 }

    /// Whether locks prevent others from changing this state while it is read.
    var isLocked: Bool { if case .locks = mark.hold { true } else { false } }

    /// Closes the file. Later reads throw an error with code `.reloadNeeded`.
    func close() {
        front.withLock { $0.store = nil }
        back.withLock { $0.store = nil }
    }

    /// Runs an interactive read. Not reentrant.
    /// - Throws: ``YapDatabaseError`` with code `.reloadNeeded` if the state is gone because another program wrote to a
    ///   file
    ///   that could not be locked; ``BrowsedFile/step(lists:)`` finds the new state.
    package func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try front.withLock { try run(body, &$0) }
    }

    /// Runs a read in the background, in turn with others: divide long work into portions. Not reentrant.
    /// - Throws: as `read`.
    package func work<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try back.withLock { try run(body, &$0) }
    }

    /// Whether the file still is in this state. Costs one look at the files' stamps.
    package var isNewest: Bool {
        let now = FileState(path)
        guard case .locks(let change) = mark.hold else { return now == mark.file }
        return now.identity == mark.file.identity && front.withLock { $0.store?.handle.changeCounter == change }
    }

    /// Whether two states are of one file, and not of another one that took its name.
    package func isOfSameFile(as other: FileSnapshot) -> Bool { mark.file.identity == other.mark.file.identity }

    /// Whether a program may be writing a commit that is not visible yet. Without locks each write is another state at once.
    var isBeingWritten: Bool {
        guard isLocked else { return false }
        return front.withLock { $0.store?.handle.isLogBeingWritten ?? false }
    }

    /// Whether the log is so long that its program would have restarted it, had no reader held it.
    var isInLongLog: Bool {
        guard isLocked else { return false }
        return front.withLock { ($0.store?.handle.logSize ?? 0) >= Self.longLog }
    }

    /// Whether the whole log is in the file, so that a new reader needs nothing of it.
    var isLogCopied: Bool { front.withLock { $0.store?.handle.pagesToCheckpoint == 0 } }

    /// In bytes. SQLite copies a log into the file from 1,000 pages on.
    private static let longLog = 3 << 20

    /// Holds nothing of the log between two reads from now on, so that this reader makes no log grow. After the next
    /// commit of another program, reads throw an error with code `.reloadNeeded`. Waits for reads under way.
    /// - Parameter keepsChanges: whether a step to a newer state will follow: what was written since this state is then
    ///   read from the log before the log is released, some milliseconds and megabytes.
    package func loosen(keepsChanges: Bool = false) {
        guard isLocked else { return }
        if keepsChanges { readChanges() }
        isLoose.withLock { $0 = true }
        for side in [front, back] { side.withLock { $0.end() } }
    }

    /// The pages that were written after this state, up to the moment when the log was released.
    var writtenBeforeRelease: LogPages? { written.withLock { $0 } }

    private func readChanges() {
        guard let log, !isLoose.withLock({ $0 }) else { return }
        written.withLock { written in
            guard written == nil else { return }
            // Nil during a commit, which takes a moment.
            for _ in 0..<Self.positionAttempts {
                var pages = LogPages(from: log)
                if let end = newestLog, pages.read(path, to: end, isStill: { newestLog?.salt == end.salt }) {
                    return written = pages
                }
                usleep(500)
            }
        }
    }

    private static let positionAttempts = 10

    /// Returns the number of unused bytes at the end of each page, and whether the file has a pointer map.
    func pageLayout() throws -> (reserved: Int, hasPointerMap: Bool)? {
        try read { store in
            let vacuum = try store.first("PRAGMA auto_vacuum") { $0.int64(at: 0) } ?? 0
            return store.handle.reservedBytes.map { ($0, vacuum != 0) }
        }
    }

    /// The present end of the log, whatever program wrote it.
    var newestLog: LogPosition? { front.withLock { $0.store?.handle.logPosition } }

    private func run<Value>(_ body: (Store) throws -> Value, _ reader: inout SnapshotReader) throws -> Value {
        guard let store = reader.store else { throw gone }
        if case .locks(let change) = mark.hold {
            guard reader.begin(at: change) else { throw gone }
            defer { if isLoose.withLock({ $0 }) { reader.end() } }
            return try body(store)
        }
        let result = Result { try body(store) }
        guard isStill else { throw gone }
        return try result.get()
    }

    /// Whether the files of an unlocked state are unchanged.
    private var isStill: Bool {
        let now = FileState(path)
        return mark.hold == .noLog ? now.hasSameFile(as: mark.file) : now == mark.file
    }

    private var gone: YapDatabaseError {
        YapDatabaseError(.reloadNeeded, "\(path) was written to by another program while it was read. Read it again.")
    }
}
