extension Replay {
    /// Checks that the group has the index that an operation names.
    func check(
        _ index: Int, below limit: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        guard index < 0 || index >= limit else { return }
        throw .indexOutOfRange(
            position: position, group: groups[slot].name, index: index, count: groups[slot].rows.count)
    }

    /// Sets the key of a touched row, or checks that it is the one it has.
    mutating func name(
        _ touch: Int32, _ key: RowKey, _ index: Int, _ slot: Int, _ position: Int
    ) throws(LogMismatch) {
        if let known = self.key(of: touch), known != key {
            throw .wrongRow(position: position, group: groups[slot].name, index: index, named: key, found: known)
        }
        touches[Int(touch)].named(at: position)
    }

    /// Returns the key of the row; nil if only a dependency touched it.
    func key(of touch: Int32) -> RowKey? {
        let source = touches[Int(touch)].source
        return source < 0 ? nil : log[Int(source)].key
    }

    /// Returns the row with this key, if it was removed earlier and is to be inserted again.
    mutating func absentTouch(_ key: RowKey) -> Int32? {
        if let (touch, position) = lastRemoved, log[Int(position)].key == key {
            lastRemoved = nil
            return touch
        }
        return absent.isEmpty ? nil : absent.removeValue(forKey: key)
    }

    /// Moves the row that was removed last to the dictionary, because another one is removed now.
    mutating func rememberLastRemoved() {
        guard let (touch, position) = lastRemoved, let key = log[Int(position)].key else { return }
        // The rows of a large transaction are all removed before the first is inserted again.
        if absent.capacity == 0 { absent.reserveCapacity(log.count / 4) }
        absent[key] = touch
    }
}
