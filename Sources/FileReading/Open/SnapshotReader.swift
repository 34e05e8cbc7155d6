import FileEngine

/// One of the two connections that read a state of a file.
struct SnapshotReader {
    /// Nil once the file is closed.
    var store: Store?
    /// Whether a transaction holds the state.
    private var isHeld = true

    /// - Parameter store: in a transaction on the state.
    init(_ store: sending Store) { self.store = store }

    /// Begins a transaction on the state. Returns false if it is no longer the newest one.
    mutating func begin(at change: UInt32) -> Bool {
        guard !isHeld, let store else { return isHeld }
        if (try? FileSnapshot.beginLocked(store))?.change == change {
            isHeld = true
        } else {
            leave(store)
        }
        return isHeld
    }

    /// Ends the transaction on the state. Statements during their run would keep it open, so they are reset.
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
