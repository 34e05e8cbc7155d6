import Foundation

/// A file beside the database, `<name>-commits`, in which processes tell each other what their commits did.
///
/// SQLite says that somebody committed, not what. The writer of a commit appends an entry while it holds SQLite's write
/// lock, then says COMMIT, then marks the entry as confirmed. Whoever finds a commit that is not its own looks for a chain
/// of confirmed entries from the state it knows to the state it found; without one it reads everything anew. So nothing
/// has to be believed: an entry that its writer never confirmed because it was killed, a commit of a program that knows
/// no journal, a file that was cut: each breaks the chain, and costs a reload.
///
/// Between COMMIT and the confirmation the writer still holds a lock on a byte that belongs to the entry. The state that
/// the entry promises is there, nobody else could have made it, and the writer lives: that is as good.
///
/// Marks are small counters, which begin again with every database file and whenever nobody has it open. So entries count
/// only in the life they were written in: the first to open the journal empties it, and it names the database file that
/// it is about. It is open only while the database is.
///
/// Format: 8 bytes of magic, 8 bytes that name this life of the file, 8 bytes each for the device and the inode of the
/// database, little-endian; then entries (``JournalRecord``). Nothing is ever synced.
///
/// Costs a write of about 50 bytes a changed row, and one of 4 bytes, for each commit; nothing but one system call while
/// no other process has the database open.
final class CommitJournal: Sendable {
    /// The file starts anew when it is longer: some thousand commits, more than anybody is behind who still follows.
    static let lengthLimit = 4 << 20

    private static let magic: UInt64 = 0x3273_746d_4370_6159  // "YapCmts2"
    private static let headerLength = 32

    /// The path of the database.
    private let database: String
    /// The file that was there when it was opened.
    private let identity: FileIdentity
    private let state: Locked<State>

    private struct State {
        /// Nil after it was closed.
        var file: JournalFile?
        /// The life of the file that the other fields belong to.
        var generation: UInt64 = 0
        /// Behind the last entry that is known.
        var end = CommitJournal.headerLength
        /// The entry that is waiting to be confirmed.
        var pending: Pending?
    }

    private struct Pending {
        /// Where the entry begins.
        let start: Int
        /// What confirms it.
        let seal: UInt32
        /// The byte that is locked meanwhile.
        let byte: off_t
    }

    /// To be called while the database is open in this process, for as long as the journal is.
    init(database: String) throws {
        guard let identity = FileIdentity(ofFile: database) else {
            throw YapDatabaseError(
                .cannotOpen, "\(database) is gone: somebody removed or moved it while it was opened.")
        }
        self.database = database
        self.identity = identity
        let file = try JournalFile.open(database + "-commits", beside: database)
        state = Locked(State(file: file))
        // Others still live with a file that has made room for this one, and may be gone when its inode is used again.
        if let header = header(file), header.identity != identity { try state.withLock { try startAnew(&$0, file) } }
    }

    deinit { state.withLock { $0.file?.close() } }

    /// Lets go of the file, and removes it when nobody else uses it. All other calls do nothing from then on.
    func close() {
        state.withLock { state in
            state.file?.removeIfAlone()
            state.file?.close()
            state = State(file: nil)
        }
    }

    /// The database's file was replaced under this process: what its handles do now is for nobody to believe.
    private var isReplaced: Bool { FileIdentity(ofFile: database) != identity }
}

// MARK: Writing, under SQLite's write lock

extension CommitJournal {
    /// Appends the entry of a commit that is about to be made. Does nothing while no other process reads.
    func append(_ entry: @autoclosure () -> JournalEntry) throws {
        try state.withLock { state in
            unlock(&state)
            guard let file = try openFile(&state), file.isLocked(JournalFile.readerByte), !isReplaced else { return }
            skipEntries(&state, file)
            if state.end == Self.headerLength || state.end > Self.lengthLimit { try startAnew(&state, file) }
            let entry = entry()
            let byte = JournalFile.writerByte(entry)
            guard try takeLock(file, byte) else {
                // Without the entry others reload. An unconfirmed one of this number must not be taken for it.
                ftruncate(file.descriptor, off_t(state.end))
                return
            }
            let (record, seal) = JournalRecord.encode(entry.bytes, generation: state.generation)
            guard pwrite(file.descriptor, record, record.count, off_t(state.end)) == record.count else {
                throw file.failure("cannot be written")
            }
            // What a killed writer left behind must not be taken for the next entry.
            ftruncate(file.descriptor, off_t(state.end + record.count))
            state.pending = Pending(start: state.end, seal: seal, byte: byte)
            state.end += record.count
        }
    }

    /// The commit is made.
    func confirm() {
        state.withLock { state in
            guard let file = state.file, let pending = state.pending else { return }
            var seal = pending.seal.littleEndian
            // Where this fails, the entry stays unconfirmed and others reload.
            pwrite(file.descriptor, &seal, 4, off_t(pending.start + JournalRecord.sealOffset))
            unlock(&state)
        }
    }

    /// The commit failed.
    func withdraw() {
        state.withLock { state in
            guard let file = state.file, let pending = state.pending else { return }
            state.end = pending.start
            ftruncate(file.descriptor, off_t(pending.start))
            unlock(&state)
        }
    }

    /// A writer that was killed may still be on its way out: SQLite's lock is free already, and this one is not yet.
    /// - Returns: whether the lock could be had in a moment.
    private func takeLock(_ file: JournalFile, _ byte: off_t) throws -> Bool {
        for _ in 0..<100 {
            if try file.lock(F_WRLCK, byte) { return true }
            usleep(1_000)
        }
        return false
    }

    private func unlock(_ state: inout State) {
        guard let pending = state.pending else { return }
        state.pending = nil
        state.file?.unlock(pending.byte)
    }

    /// The file, opened anew where somebody has removed it; nil after it was closed.
    private func openFile(_ state: inout State) throws -> JournalFile? {
        guard let file = state.file, file.isRemoved else { return state.file }
        let next = try JournalFile.open(file.path, beside: database)
        file.close()
        state = State(file: next)
        return next
    }

    private func startAnew(_ state: inout State, _ file: JournalFile) throws {
        state.generation = UInt64.random(in: 1...UInt64.max)
        state.end = Self.headerLength
        let header = [Self.magic, state.generation, identity.device, identity.inode].map(\.littleEndian)
        guard ftruncate(file.descriptor, 0) == 0,
            header.withUnsafeBytes({ pwrite(file.descriptor, $0.baseAddress, $0.count, 0) }) == Self.headerLength
        else { throw file.failure("cannot be written") }
    }

    /// Goes to the end of what others have appended, and over a last entry that was never confirmed.
    private func skipEntries(_ state: inout State, _ file: JournalFile) {
        guard followLife(&state, file) else {
            state.end = Self.headerLength
            return
        }
        for record in records(file, from: state.end, state.generation) {
            state.end = record.isConfirmed ? record.end : record.start
        }
    }
}

// MARK: Reading

extension CommitJournal {
    /// What the commits did that lead from one state to another, in order; nil when the journal does not know.
    ///
    /// O(bytes of the commits since this process last read or wrote here).
    func entries(from before: Snapshot.Mark, to after: Snapshot.Mark) -> [JournalEntry]? {
        guard before.change != nil, after.change != nil else { return nil }
        return state.withLock { state in
            guard let file = state.file, followLife(&state, file), !isReplaced else { return nil }
            for start in Set([state.end, Self.headerLength]).sorted(by: >) {
                let records = records(file, from: start, state.generation)
                guard let (entries, end) = chain(records, file, from: before, to: after) else { continue }
                state.end = end
                return entries.contains(where: \.isIncomplete) ? nil : entries
            }
            return nil
        }
    }

    /// The chain of entries that was written last, and where it ends. From the back: of two entries for one state the
    /// older one was overtaken by something that nobody told of.
    private func chain(
        _ records: [JournalRecord], _ file: JournalFile, from before: Snapshot.Mark, to after: Snapshot.Mark
    ) -> (entries: [JournalEntry], end: Int)? {
        var entries: [JournalEntry] = []
        var (mark, end) = (after, 0)
        for record in records.reversed() {
            guard let entry = JournalEntry(record.bytes), entry.after == mark, isCommitted(record, entry, file) else {
                continue
            }
            if entries.isEmpty { end = record.end }
            entries.append(entry)
            mark = entry.before
            if mark == before { return (entries.reversed(), end) }
        }
        return nil
    }

    private func isCommitted(_ record: JournalRecord, _ entry: JournalEntry, _ file: JournalFile) -> Bool {
        if record.isConfirmed || file.isLocked(JournalFile.writerByte(entry)) { return true }
        // The writer may have confirmed it between the two looks.
        var seal: UInt32 = 0
        return pread(file.descriptor, &seal, 4, off_t(record.start + JournalRecord.sealOffset)) == 4
            && UInt32(littleEndian: seal) == record.seal
    }

    /// Goes to the beginning where the file has begun another life, or was cut.
    /// - Returns: false when the file is none of ours, or is about another database.
    private func followLife(_ state: inout State, _ file: JournalFile) -> Bool {
        guard let header = header(file), header.identity == identity else { return false }
        if header.generation != state.generation || length(file) < state.end {
            (state.generation, state.end) = (header.generation, Self.headerLength)
        }
        return true
    }

    private func header(_ file: JournalFile) -> (generation: UInt64, identity: FileIdentity)? {
        var fields = [UInt64](repeating: 0, count: 4)
        guard pread(file.descriptor, &fields, Self.headerLength, 0) == Self.headerLength,
            UInt64(littleEndian: fields[0]) == Self.magic
        else { return nil }
        return (
            UInt64(littleEndian: fields[1]),
            FileIdentity(device: UInt64(littleEndian: fields[2]), inode: UInt64(littleEndian: fields[3]))
        )
    }

    /// The whole entries from a place on.
    private func records(_ file: JournalFile, from start: Int, _ generation: UInt64) -> [JournalRecord] {
        let length = length(file)
        guard length > start else { return [] }
        var bytes = [UInt8](repeating: 0, count: length - start)
        let count = pread(file.descriptor, &bytes, bytes.count, off_t(start))
        return count > 0 ? JournalRecord.decode(bytes[..<count], at: start, generation: generation) : []
    }

    private func length(_ file: JournalFile) -> Int {
        var status = stat()
        return fstat(file.descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
}
