import SQLiteBridge
import FileEngine

/// One state of a file, held for as long as it is looked at, read without leaving a trace.
///
/// It reads through two transactions on the same state: one for whoever waits for an answer, one for work in the
/// background. Each serves one caller at a time. A state that has been loosened holds its transactions only while it is
/// read, so that the log of the program that writes can start from its beginning.
package final class FileSnapshot: Sendable {
    package let path: String
    package let schema: FileSchema
    /// The number of the last commit as the file says it; nil in a file that says none, or whose word cannot be read.
    package let number: Int?
    /// What is unusual about the file, in sentences.
    let notes: [String]
    /// Bytes of all pages of the state. No value can be longer, whatever it says itself.
    let bytes: Int
    let mark: Mark
    /// Where the log ends for this state; nil where there are no locks.
    let log: LogPosition?
    private let front: TicketLock<SnapshotReader>
    private let back: TicketLock<SnapshotReader>
    private let isLoose = Locked(false)

    /// What tells two states apart.
    struct Mark: Hashable, Sendable {
        var hold: Hold
        /// From outside, before the state was read.
        var file: FileState
    }

    /// What keeps the state as it is.
    enum Hold: Hashable, Sendable {
        /// The locks of a reader; with the change counter of the log's shared index.
        case locks(change: UInt32)
        /// Nothing but that nobody writes to file or log.
        case nothing
        /// That nobody writes to the file itself: others may begin a log meanwhile.
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

    /// More entries than an index can have: where it leads to more it leads in circles.
    var mostEntries: Int { bytes / 4 }

    /// Whether nobody can write to this state while it is looked at.
    var isLocked: Bool { if case .locks = mark.hold { true } else { false } }

    /// Lets go of the file. Whoever reads from now on gets an error with code `.reloadNeeded`.
    func close() {
        front.withLock { $0.store = nil }
        back.withLock { $0.store = nil }
    }

    /// Reads for somebody who waits. Not to be called inside itself.
    /// - Throws: ``YapDatabaseError`` with code `.reloadNeeded` when the state is gone because somebody wrote to a file
    ///   that could not be locked; ``BrowsedFile/step(lists:)`` finds the new one.
    package func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try front.withLock { try run(body, &$0) }
    }

    /// Reads in the background, in turn with others: long work is to be done in portions. Not to be called inside itself.
    /// - Throws: as `read`.
    package func work<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try back.withLock { try run(body, &$0) }
    }

    /// Whether the file still is in this state. Costs no more than looking at the files' stamps.
    package var isNewest: Bool {
        let now = FileState(path)
        guard case .locks(let change) = mark.hold else { return now == mark.file }
        return now.identity == mark.file.identity && front.withLock { $0.store?.handle.changeCounter == change }
    }

    /// Whether the log is so long that its program would have begun it from its beginning, had readers let it.
    var isInLongLog: Bool {
        guard isLocked else { return false }
        return front.withLock { ($0.store?.handle.logSize ?? 0) >= Self.longLog }
    }

    /// Whether all of the log is in the file: who begins to read now needs nothing of it.
    var isLogCopied: Bool { front.withLock { $0.store?.handle.pagesToCheckpoint == 0 } }

    /// Bytes. SQLite copies a log into the file from 1,000 pages on.
    private static let longLog = 3 << 20

    /// Holds nothing of the log any more between two reads, so that no log grows because of this reader. Once somebody has
    /// committed, whoever reads gets an error with code `.reloadNeeded`. Waits for whoever is reading.
    package func loosen() {
        guard isLocked else { return }
        isLoose.withLock { $0 = true }
        for side in [front, back] { side.withLock { $0.end() } }
    }

    /// The bytes at the end of each page that hold no data, and whether the file has pages that say who owns others.
    func pageLayout() throws -> (reserved: Int, hasPointerMap: Bool)? {
        try read { store in
            let vacuum = try store.first("PRAGMA auto_vacuum") { $0.int64(at: 0) } ?? 0
            return store.handle.reservedBytes.map { ($0, vacuum != 0) }
        }
    }

    /// Where the log ends now, whoever wrote it.
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

    /// Whether what is not locked was left alone.
    private var isStill: Bool {
        let now = FileState(path)
        return mark.hold == .noLog ? now.hasSameFile(as: mark.file) : now == mark.file
    }

    private var gone: YapDatabaseError {
        YapDatabaseError(.reloadNeeded, "\(path) was written to by another program while it was read. Read it again.")
    }
}
