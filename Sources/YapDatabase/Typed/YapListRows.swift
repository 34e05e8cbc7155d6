import ListChanges

/// One transaction's access to a ``YapList``: `transaction[order]`. Valid as long as the transaction.
///
/// Counts cost O(log groups) and read nothing; finding a row O(log n). A position beyond the ends of a group gives nil.
public struct YapListRows<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    /// The declaration of the list.
    public let list: YapList<Value, Key, Metadata>
    /// The same access without types.
    public let view: YapDatabaseViewTransaction

    /// The names of the groups that have rows, in the order of the sections.
    public var groups: [String] { view.allGroups().sorted(by: list.isGroupBefore) }
    /// The number of rows in all groups.
    public var count: Int { view.numberOfItemsInAllGroups() }

    /// The number of rows of a group.
    ///
    /// ```swift
    /// for group in try transaction[order].groups { print(group, try transaction[order].count(in: group)) }
    /// ```
    public func count(in group: String) -> Int { view.numberOfItems(inGroup: group) }

    /// Returns the value at a position of a group.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// let first = try transaction[order].value(at: 0, in: "sci-fi")
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0. Nil is returned beyond its ends.
    ///   - group: the group; left out for a list that is not grouped.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a grouped list has rows and no group is named; `decodingFailed` if the value
    ///   cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func value(at index: Int, in group: String? = nil) throws -> Value? {
        try view.row(at: index, inGroup: groupToRead(group)).map { try value(of: $0) }
    }

    /// Returns the key at a position of a group, without reading the value.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// let key = try transaction[order].key(at: 0, in: "sci-fi")   // "dune"
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0. Nil is returned beyond its ends.
    ///   - group: the group; left out for a list that is not grouped.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a grouped list has rows and no group is named; `decodingFailed` if the text is no
    ///   key of the collection's type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func key(at index: Int, in group: String? = nil) throws -> Key? {
        try view.rowKey(at: index, inGroup: groupToRead(group)).map { try list.collection.key(of: $0) }
    }

    /// Returns key, value and metadata.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// if let row = try transaction[order].row(at: 0, in: "sci-fi") { print(row.key, row.value.title) }
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0. Nil is returned beyond its ends.
    ///   - group: the group; left out for a list that is not grouped.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a grouped list has rows and no group is named; `decodingFailed` if a value or the
    ///   key cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func row(
        at index: Int, in group: String? = nil
    ) throws -> YapRow<Value, Key, Metadata>? {
        guard let row = try view.row(at: index, inGroup: groupToRead(group)) else { return nil }
        var metadata: Metadata?
        if Metadata.self != Never.self, let stored = try view.metadata(of: row) {
            metadata = try cast(stored, "metadata", row.key)
        }
        return YapRow(key: try list.collection.key(of: row.key), value: try value(of: row), metadata: metadata)
    }

    /// The rows of the collection that are not in the list, because they cannot be decoded: see
    /// ``YapDatabaseExtensionTransaction/problems``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public var problems: [YapDatabaseUndecodableRow] {
        get throws { try view.problems }
    }

    /// Returns the values of a group in their order; only those of the range, if there is one. A value that cannot be decoded, which another
    /// program put into the list, is left out and reported.
    ///
    /// O(log n), and reading and decoding each value that is not cached.
    ///
    /// ```swift
    /// let firstTen = try transaction[order].values(in: "sci-fi", 0..<10)
    /// ```
    ///
    /// - Parameters:
    ///   - group: the group; left out for a list that is not grouped.
    ///   - range: the positions to read; nil for all. Those beyond the end are ignored.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if a grouped list has rows and no group is named; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read; `decodingFailed` if a value cannot be decoded and ``YapDatabaseOptions/undecodableRows`` is
    ///   `.fail`.
    public func values(
        in group: String? = nil, _ range: Range<Int>? = nil
    ) throws -> [Value] {
        try view.values(
            of: Value.self, from: list.collection.name, inGroup: groupToRead(group), range: range)
    }

    /// The group that is meant where a caller names none, which must not look like an empty list: the rows of a grouped one are in others.
    func groupToRead(_ group: String?) throws -> String {
        if let group { return group }
        let only = YapList<Value, Key, Metadata>.onlyGroup
        if list.source.isManual || count(in: only) > 0 || count == 0 { return only }
        let groups = groups
        throw YapDatabaseError(
            .badQuery,
            "The list \"\(list.name)\" is grouped, so the group has to be named: `in: \(groups[0].debugDescription)`. It has \(groups.count) now, "
                + "which `groups` names.")
    }

    /// Returns the group and the position of a row; nil if it is not in the list.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// if let place = try transaction[order].place(of: "dune") { print(place.group, place.index) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func place(of key: Key) throws -> (group: String, index: Int)? {
        try view.getGroupIndex(forKey: key.storedKey, inCollection: list.collection.name).map { ($0.0, $0.1) }
    }

    /// Returns the value of a row that was found before.
    /// - Parameter keeps: whether the value goes into the connection's cache.
    package func value(of row: ViewRow, keeps: Bool = true) throws -> Value {
        do {
            return try view.value(of: Value.self, at: row, keeps: keeps)
        } catch {
            view.noteUnreadable(row.rowid, error)
            throw error
        }
    }
}

extension YapTypedTransaction {
    /// The rows of a list, with their types.
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the list is not registered in this state of the database.
    public subscript<Value, Key, Metadata>(
        list: YapList<Value, Key, Metadata>
    ) -> YapListRows<Value, Key, Metadata> {
        get throws {
            list.collection.use(in: self)
            return YapListRows(list: list, view: try registered(list, as: YapDatabaseViewTransaction.self))
        }
    }

    /// The rows of a list; nil while it is not registered.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if something else is registered under its name.
    func ifRegistered<Value, Key, Metadata>(
        _ list: YapList<Value, Key, Metadata>
    ) throws -> YapListRows<Value, Key, Metadata>? {
        if ext(list.name) == nil, snapshot.displaced(list.name) == nil { return nil }
        return try self[list]
    }

    /// Whether a list can be shown. If it is not registered, the log says so.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if something else is registered under its name.
    func isToBeShown<Value, Key, Metadata>(_ list: YapList<Value, Key, Metadata>) throws -> Bool {
        if try ifRegistered(list) != nil { return true }
        if !snapshot.isMissing(list.name) { connection.database.logAwaited(list.name) }
        return false
    }

    /// The access of this transaction to what is declared.
    /// - Throws: ``YapDatabaseError`` with `badExtension` if it is not registered in this state of the database.
    func registered<Access>(_ declaration: some YapDeclaration, as type: Access.Type) throws -> Access {
        guard let access = ext(declaration.name) as? Access else { throw notRegistered(declaration.name) }
        return access
    }

    /// Why what has this name cannot be used in this state.
    func notRegistered(_ name: String) -> YapDatabaseError {
        snapshot.displaced(name)?.error
            ?? YapDatabaseError(
                .badExtension,
                "\"\(name)\" is not registered in snapshot \(snapshot.number), which has \(snapshot.extensionsForPeople). Call "
                    + "`database.register` with it first; a connection in a long-lived read transaction sees it after its next jump."
            )
    }
}
