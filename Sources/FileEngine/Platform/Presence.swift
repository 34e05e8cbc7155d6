import Foundation

/// Shows which processes have a database open: each holds a shared lock on one byte of the file. Two more bytes are a *window*: a
/// time in which one process keeps all others from committing, so that their readers may begin again on the same state. A fourth is held while
/// a checkpoint is made.
///
/// The bytes lie far beyond the end of any database and apart from those that SQLite locks. They are never read or written.
final class Presence: Sendable {
    let descriptor: Int32
    /// False if the file system does not support such locks.
    let isLocked: Bool

    private enum Part: off_t {
        case present = 0
        /// Locked by the process that holds the window open.
        case window = 1
        /// Shared by the processes that use the window. The window's owner locks it before the window ends.
        case passing = 2
        /// Locked by the process that makes a checkpoint.
        case checkpoint = 3
    }

    /// - Throws: ``YapDatabaseError`` when the file cannot be opened.
    init(path: String) throws {
        descriptor = Self.open(path)
        guard descriptor >= 0 else {
            let code = errno
            throw SystemLimit.error(opening: path, code)
                ?? YapDatabaseError(
                    .cannotOpen, "\(path) cannot be opened. Check that it exists and that you may read it.",
                    underlying: POSIXError(.init(rawValue: code) ?? .EIO))
        }
        isLocked = Self.lock(descriptor, at: Part.present.rawValue).set(.shared)
    }

    /// Opens the file for writing if that is possible: otherwise this process cannot open a window.
    private static func open(_ path: String) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    }

    /// Closing a file releases all locks of the process on it, including SQLite's, so every handle must be closed first.
    deinit {
        // A child process that was started a moment ago shares the open file, and would hold the lock until it runs its program.
        _ = set(.none, .present)
        close(descriptor)
    }

    /// The status of the open file.
    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether another process has the database open; true if that is unknown. Costs one system call.
    var hasOthers: Bool { !isLocked || isHeldByOthers(.present) != false }

    /// Whether another process holds the lock on a part; nil if the file system cannot say it.
    private func isHeldByOthers(_ part: Part) -> Bool? { lock(at: part.rawValue).held.map { !$0.isEmpty } }

    private func set(_ kind: OpenFileLock.Kind, _ part: Part) -> Bool { lock(at: part.rawValue).set(kind) }

    private static let firstPlace: off_t = 1 << 61

    private func lock(at place: off_t, length: off_t = 1) -> OpenFileLock {
        Self.lock(descriptor, at: place, length: length)
    }

    private static func lock(_ descriptor: Int32, at place: off_t, length: off_t = 1) -> OpenFileLock {
        OpenFileLock(descriptor, at: firstPlace + place..<firstPlace + place + length)
    }
}

// MARK: The extensions that a process uses

extension Presence {
    /// Shows that this process uses an extension, or no longer does. The sign is a shared lock on a byte that follows from the extension's name; it
    /// ends with the process.
    func setUse(_ isUsed: Bool, ofExtension name: String) {
        _ = lock(at: Self.place(ofExtension: name)).set(isUsed ? .shared : .none)
    }

    /// Whether another running process uses an extension. False if the file system cannot say it.
    func isUsedByOthers(extension name: String) -> Bool {
        isLocked && lock(at: Self.place(ofExtension: name)).held?.isEmpty == false
    }

    /// Returns the byte of a name, the same in all processes. Names that differ only in the case of ASCII letters share their tables, so they also
    /// share the byte.
    private static func place(ofExtension name: String) -> off_t {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 {
            hash = (hash ^ UInt64(0x41...0x5a ~= byte ? byte | 0x20 : byte)) &* 0x100_0000_01b3
        }
        let firstPlace: off_t = 1_024
        return firstPlace + off_t(hash >> 16)
    }
}

// MARK: Checkpoints

extension Presence {
    /// Begins a checkpoint, so that no two processes copy the same pages, and find each other's locks taken.
    /// - Returns: false if another process makes one. True if the file system cannot say it: SQLite's own locks keep them apart.
    func beginCheckpoint() -> Bool { !isLocked || set(.exclusive, .checkpoint) }

    func endCheckpoint() { _ = set(.none, .checkpoint) }
}

// MARK: The window

extension Presence {
    /// How often the owner tries to end the window, 1 ms apart, while other processes are in it. A process that was stopped inside the window for
    /// longer finds another state when it continues, and reports that.
    private static let attemptLimit = 1_000

    /// - Returns: false if another process has one open, or the file system has no such locks.
    func openWindow() -> Bool { isLocked && set(.exclusive, .window) }

    /// Ends the window. Waits until the other processes have left it.
    func closeWindow() {
        for _ in 0..<Self.attemptLimit where !set(.exclusive, .passing) { usleep(1_000) }
        _ = set(.none, .window)
        _ = set(.none, .passing)
    }

    /// Whether another process holds the window open.
    var isWindowOpen: Bool { isLocked && isHeldByOthers(.window) == true }

    /// Runs the body inside the window of another process: no process commits meanwhile.
    /// - Returns: nil if there is no window.
    func inWindow<Value>(_ body: () -> Value) -> Value? {
        guard isLocked, set(.shared, .passing) else { return nil }
        defer { _ = set(.none, .passing) }
        return isWindowOpen ? body() : nil
    }
}

/// A row of chairs, in which processes wait for their turns to write (``WriterLine``). A process holds its chair by a lock on one byte. A new
/// process takes the chair behind the last process that waits, and moves up when the chair in front is free. A lock ends with its process, so no
/// chair stays taken by a process that has ended.
extension Presence {
    /// The number of chairs. If all are taken, further processes try to write like the process at the front.
    static let chairs = 64
    private static let firstChair: off_t = 16

    /// Whether another process sits on one of the chairs. One system call.
    var hasWaiting: Bool { isLocked && chairTaken(from: 0) != nil }

    /// Takes the chair behind the last process that waits. O(n) system calls for n processes that wait.
    /// - Returns: the chair, counted from the front; nil if there is none, or the file system has no such locks.
    func sitDown() -> Int? {
        guard isLocked else { return nil }
        var chair = 0
        // Each call finds a chair further behind.
        while chair < Self.chairs, let taken = chairTaken(from: chair) { chair = taken + 1 }
        // Another process may sit down at the same time.
        while chair < Self.chairs {
            if setChair(chair, .exclusive) { return chair }
            chair += 1
        }
        return nil
    }

    /// Moves up by a chair.
    /// - Returns: false if it is taken.
    func moveUp(from chair: Int) -> Bool {
        guard chair > 0, setChair(chair - 1, .exclusive) else { return false }
        standUp(from: chair)
        return true
    }

    func standUp(from chair: Int) { _ = setChair(chair, .none) }

    private func setChair(_ chair: Int, _ kind: OpenFileLock.Kind) -> Bool {
        lock(at: Self.firstChair + off_t(chair)).set(kind)
    }

    /// Returns a chair on which another process sits, from the given one on; not always the first.
    private func chairTaken(from chair: Int) -> Int? {
        let lock = lock(at: Self.firstChair + off_t(chair), length: off_t(Self.chairs - chair))
        guard let held = lock.held, let last = held.last else { return nil }
        // A process that moves up holds two chairs for a moment.
        return max(chair, Int(last - Self.firstPlace - Self.firstChair))
    }
}
