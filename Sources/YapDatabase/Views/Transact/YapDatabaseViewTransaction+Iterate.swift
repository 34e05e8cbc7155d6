import ListChanges

extension YapDatabaseViewTransaction {
    /// Calls `body` for the keys of a group, or of a range of its positions, in order until it sets `stop`.
    ///
    /// O(log n) to begin, then one key look-up a row. The group must not be changed meanwhile.
    ///
    /// ```swift
    /// try view.iterateKeys(inGroup: "sci-fi", range: 0..<10) { collection, key, index, stop in print(index, key) }
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - reversed: whether the last row comes first.
    ///   - range: the positions to visit; nil for all. Those beyond the end of the group are ignored.
    ///   - block: called for each row in order, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func iterateKeys(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        using block: (_ collection: String, _ key: String, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { _, key, index, stop in
            try block(key.collection, key.key, index, &stop)
        }
    }

    /// Calls `block` for keys and objects of a group, or of a range of its positions, in order until it sets `stop`.
    ///
    /// O(log n) to begin, then a look-up and, for an object that is not cached, decoding for each row. The closures run on the thread of
    /// the transaction.
    ///
    /// ```swift
    /// try view.iterateKeysAndObjects(inGroup: "sci-fi", reversed: true) { collection, key, object, index, stop in
    ///     print(index, (object as? Book)?.title ?? "")
    ///     stop = index == 10
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - reversed: whether the last row comes first.
    ///   - range: the positions to visit; nil for all. Those beyond the end of the group are ignored.
    ///   - filter: chooses rows by their keys. The rows that it leaves out are not decoded.
    ///   - block: called for each row in order, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndObjects(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (_ collection: String, _ key: String, _ object: Any, _ index: Int, _ stop: inout Bool) throws ->
            Void
    ) throws {
        let all = 0..<numberOfItems(inGroup: group)
        let caches = try transaction.caches
        let reader = try RowReader(transaction.store)
        try settledPages().forEachRowid(inGroup: group, range: range?.clamped(to: all) ?? all, reversed: reversed) {
            index, rowid in
            let known = caches.key(forRowid: rowid)
            if let known, try !filter(known.collection, known.key) { return true }
            var object = known.flatMap(caches.object)
            var key = known
            if object == nil {
                let exists = try reader.row(rowid) { found, row in
                    key = found
                    guard try known != nil || filter(found.collection, found.key) else { return }
                    object = known == nil ? caches.object(found) : nil
                    if object != nil { return }
                    let decoded = try transaction.decodeObject(row, found)
                    caches.setObject(decoded, found)
                    object = decoded
                }
                guard exists else { throw YapDatabaseError.damagedView(name, "row \(rowid) does not exist") }
                if known == nil, let key { caches.setRowid(rowid, key) }
            }
            var stop = false
            if let key, let object { try block(key.collection, key.key, object, index, &stop) }
            return !stop
        }
    }

    /// Calls `body` for keys and metadata of a group, or of a range of its positions, in order until it sets `stop`.
    /// Only rows that pass `filter` are decoded.
    ///
    /// O(log n) to begin, then a look-up and, for metadata that are not cached, a query and decoding for each row.
    ///
    /// ```swift
    /// try view.iterateKeysAndMetadata(inGroup: "sci-fi") { collection, key, metadata, index, stop in print(key, metadata ?? "none") }
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - reversed: whether the last row comes first.
    ///   - range: the positions to visit; nil for all. Those beyond the end of the group are ignored.
    ///   - filter: chooses rows by their keys, on the same thread. Rows for which it returns false are not decoded.
    ///   - block: called for each row in order, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndMetadata(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ index: Int, _ stop: inout Bool) throws ->
            Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let metadata = try transaction.metadata(forRowid: rowid, key: key)
            try block(key.collection, key.key, metadata, index, &stop)
        }
    }

    /// Calls `body` for keys, objects and metadata of a group, or of a range of its positions, in order until it sets
    /// `stop`. Only rows that pass `filter` are decoded.
    ///
    /// O(log n) to begin, then a look-up and, for values that are not cached, a query and decoding for each row.
    ///
    /// ```swift
    /// try view.iterateRows(inGroup: "sci-fi") { collection, key, object, metadata, index, stop in print(key, object, metadata ?? "none") }
    /// ```
    ///
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - reversed: whether the last row comes first.
    ///   - range: the positions to visit; nil for all. Those beyond the end of the group are ignored.
    ///   - filter: chooses rows by their keys, on the same thread. Rows for which it returns false are not decoded.
    ///   - block: called for each row in order, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateRows(
        inGroup group: String, reversed: Bool = false, range: Range<Int>? = nil,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ index: Int, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try iterate(group, reversed, range) { rowid, key, index, stop in
            guard try filter(key.collection, key.key) else { return }
            let object = try transaction.object(forRowid: rowid, key: key)
            let metadata = try transaction.metadata(forRowid: rowid, key: key)
            try block(key.collection, key.key, object, metadata, index, &stop)
        }
    }

    func iterate(
        _ group: String, _ reversed: Bool, _ range: Range<Int>?,
        _ body: (_ rowid: Int64, _ key: RowKey, _ index: Int, _ stop: inout Bool) throws -> Void
    ) throws {
        let all = 0..<numberOfItems(inGroup: group)
        try settledPages().forEachRowid(inGroup: group, range: range?.clamped(to: all) ?? all, reversed: reversed) {
            index, rowid in
            var stop = false
            try body(rowid, existingKey(ofRowid: rowid), index, &stop)
            return !stop
        }
    }
}

extension YapDatabaseViewTransaction {
    /// Returns the number of groups. A group has at least one row. O(1), and after changes of the same transaction O(pages that it changed).
    public func numberOfGroups() -> Int { settledPages().state.groups.count - settledPages().emptyGroups }

    /// Returns the names of all groups in ascending order. O(groups).
    public func allGroups() -> [String] {
        var groups: [String] = []
        enumerateGroups { group, _ in groups.append(group) }
        return groups
    }

    /// Calls the body with each group and the number of its rows, in ascending order.
    func forEachGroup(_ body: (_ group: String, _ count: Int) -> Void) {
        settledPages().state.groups.forEachWeight { group, count in if count > 0 { body(group, count) } }
    }

    /// Returns whether there is a group of this name. O(log groups).
    ///
    /// ```swift
    /// print(view.hasGroup("sci-fi"), view.isEmptyGroup("romance"))   // true true
    /// ```
    public func hasGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) > 0 }

    /// Returns the number of rows of a group, 0 if the group does not exist.
    ///
    /// O(log groups).
    ///
    /// ```swift
    /// print(view.numberOfItems(inGroup: "sci-fi"), view.numberOfItemsInAllGroups())
    /// ```
    public func numberOfItems(inGroup group: String) -> Int { settledPages().count(inGroup: group) }

    /// Returns the number of rows of the view. O(1).
    public func numberOfItemsInAllGroups() -> Int { settledPages().state.groups.weight }

    /// Returns whether the group has no row, as one that does not exist. O(log groups).
    ///
    /// Example: ``hasGroup(_:)``.
    public func isEmptyGroup(_ group: String) -> Bool { numberOfItems(inGroup: group) == 0 }

    /// Returns whether the view has no row. O(1).
    public func isEmpty() -> Bool { numberOfItemsInAllGroups() == 0 }

    /// Calls `body` for the names of the groups in ascending order until it sets `stop`.
    ///
    /// O(groups).
    ///
    /// ```swift
    /// view.enumerateGroups { group, stop in print(group, view.numberOfItems(inGroup: group)) }
    /// ```
    ///
    /// - Parameter body: called on the calling thread; sets `stop` to end.
    /// - Throws: what the closure throws.
    public func enumerateGroups(_ body: (_ group: String, _ stop: inout Bool) throws -> Void) rethrows {
        try settledPages().state.groups.forEach { group, list in
            guard list.weight > 0 else { return true }
            var stop = false
            try body(group, &stop)
            return !stop
        }
    }
}
