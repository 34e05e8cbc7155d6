import SQLiteBridge
import YapDatabase

/// One state of a file, held for as long as it is looked at, read without leaving a trace.
///
/// It reads through two transactions on the same state: one for whoever waits for an answer, one for work in the
/// background. Each serves one caller at a time.
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
    private let front: TicketLock<Store?>
    private let back: TicketLock<Store?>

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

    init(path: String, mark: Mark, front: sending Store, back: sending Store) throws {
        self.path = path
        self.mark = mark
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
        self.front = TicketLock(front)
        self.back = TicketLock(back)
    }

    /// More entries than an index can have: where it leads to more it leads in circles.
    var mostEntries: Int { bytes / 4 }

    /// Whether nobody can write to this state while it is looked at.
    var isLocked: Bool { if case .locks = mark.hold { true } else { false } }

    /// Lets go of the file. Whoever reads from now on gets an error with code `.reloadNeeded`.
    func close() {
        front.withLock { $0 = nil }
        back.withLock { $0 = nil }
    }

    /// Reads for somebody who waits. Not to be called inside itself.
    /// - Throws: ``YapDatabaseError`` with code `.reloadNeeded` when the state is gone because somebody wrote to a file
    ///   that could not be locked; ``BrowsedFile/step(lists:)`` finds the new one.
    package func read<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try front.withLock { try run(body, $0) }
    }

    /// Reads in the background, in turn with others: long work is to be done in portions. Not to be called inside itself.
    /// - Throws: as `read`.
    package func work<Value>(_ body: (Store) throws -> Value) throws -> Value {
        try back.withLock { try run(body, $0) }
    }

    /// Whether the file still is in this state. Costs no more than looking at the files' stamps.
    package var isNewest: Bool {
        let now = FileState(path)
        guard case .locks(let change) = mark.hold else { return now == mark.file }
        return now.identity == mark.file.identity && front.withLock { $0?.handle.changeCounter == change }
    }

    /// Whether another program has copied all of a long log into the file, so that only readers keep it from starting anew.
    var isInLongCopiedLog: Bool {
        guard isLocked else { return false }
        return front.withLock { store in
            guard let handle = store?.handle, let size = handle.logSize else { return false }
            return size >= Self.longLog && handle.pagesToCheckpoint == 0
        }
    }

    /// Bytes.
    private static let longLog = 4 << 20

    /// Begins to read again, from the file alone, where everything is in it. Where somebody has committed meanwhile the
    /// state is lost, and whoever reads gets an error with code `.reloadNeeded`. Waits for whoever is reading.
    func stepOutOfLog() {
        for side in [front, back] {
            side.withLock { store in
                guard case .locks(let change) = mark.hold, let reader = store else { return }
                let again = Result {
                    try reader.rollback()
                    return try Self.beginLocked(reader)
                }
                if (try? again.get()) != change { store = nil }
            }
        }
    }

    private func run<Value>(_ body: (Store) throws -> Value, _ store: Store?) throws -> Value {
        guard let store else { throw gone }
        if isLocked { return try body(store) }
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
