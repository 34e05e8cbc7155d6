import ListChanges

// Look-ups by position on screen. They throw `.mismatchedMappings` when the mappings are not on the transaction's snapshot.
extension YapDatabaseViewTransaction {
    /// Returns the key of the row at a position on screen, or nil if there is none.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// let key = try view.rowKey(at: RowPath(section: 0, row: 0), with: mappings)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the section and the row, both counted from 0.
    ///   - mappings: mappings of this view, on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError`` with code `mismatchedMappings` if the mappings are on another snapshot than the transaction;
    ///   `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func rowKey(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> RowKey? {
        try row(at: path, with: mappings)?.key
    }

    /// Returns the object of the row at a position on screen, or nil if there is no row.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// let book = try view.object(at: RowPath(section: 0, row: 0), with: mappings) as? Book
    /// ```
    ///
    /// - Parameters:
    ///   - path: the section and the row, both counted from 0.
    ///   - mappings: mappings of this view, on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError``, also if the row is there but its object cannot be decoded.
    public func object(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try row(at: path, with: mappings).map { try object(of: $0) }
    }

    /// Returns the metadata of the row at a position on screen, or nil if there is no row or no metadata.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// let date = try view.metadata(at: RowPath(section: 0, row: 0), with: mappings) as? Date
    /// ```
    ///
    /// - Parameters:
    ///   - path: the section and the row, both counted from 0.
    ///   - mappings: mappings of this view, on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError`` with code `mismatchedMappings` if the mappings are on another snapshot than the transaction;
    ///   `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func metadata(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Any? {
        try row(at: path, with: mappings).flatMap { try metadata(of: $0) }
    }

    /// Returns a row's position on screen, or nil if it is not in the view or not in a range.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// if let path = try view.path(of: RowKey(collection: "books", key: "dune"), with: mappings) { print(path.section, path.row) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the collection and the key of the row.
    ///   - mappings: mappings of this view, on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError`` with code `mismatchedMappings` if the mappings are on another snapshot than the transaction;
    ///   `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func path(of key: RowKey, with mappings: YapDatabaseViewMappings) throws -> RowPath? {
        try requireSameSnapshot(mappings)
        return try getGroupIndex(forKey: key.key, inCollection: key.collection).flatMap { group, index in
            mappings.value.path(forIndex: index, inGroup: group)
        }
    }

    /// Resolves a position on screen to its row, for any number of reads of the row in this transaction.
    package func row(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> ViewRow? {
        try requireSameSnapshot(mappings)
        return try mappings.value.groupAndIndex(at: path).flatMap { try row(at: $0.index, inGroup: $0.group) }
    }

    /// Returns the keys of rows of a section on screen, without those beyond its end. O(log n + rows)
    package func keys(
        of rows: Range<Int>, inSection section: Int, with mappings: YapDatabaseViewMappings
    ) throws -> [RowKey] {
        try requireSameSnapshot(mappings)
        let (value, shown) = (mappings.value, rows.clamped(to: 0..<mappings.numberOfItems(inSection: section)))
        guard let first = shown.first, let last = shown.last,
            let start = value.groupAndIndex(at: RowPath(section: section, row: first)),
            let end = value.groupAndIndex(at: RowPath(section: section, row: last))
        else { return [] }
        let indexes = min(start.index, end.index)..<max(start.index, end.index) + 1
        guard start.group.hasSameBytes(as: end.group), indexes.count == shown.count else {
            // The section has rows of several groups.
            return try shown.compactMap { try rowKey(at: RowPath(section: section, row: $0), with: mappings) }
        }
        var keys: [RowKey] = []
        keys.reserveCapacity(shown.count)
        let caches = try transaction.caches
        try settledPages().forEachRowid(inGroup: start.group, range: indexes, reversed: end.index < start.index) {
            _, rowid in
            keys.append(try caches.key(forRowid: rowid) ?? existingKey(ofRowid: rowid))
            return true
        }
        return keys
    }

    private func requireSameSnapshot(_ mappings: YapDatabaseViewMappings) throws {
        guard mappings.versionOfLastUpdate != transaction.snapshot.version else { return }
        throw YapDatabaseError(
            .mismatchedMappings,
            """
            The mappings of "\(name)" are on snapshot \(mappings.snapshotOfLastUpdate.map { "\($0)" } ?? "none"), the \
            transaction on \(transaction.snapshot.number). After each jump of their connection, advance them with \
            outcome(for:with:), or call update(with:) and reload the list.
            """)
    }
}
