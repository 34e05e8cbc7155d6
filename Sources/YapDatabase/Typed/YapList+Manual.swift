import ListChanges

extension YapList {
    /// A list whose rows, groups and order the program decides, call by call: a playlist, favourites, an order that people drag.
    ///
    /// ```swift
    /// let playlist = YapList.manual("playlist", of: songs)
    /// try database.register(playlist)
    /// try connection.readWrite { transaction in
    ///     try transaction[playlist].append(8)
    ///     try transaction[playlist].insert(7, at: 0)
    /// }
    /// ```
    ///
    /// It is a ``YapDatabaseManualView``. A row that is removed from its collection leaves the list.
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose rows may be in the list.
    ///   - versionTag: another one than in the file empties the list when it is registered.
    public static func manual(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>, versionTag: String = "1"
    ) -> YapList {
        YapList(name, collection, .manual, isGroupBefore: String.isGroup, versionTag: versionTag)
    }
}

extension YapListRows {
    /// Appends a row to a group of a manual list.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try transaction[playlist].append(7, to: "evening")
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - group: the group, which comes to be with its first row; left out for a list that is not grouped.
    /// - Returns: false if there is no such row, or if it is in the list already.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull`, `inputOutput` or `interrupted`; the transaction is lost then.
    /// - Precondition: the list is manual, and the transaction is a read-write transaction.
    @discardableResult
    public func append(_ key: Key, to group: String = YapList<Value, Key, Metadata>.onlyGroup) throws -> Bool {
        try insert(key, at: view.numberOfItems(inGroup: group), in: group)
    }

    /// Inserts a row at a position of a group of a manual list.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try transaction[playlist].insert(7, at: 0)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - index: the position in the group, counted from 0.
    ///   - group: the group, which comes to be with its first row; left out for a list that is not grouped.
    /// - Returns: false if there is no such row, if it is in the list already, or if the group is shorter than the position.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull`, `inputOutput` or `interrupted`; the transaction is lost then.
    /// - Precondition: the list is manual, and the transaction is a read-write transaction.
    @discardableResult
    public func insert(
        _ key: Key, at index: Int, in group: String = YapList<Value, Key, Metadata>.onlyGroup
    ) throws -> Bool {
        let row = list.collection.rowKey(key)
        return try manual("insert").insertKey(row.key, inCollection: row.collection, at: index, inGroup: group)
    }

    /// Moves a row of a manual list, also to another group.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try transaction[playlist].move(7, to: 3)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - index: its position afterwards, counted from 0.
    ///   - group: the group, which comes to be with its first row; left out for a list that is not grouped.
    /// - Returns: false, and nothing has changed, if the row is not in the list, or if the group would be shorter than the position.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull`, `inputOutput` or `interrupted`; the transaction is lost then.
    /// - Precondition: the list is manual, and the transaction is a read-write transaction.
    @discardableResult
    public func move(
        _ key: Key, to index: Int, in group: String = YapList<Value, Key, Metadata>.onlyGroup
    ) throws -> Bool {
        let (manual, row) = (manual("move"), list.collection.rowKey(key))
        guard let place = try place(of: row) else { return false }
        let others = count(in: group) - (place.group.hasSameBytes(as: group) ? 1 : 0)
        guard 0...others ~= index else { return false }
        if place.group.hasSameBytes(as: group), place.index == index { return true }
        return try manual.removeKey(row.key, inCollection: row.collection, fromGroup: place.group)
            && manual.insertKey(row.key, inCollection: row.collection, at: index, inGroup: group)
    }

    /// Removes a row from a manual list. It stays in its collection.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try transaction[playlist].remove(7)
    /// try transaction[playlist].removeAll(in: "evening")
    /// ```
    ///
    /// - Returns: false if it is not in the list.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull`, `inputOutput` or `interrupted`; the transaction is lost then.
    /// - Precondition: the list is manual, and the transaction is a read-write transaction.
    @discardableResult
    public func remove(_ key: Key) throws -> Bool {
        let (manual, row) = (manual("remove"), list.collection.rowKey(key))
        guard let place = try place(of: row) else { return false }
        return try manual.removeKey(row.key, inCollection: row.collection, fromGroup: place.group)
    }

    /// Removes all rows of a group from a manual list. They stay in their collection. O(rows of the group).
    ///
    /// Example: ``remove(_:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull`, `inputOutput` or `interrupted`; the transaction is lost then.
    /// - Precondition: the list is manual, and the transaction is a read-write transaction.
    public func removeAll(in group: String = YapList<Value, Key, Metadata>.onlyGroup) throws {
        try manual("removeAll").removeAllItems(inGroup: group)
    }

    private func place(of row: RowKey) throws -> (group: String, index: Int)? {
        try view.getGroupIndex(forKey: row.key, inCollection: row.collection)
    }

    private func manual(_ caller: String) -> YapDatabaseManualViewTransaction {
        guard let manual = view as? YapDatabaseManualViewTransaction else {
            fatalError("\(caller): the list \"\(list.name)\" places its rows itself. Declare it with `YapList.manual`.")
        }
        return manual
    }
}
