import Foundation

// Locks of an open file instead of a process, as <fcntl.h> numbers them; Swift's Glibc module leaves them out.
private let F_OFD_GETLK: Int32 = 36
private let F_OFD_SETLK: Int32 = 37

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
/// Format: 8 bytes of magic, 8 bytes that name this life of the file; then entries: 4 bytes length, 4 bytes 1 when
/// confirmed, 8 bytes checksum, the entry's bytes. All numbers are little-endian. Nothing is ever synced.
///
/// Costs a write of about 50 bytes a changed row, and one of 4 bytes, for each commit; nothing but one system call while
/// no other process has the database open.
final class CommitJournal: Sendable {
    /// The file starts anew when it is longer: some thousand commits, more than anybody is behind who still follows.
    static let lengthLimit = 4 << 20

    private static let magic: UInt64 = 0x3173_746d_4370_6159  // "YapCmts1"
    static let headerLength = 16

    private let path: String
    private let state: Locked<State>

    struct State {
        var descriptor: Int32
        /// The life of the file that the other fields belong to.
        var generation: UInt64 = 0
        /// Behind the last entry that is known.
        var end = CommitJournal.headerLength
        /// The entry that is waiting to be confirmed.
        var pending: Pending?
    }

    struct Pending {
        /// Where the entry begins.
        let start: Int
        /// The byte that is locked meanwhile.
        let byte: off_t
    }

    init(path: String) throws {
        self.path = path
        state = Locked(State(descriptor: try Self.open(path)))
    }

    deinit { _ = state.withLock { Glibc.close($0.descriptor) } }

    /// Lets go of the file, and removes it when nobody else uses it.
    func close() {
        state.withLock { state in
            if !Self.isLocked(state.descriptor, byte: Self.readerByte) { unlink(path) }
        }
    }

    private static func open(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot be opened", path) }
        // Held as long as the file is open, so that others can tell that somebody reads.
        var lock = Self.lock(F_RDLCK, byte: readerByte)
        guard fcntl(descriptor, F_OFD_SETLK, &lock) == 0 else {
            defer { Glibc.close(descriptor) }
            throw failure("cannot be locked", path)
        }
        return descriptor
    }

    /// Locks of bytes, none of which is ever read: the first for everybody who has the file open, those behind it for
    /// the writers of entries, by the number of the commit.
    private static let readerByte: off_t = 0
    private static func writerByte(_ entry: JournalEntry) -> off_t { 1 + off_t(entry.after.number % 4096) }

    private static func lock(_ kind: some BinaryInteger, byte: off_t) -> flock {
        flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
    }

    /// Whether another process holds a lock of the byte.
    private static func isLocked(_ descriptor: Int32, byte: off_t) -> Bool {
        var lock = Self.lock(F_WRLCK, byte: byte)
        return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private static func failure(_ what: String, _ path: String) -> YapDatabaseError {
        YapDatabaseError(
            errno == ENOSPC || errno == EDQUOT ? .diskFull : .inputOutput,
            "\(path), which tells other processes of commits, \(what). Check the folder's permissions and free space.",
            underlying: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
    }
}

// MARK: Writing, under SQLite's write lock

extension CommitJournal {
    /// Appends the entry of a commit that is about to be made. Does nothing while no other process reads.
    func append(_ entry: @autoclosure () -> JournalEntry) throws {
        try state.withLock { state in
            unlock(&state)
            try followFile(&state)
            guard Self.isLocked(state.descriptor, byte: Self.readerByte) else { return }
            skipEntries(&state)
            if state.end == Self.headerLength || state.end > Self.lengthLimit { try startAnew(&state) }
            let entry = entry()
            let byte = Self.writerByte(entry)
            var lock = Self.lock(F_WRLCK, byte: byte)
            guard try Self.takeLock(state.descriptor, &lock, path) else {
                // Without the entry others reload. An unconfirmed one of this number must not be taken for it.
                ftruncate(state.descriptor, off_t(state.end))
                return
            }
            let record = Self.record(entry.bytes)
            guard pwrite(state.descriptor, record, record.count, off_t(state.end)) == record.count else {
                throw Self.failure("cannot be written", path)
            }
            // What a killed writer left behind must not be taken for the next entry.
            ftruncate(state.descriptor, off_t(state.end + record.count))
            state.pending = Pending(start: state.end, byte: byte)
            state.end += record.count
        }
    }

    /// The commit is made.
    func confirm() {
        state.withLock { state in
            guard let pending = state.pending else { return }
            var one = UInt32(1).littleEndian
            // Where this fails, the entry stays unconfirmed and others reload.
            pwrite(state.descriptor, &one, 4, off_t(pending.start + 4))
            unlock(&state)
        }
    }

    /// The commit failed.
    func withdraw() {
        state.withLock { state in
            guard let pending = state.pending else { return }
            state.end = pending.start
            ftruncate(state.descriptor, off_t(pending.start))
            unlock(&state)
        }
    }

    /// A writer that was killed may still be on its way out: SQLite's lock is free already, and this one is not yet.
    /// - Returns: whether the lock could be had in a moment.
    private static func takeLock(_ descriptor: Int32, _ lock: inout flock, _ path: String) throws -> Bool {
        for _ in 0..<100 {
            if fcntl(descriptor, F_OFD_SETLK, &lock) == 0 { return true }
            guard errno == EAGAIN || errno == EACCES else { throw failure("cannot be locked", path) }
            usleep(1_000)
        }
        return false
    }

    private func unlock(_ state: inout State) {
        guard let pending = state.pending else { return }
        state.pending = nil
        var lock = Self.lock(F_UNLCK, byte: pending.byte)
        _ = fcntl(state.descriptor, F_OFD_SETLK, &lock)
    }

    /// Somebody who was the last to close may have removed the file.
    private func followFile(_ state: inout State) throws {
        var status = stat()
        guard fstat(state.descriptor, &status) == 0, status.st_nlink == 0 else { return }
        let descriptor = try Self.open(path)
        Glibc.close(state.descriptor)
        state = State(descriptor: descriptor)
    }

    private func startAnew(_ state: inout State) throws {
        state.generation = UInt64.random(in: 1...UInt64.max)
        state.end = Self.headerLength
        let header = [Self.magic.littleEndian, state.generation.littleEndian]
        guard ftruncate(state.descriptor, 0) == 0,
            header.withUnsafeBytes({ pwrite(state.descriptor, $0.baseAddress, $0.count, 0) }) == Self.headerLength
        else { throw Self.failure("cannot be written", path) }
    }

    /// Goes to the end of what others have appended, and over a last entry that was never confirmed.
    private func skipEntries(_ state: inout State) {
        guard let file = read(&state) else {
            state.end = Self.headerLength
            return
        }
        for record in file { state.end = record.isConfirmed ? record.end : record.start }
    }

    private static func record(_ bytes: [UInt8]) -> [UInt8] {
        var record: [UInt8] = []
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { record += $0 }
        withUnsafeBytes(of: UInt32(0)) { record += $0 }
        withUnsafeBytes(of: checksum(bytes[...]).littleEndian) { record += $0 }
        return record + bytes
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
            let known = state.end
            for start in Set([known, Self.headerLength]).sorted(by: >) {
                state.end = start
                if let entries = chain(&state, from: before, to: after) { return entries }
                state.end = known
            }
            return nil
        }
    }

    /// The chain of entries behind `state.end`, which moves behind it.
    private func chain(
        _ state: inout State, from before: Snapshot.Mark, to after: Snapshot.Mark
    ) -> [JournalEntry]? {
        guard let records = read(&state) else { return nil }
        var entries: [JournalEntry] = []
        var mark = before
        for record in records {
            guard let entry = JournalEntry(record.bytes), entry.before == mark, isCommitted(record, entry, state) else {
                continue
            }
            entries.append(entry)
            mark = entry.after
            state.end = record.end
            if mark == after { return entries.contains(where: \.isIncomplete) ? nil : entries }
        }
        return nil
    }

    private func isCommitted(_ record: Record, _ entry: JournalEntry, _ state: State) -> Bool {
        if record.isConfirmed || Self.isLocked(state.descriptor, byte: Self.writerByte(entry)) { return true }
        // The writer may have confirmed it between the two looks.
        var flag: UInt32 = 0
        return pread(state.descriptor, &flag, 4, off_t(record.start + 4)) == 4 && UInt32(littleEndian: flag) == 1
    }

    fileprivate struct Record {
        let start: Int
        let end: Int
        let isConfirmed: Bool
        let bytes: ArraySlice<UInt8>
    }

    /// The whole entries from `state.end` on; nil when the file is none of ours.
    private func read(_ state: inout State) -> [Record]? {
        var header: (UInt64, UInt64) = (0, 0)
        guard pread(state.descriptor, &header, Self.headerLength, 0) == Self.headerLength,
            UInt64(littleEndian: header.0) == Self.magic
        else { return nil }
        let generation = UInt64(littleEndian: header.1)
        if generation != state.generation { (state.generation, state.end) = (generation, Self.headerLength) }
        var status = stat()
        guard fstat(state.descriptor, &status) == 0 else { return nil }
        let start = state.end
        guard Int(status.st_size) > start else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) - start)
        let count = pread(state.descriptor, &bytes, bytes.count, off_t(start))
        return count > 0 ? Self.records(bytes[..<count], at: start) : []
    }

    private static func records(_ bytes: ArraySlice<UInt8>, at start: Int) -> [Record] {
        var records: [Record] = []
        var position = 0
        while position + headerLength <= bytes.count {
            let (length, flag, sum) = bytes.withUnsafeBytes {
                (
                    Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt32.self))),
                    UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)),
                    UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self))
                )
            }
            let end = position + headerLength + length
            guard end <= bytes.count, checksum(bytes[(position + headerLength)..<end]) == sum else { break }
            records.append(
                Record(
                    start: start + position, end: start + end, isConfirmed: flag == 1,
                    bytes: bytes[(position + headerLength)..<end]))
            position = end
        }
        return records
    }

    /// FNV-1a (Fowler, Noll, Vo).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
