import FileEngine
import ListChanges

extension YapDatabaseViewTransaction {
    /// Returns the objects of a range of a group, nil for all, as values of the type with which their collection is declared. Those that
    /// cannot be decoded are left out.
    func values<Value: Decodable>(
        of type: Value.Type, from collection: String, inGroup group: String, range: Range<Int>?
    ) throws -> [Value] {
        let all = 0..<numberOfItems(inGroup: group)
        let range = range?.clamped(to: all) ?? all
        let caches = try transaction.caches
        let format = caches.keepsObjects ? nil : transaction.declaredFormat(of: type, collection)
        let reader = try RowBatchReader(transaction.store)
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
                        if let format, reader.isRow(of: collection) {
                            add(try reader.row.withObject { try format.decode(type, $0, ofRow: { reader.key }) })
                        } else {
                            add(try value(of: type, rowid, reader.key, reader.row, caches))
                        }
                    } catch {
                        try passOver(rowid, error)
                    }
                }
                batch.removeAll(keepingCapacity: true)
            }
            try pages.forEachRowid(inGroup: group, range: range, reversed: false) { _, rowid in
                // Without a cache of objects, a row's key spares nothing.
                if caches.keepsObjects, let key = caches.key(forRowid: rowid), let object = caches.object(key) {
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

    /// The object of a row that was found, through the caches.
    private func value<Value: Decodable>(
        of type: Value.Type, _ rowid: Int64, _ key: RowKey, _ row: StoredRow, _ caches: RowCaches
    ) throws -> Value {
        guard caches.keepsObjects else { return try transaction.decodeObject(row, key, as: type) }
        if caches.key(forRowid: rowid) == nil {
            caches.setRowid(rowid, key)
            if let object = caches.object(key) { return try cast(object, "object", key) }
        }
        let value = try transaction.decodeObject(row, key, as: type)
        caches.setObject(value, key)
        return value
    }
}
