import ListChanges

/// A row in one of its groups: what a list has whose rows stand in several.
public struct YapPlacedRow<Row: Codable & Sendable, Group: Codable & Sendable>: YapPlainCodable, Sendable {
    /// The group.
    public let group: Group
    /// The row.
    public let row: Row
}

extension YapPlacedRow: Equatable where Row: Equatable, Group: Equatable {}
extension YapPlacedRow: Hashable where Row: Hashable, Group: Hashable {}
extension YapPlacedRow: Identifiable where Row: Identifiable, Group: Hashable {
    /// The group and the `id` of the row.
    public var id: ID { ID(group: group, row: row.id) }

    /// Tells a row in one group from the same row in another.
    public struct ID: Hashable {
        /// The group.
        public let group: Group
        /// The `id` of the row.
        public let row: Row.ID
    }
}

/// The key of a row in one of its groups.
public struct YapPlacedKey<Key: YapKey>: YapKey {
    /// The name of the group.
    public let group: String
    /// The key of the row in its own collection.
    public let key: Key

    /// - Parameters:
    ///   - group: the name of the group.
    ///   - key: the key of the row in its own collection.
    public init(group: String, key: Key) { (self.group, self.key) = (group, key) }

    /// The key of the row comes first, so that all that follows from a row stands together in the index of the keys.
    public var storedKey: String { GroupNames([key.storedKey]).stored + group }

    public static func key(stored text: String) -> Self? {
        guard let key = GroupNames(stored: text).names.first else { return nil }
        let group = text.utf8.dropFirst(GroupNames([key]).stored.utf8.count)
        return Key.key(stored: key).map { Self(group: String(decoding: group, as: UTF8.self), key: $0) }
    }
}

extension YapList where Metadata == Never {
    /// A list whose rows stand in several groups, once in each: books by their tags.
    ///
    /// ```swift
    /// let tagged = YapList("tagged", of: books, groupedByEach: \.tags, sortedBy: .ascending(\.row.title))
    /// try await database.register(tagged)
    /// let space = try await connection.read { try $0[tagged].values(in: "space").map(\.row) }
    /// ```
    ///
    /// A row that lacks all groups is not in the list; a group that is named twice counts once. When the groups of a row change, it is inserted into
    /// and deleted from those that differ; it does not move from one to another, because it can be in both. A row is stored once more for each of its
    /// groups.
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose values the list has.
    ///   - path: a property with the groups.
    ///   - orders: the first one decides, where rows are equal the next one, and so on; by properties of ``YapPlacedRow``.
    ///   - condition: which rows are in the list, and in which groups; nil for all. A closure in it runs on any thread.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration.
    public init<Row, RowKey, RowMetadata, Group: YapGroup & Codable, Groups: Sequence<Group> & SendableMetatype>(
        _ name: String, of collection: YapCollection<Row, RowKey, RowMetadata>,
        groupedByEach path: KeyPath<Row, Groups> & Sendable, sortedBy orders: YapOrder<Value>...,
        where condition: YapCondition<Value>? = nil, versionTag: String? = nil
    ) where Value == YapPlacedRow<Row, Group>, Key == YapPlacedKey<RowKey> {
        let field = FieldReader(path)
        let tag = declaredTag(
            declaredTag(
                versionTag, [collection.name, "each of", FieldPath(path).name],
                rule: "keys begin with those of the rows", of: "The list \"\(name)\""), copying: collection.shape)
        let derivation = EachGroupDerivation<Row, Group>(
            list: name, source: collection.name,
            groups: { row in
                var known: Set<ExactString> = []
                return field(row).compactMap { group in
                    guard let name = group.groupName, known.insert(ExactString(name)).inserted else { return nil }
                    return (name, group)
                }
            }, versionTag: tag)
        let placement = Placement(
            where: condition, group: { $0.group.groupName },
            storedGroup: StoredField(\Value.group)?.map { $0.groupName },
            by: orders)
        let filter = condition.map { [$0.clause?.description] } ?? []
        self.init(
            name,
            YapCollection(derived: derivation.target, of: Value.self, shape: collection.shape) { placed in
                YapPlacedKey(group: placed.group.groupName ?? "", key: collection.key(of: placed.row))
            }, .derived(derivation, placement, use: { collection.use(in: $0) }), isGroupBefore: Group.isGroup,
            versionTag: declaredTag(
                versionTag, [tag] + orders.map { $0.description } + filter, rule: comparisonRule,
                of: "The list \"\(name)\""))
    }
}
