import FileEngine
import ListChanges

extension YapDatabaseViewTransaction {
    /// Returns the key of the row at a position of a group, or nil beyond its ends.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// let key = try view.rowKey(at: 0, inGroup: "sci-fi")
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0.
    ///   - group: the name of the group.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func rowKey(at index: Int, inGroup group: String) throws -> RowKey? {
        try row(at: index, inGroup: group)?.key
    }

    /// Returns group and position of a row, or nil if the row does not exist or is not in the view.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// if let (group, index) = try view.getGroupIndex(forKey: "dune", inCollection: "books") { print(group, index) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func getGroupIndex(forKey key: String, inCollection collection: String?) throws -> (String, Int)? {
        guard let rowid = try transaction.rowid(forKey: RowKey(collection: collection ?? "", key: key)),
            let place = try settledPages().place(ofRowid: rowid)
        else { return nil }
        return (place.group, place.index)
    }

    /// Returns the group of a row, or nil if the row does not exist or is not in the view.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// let group = try view.group(forKey: "dune", inCollection: "books")   // "sci-fi"
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func group(forKey key: String, inCollection collection: String?) throws -> String? {
        try getGroupIndex(forKey: key, inCollection: collection)?.0
    }

    // MARK: Content

    /// Returns the object of the row at a position of a group, or nil beyond its ends.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// let first = try view.object(at: 0, inGroup: "sci-fi") as? Book
    /// let last = try view.lastObject(inGroup: "sci-fi") as? Book
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0.
    ///   - group: the name of the group.
    /// - Throws: ``YapDatabaseError``, also if the row is there but its object cannot be decoded.
    public func object(at index: Int, inGroup group: String) throws -> Any? {
        try row(at: index, inGroup: group).map { try object(of: $0) }
    }

    /// Returns the metadata of the row at a position of a group, or nil beyond its ends and for a row without.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0.
    ///   - group: the name of the group.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func metadata(at index: Int, inGroup group: String) throws -> Any? {
        try row(at: index, inGroup: group).flatMap { try metadata(of: $0) }
    }

    /// Returns the object of the first row of a group, or nil if there is no such group.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// Example: `object(at:inGroup:)`.
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func firstObject(inGroup group: String) throws -> Any? { try object(at: 0, inGroup: group) }

    /// Returns the object of the last row of a group, or nil if there is no such group.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// Example: `object(at:inGroup:)`.
    ///
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func lastObject(inGroup group: String) throws -> Any? {
        try object(at: numberOfItems(inGroup: group) - 1, inGroup: group)
    }

    // MARK: Rows that were found before

    /// Returns the row at a position of a group, or nil beyond its ends.
    func row(at index: Int, inGroup group: String) throws -> ViewRow? {
        guard let rowid = try settledPages().rowid(at: index, inGroup: group) else { return nil }
        return ViewRow(rowid: rowid, key: try existingKey(ofRowid: rowid), group: group, index: index)
    }

    package func object(of row: ViewRow) throws -> Any { try transaction.object(forRowid: row.rowid, key: row.key) }

    /// - Parameter keeps: whether the value goes into the connection's cache.
    func value<Value: Decodable>(of type: Value.Type, at row: ViewRow, keeps: Bool) throws -> Value {
        try transaction.value(of: type, forRowid: row.rowid, key: row.key, keeps: keeps)
    }

    package func metadata(of row: ViewRow) throws -> Any? {
        try transaction.metadata(forRowid: row.rowid, key: row.key)
    }

    func existingKey(ofRowid rowid: Int64) throws -> RowKey {
        guard let key = try transaction.key(forRowid: rowid) else {
            throw YapDatabaseError.damagedView(name, "row \(rowid) does not exist")
        }
        return key
    }
}

/// A row of a view and its position in its group, valid as long as the transaction that found it writes nothing.
package struct ViewRow {
    let rowid: Int64
    package let key: RowKey
    package let group: String
    package let index: Int
}

extension YapDatabaseViewTransaction {
    /// Calls this view's blocks again for a row and reports its cell as updated.
    ///
    /// Unlike the transaction's own touch, this reaches no other extensions than the filtered views over this one. A row that
    /// is not in the view is ignored.
    ///
    /// ```swift
    /// // The cell shows a picture that has just been loaded.
    /// try view.touchRow(forKey: "dune", inCollection: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    /// - Precondition: the transaction is a read-write transaction.
    public func touchRow(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, [.object, .metadata])
    }

    /// Does what ``touchRow(forKey:inCollection:)`` does, as if only the object had changed.
    ///
    /// Example: ``touchRow(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touchObject(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, .object)
    }

    /// Does what ``touchRow(forKey:inCollection:)`` does, as if only the metadata had changed.
    ///
    /// Example: ``touchRow(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func touchMetadata(forKey key: String, inCollection collection: String?) throws {
        try touch(key, collection, .metadata)
    }

    private func touch(_ key: String, _ collection: String?, _ flags: ChangeFlags) throws {
        let transaction = readWriteTransaction("touch")
        let key = RowKey(collection: collection ?? "", key: key)
        try transaction.step {
            guard let rowid = try transaction.rowid(forKey: key), try settledPages().place(ofRowid: rowid) != nil else {
                return
            }
            try didTouch(
                ChangedRow(
                    rowid: rowid, key: key, flags: flags, isTouch: true, given: (nil, nil), size: 0,
                    transaction: transaction))
        }
    }
}

extension YapDatabaseViewTransaction {
    /// Returns the objects of a range of a group, nil for all, as values of the type with which their collection is declared. Those that
    /// cannot be decoded are left out.
    /// - Parameter keeps: whether the connection's cache is asked first, and keeps what is read.
    func values<Value: Decodable>(
        of type: Value.Type, from collection: String, inGroup group: String, range: Range<Int>?, keeps: Bool = true
    ) throws -> [Value] {
        let all = 0..<numberOfItems(inGroup: group)
        let range = range?.clamped(to: all) ?? all
        let caches = try transaction.caches
        let usesCache = keeps && caches.keepsObjects
        let format = usesCache ? nil : transaction.declaredFormat(of: type, collection)
        let reader = try RowBatchReader(transaction.store, isDerived: RowTable.isDerived(collection))
        var batch: [Int64] = []
        batch.reserveCapacity(RowBatchReader.limit)
        // Not by `append`: for a type that the compiler does not know, each call looks up the metadata of the array.
        return try [Value](unsafeUninitializedCapacity: range.count) { values, count in
            func add(_ value: Value) {
                (values.baseAddress! + count).initialize(to: value)
                count += 1
            }
            func readBatch() throws {
                try reader.begin(batch)
                for rowid in batch {
                    guard try reader.next() else {
                        throw YapDatabaseError.damagedView(name, "row \(rowid) does not exist")
                    }
                    do {
                        if usesCache {
                            add(try value(of: type, rowid, reader.key, reader.row, caches))
                        } else {
                            add(try value(of: type, at: reader, format, collection))
                        }
                    } catch {
                        try passOver(rowid, error)
                    }
                }
                batch.removeAll(keepingCapacity: true)
            }
            try settledPages().forEachRowid(inGroup: group, range: range, reversed: false) { _, rowid in
                // Without a cache of objects, a row's key spares nothing.
                if usesCache, let key = caches.key(forRowid: rowid), let object = caches.object(key) {
                    try readBatch()
                    do { add(try cast(object, "object", key)) } catch { try passOver(rowid, error) }
                } else {
                    batch.append(rowid)
                    if batch.count == RowBatchReader.limit { try readBatch() }
                }
                return true
            }
            try readBatch()
        }
    }

    /// Returns the objects of ranges of several groups, each as ``values(of:from:inGroup:range:keeps:)`` without the cache does.
    ///
    /// Many are read in the order in which they lie in the file: then each of its pages is read once, and neighbours are found without a search.
    func values<Value: Decodable>(
        of type: Value.Type, from collection: String, in ranges: [(group: String, range: Range<Int>)]
    ) throws -> [[Value]] {
        guard ranges.reduce(0, { $0 + $1.range.count }) >= Self.manyRows else {
            return try ranges.map {
                try values(of: type, from: collection, inGroup: $0.group, range: $0.range, keeps: false)
            }
        }
        var wanted: [(rowid: Int64, place: Int)] = []
        let ends = try ranges.map { group, range in
            try settledPages().forEachRowid(inGroup: group, range: range, reversed: false) { _, rowid in
                wanted.append((rowid, wanted.count))
                return true
            }
            return wanted.count
        }
        wanted.sort { $0.rowid < $1.rowid }
        let format = transaction.declaredFormat(of: type, collection)
        let reader = try RowBatchReader(transaction.store, isDerived: RowTable.isDerived(collection))
        var found = [Value?](repeating: nil, count: wanted.count)
        try found.withUnsafeMutableBufferPointer { found in
            for start in stride(from: 0, to: wanted.count, by: RowBatchReader.limit) {
                let batch = wanted[start..<min(start + RowBatchReader.limit, wanted.count)]
                try reader.begin(batch.map { $0.rowid })
                for (rowid, place) in batch {
                    guard try reader.next() else {
                        throw YapDatabaseError.damagedView(name, "row \(rowid) does not exist")
                    }
                    do {
                        found[place] = try value(of: type, at: reader, format, collection)
                    } catch {
                        try passOver(rowid, error)
                    }
                }
            }
        }
        return ends.indices.map { found[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]].compactMap(\.self) }
    }

    /// From this number of rows on it pays to sort them: the pages of fewer are in SQLite's cache when they are needed again.
    private static var manyRows: Int { 4_096 }

    /// The object of the row that a reader has reached, without the cache.
    /// - Parameter format: that of the values of the collection, if it is known.
    @inline(__always) private func value<Value: Decodable>(
        of type: Value.Type, at reader: RowBatchReader, _ format: YapDatabaseCodableFormat?, _ collection: String
    ) throws -> Value {
        if let format, reader.isRow(of: collection) {
            return try reader.row.withObject { try format.decode(type, $0, ofRow: { reader.key }) }
        }
        return try transaction.decodeObject(reader.row, reader.key, as: type)
    }

    /// The object of a row that was found, through the cache.
    private func value<Value: Decodable>(
        of type: Value.Type, _ rowid: Int64, _ key: RowKey, _ row: StoredRow, _ caches: RowCaches
    ) throws -> Value {
        if caches.key(forRowid: rowid) == nil {
            caches.setRowid(rowid, key)
            if let object = caches.object(key) { return try cast(object, "object", key) }
        }
        let value = try transaction.decodeObject(row, key, as: type)
        caches.setObject(value, key)
        return value
    }
}
