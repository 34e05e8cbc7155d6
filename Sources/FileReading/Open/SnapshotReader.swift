import FileEngine

/// One of the two connections by which a state of a file is read.
struct SnapshotReader {
    /// Nil once the file has been let go of.
    var store: Store?
    /// Whether a transaction holds the state.
    private var isHeld = true

    /// - Parameter store: in a transaction on the state.
    init(_ store: sending Store) { self.store = store }

    /// Has a transaction hold the state, if it is still the newest one.
    mutating func begin(at change: UInt32) -> Bool {
        guard !isHeld, let store else { return isHeld }
        if (try? FileSnapshot.beginLocked(store))?.change == change {
            isHeld = true
        } else {
            leave(store)
        }
        return isHeld
    }

    /// Holds the state no longer. A statement in the middle of its run would go on holding it, so it ends.
    mutating func end() {
        guard isHeld, let store else { return }
        isHeld = false
        leave(store)
    }

    private mutating func leave(_ store: Store) {
        store.handle.endRunningStatements()
        // A connection that cannot end its transaction must not keep it.
        do { try store.rollback() } catch { self.store = nil }
    }
}
