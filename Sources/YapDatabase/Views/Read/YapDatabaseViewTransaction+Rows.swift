import ListChanges

extension YapDatabaseViewTransaction {
    /// Returns the key of the row at a position of a group, or nil beyond its ends.
    public func rowKey(at index: Int, inGroup group: String) throws -> RowKey? {
        try row(at: index, inGroup: group)?.key
    }

    /// Returns group and position of a row, or nil if the row does not exist or is not in the view.
    public func getGroupIndex(forKey key: String, inCollection collection: String?) throws -> (String, Int)? {
        guard let rowid = try transaction.rowid(forKey: RowKey(collection: collection ?? "", key: key)),
            let place = try pages.place(ofRowid: rowid)
        else { return nil }
        return (place.group, place.index)
    }

    /// Returns the group of a row, or nil if the row does not exist or is not in the view.
    public func group(forKey key: String, inCollection collection: String?) throws -> String? {
        try getGroupIndex(forKey: key, inCollection: collection)?.0
    }

    // MARK: Content

    /// Returns the object of the row at a position of a group, or nil beyond its ends.
    ///
    /// - Throws: ``YapDatabaseError``, also if the row is there but its object cannot be decoded.
    public func object(at index: Int, inGroup group: String) throws -> Any? {
        try row(at: index, inGroup: group).map { try object(of: $0) }
    }

    /// Returns the metadata of the row at a position of a group, or nil beyond its ends and for a row without.
    public func metadata(at index: Int, inGroup group: String) throws -> Any? {
        try row(at: index, inGroup: group).flatMap { try metadata(of: $0) }
    }

    /// Returns the object of the first row of a group, or nil if there is no such group.
    public func firstObject(inGroup group: String) throws -> Any? { try object(at: 0, inGroup: group) }

    /// Returns the object of the last row of a group, or nil if there is no such group.
    public func lastObject(inGroup group: String) throws -> Any? {
        try object(at: numberOfItems(inGroup: group) - 1, inGroup: group)
    }

    // MARK: Rows that were found before

    /// Returns the row at a position of a group, or nil beyond its ends.
    func row(at index: Int, inGroup group: String) throws -> ViewRow? {
        guard let rowid = try pages.rowid(at: index, inGroup: group) else { return nil }
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
