import Foundation

/// A row of chairs, in which processes wait for their turns to write (``WriterLine``): a locked byte each. A process that comes sits down behind
/// the last, and moves up when the chair in front is free. A lock ends with its process, so a chair is never kept by one that is gone.
extension Presence {
    /// More processes that wait find no chair, and try as those do who wait at the front.
    static let chairs = 64
    private static let firstChair: off_t = 16

    /// Whether another process sits on one of the chairs. One system call.
    var hasWaiting: Bool { isLocked && chairTaken(from: 0) != nil }

    /// Sits down behind the last who waits. O(who waits) system calls.
    /// - Returns: the chair, counted from the front; nil if there is none, or the file system has no such locks.
    func sitDown() -> Int? {
        guard isLocked else { return nil }
        var chair = 0
        // Each finds one further behind.
        while chair < Self.chairs, let taken = chairTaken(from: chair) { chair = taken + 1 }
        // Another process may sit down at the same time.
        while chair < Self.chairs {
            if setChair(chair, F_WRLCK) { return chair }
            chair += 1
        }
        return nil
    }

    /// Moves up by a chair.
    /// - Returns: false if it is taken.
    func moveUp(from chair: Int) -> Bool {
        guard chair > 0, setChair(chair - 1, F_WRLCK) else { return false }
        standUp(from: chair)
        return true
    }

    func standUp(from chair: Int) { _ = setChair(chair, F_UNLCK) }

    private func setChair(_ chair: Int, _ kind: some BinaryInteger) -> Bool {
        var lock = Self.lock(kind, at: Self.firstChair + off_t(chair))
        return fcntl(descriptor, F_OFD_SETLK, &lock) == 0
    }

    /// Returns a chair on which another process sits, from the given one on; not always the first.
    private func chairTaken(from chair: Int) -> Int? {
        var lock = Self.lock(F_WRLCK, at: Self.firstChair + off_t(chair), length: off_t(Self.chairs - chair))
        guard fcntl(descriptor, F_OFD_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        // One that moves up holds two.
        let last = Int(lock.l_start + lock.l_len - 1 - Self.firstPlace - Self.firstChair)
        return max(chair, last)
    }
}
