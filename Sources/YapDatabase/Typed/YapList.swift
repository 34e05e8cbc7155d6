import ByteCoders
import ListChanges

/// A persistent, sorted, grouped list of the values of a collection, which every write keeps up to date.
///
/// ```swift
/// let order = YapList("order", of: books, groupedBy: \.genre, sortedBy: .ascending(\.title), where: \.isOwned == true)
/// try await database.register(order)
/// try await connection.read { transaction in
///     print(try transaction[order].value(at: 0, in: "sci-fi")?.title ?? "")
/// }
/// for try await update in connection.updates(of: order) { print(update.sections.map(\.group)) }
/// ```
///
/// It is a ``YapDatabaseAutoView``, and its ``name`` is that of the view: everything that takes a view's name works with it. Its
/// version tag says what it is declared by, so that a changed declaration fills it again. Closures and computed properties cannot
/// be told apart from run to run; with those a version tag has to be given.
///
/// A list can also have the rows of another one that fulfil a condition (``init(_:filtering:where:isStored:versionTag:)``), or those that a search
/// finds (``init(_:searching:in:snippets:)``). Whatever takes a list takes these.
public struct YapList<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: YapDeclaration {
    public let name: String
    /// The collection whose values the list has.
    public let collection: YapCollection<Value, Key, Metadata>
    /// Changes whenever the groups, the order or the filter change.
    public let versionTag: String
    let source: ListSource<Value>
    /// Whether a group comes before another one.
    let isGroupBefore: @Sendable (String, String) -> Bool

    /// The group that has all rows of a list that is not grouped.
    public static var onlyGroup: String { "all" }

    /// A list with a group for each value of a property; values without it are not in the list. The groups are in the order of the values.
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose values are listed.
    ///   - path: a text, a whole number, a `Bool`, a `Date` or a `UUID`, an optional one of these, or what has one as its raw value.
    ///   - orders: the first one decides, where values are equal the next one, and so on. Values that are equal in all keep the order in which they
    ///     were inserted.
    ///   - condition: which values are in the list; nil for all.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration. The tag of the list is made from it.
    public init<Group: YapGroup>(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>,
        groupedBy path: KeyPath<Value, Group> & Sendable,
        sortedBy orders: YapOrder<Value>..., where condition: YapCondition<Value>? = nil, versionTag: String? = nil
    ) {
        let field = FieldReader(path)
        self.init(
            name, collection, orders, condition, versionTag, groupName: FieldPath(path).name,
            storedGroup: StoredField(path)?.map { $0.groupName }, isGroupBefore: Group.isGroup,
            group: { field($0).groupName })
    }

    /// A list with one group, ``onlyGroup``.
    ///
    /// ```swift
    /// let titles = YapList("titles", of: books, sortedBy: .ascending(\.title))
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose values the list has.
    ///   - orders: the first one decides, where values are equal the next one, and so on. Values that are equal in all keep the order in which they
    ///     were inserted.
    ///   - condition: which values are in the list; nil for all. A closure in it runs on any thread.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration.
    public init(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>, sortedBy orders: YapOrder<Value>...,
        where condition: YapCondition<Value>? = nil, versionTag: String? = nil
    ) {
        self.init(
            name, collection, orders, condition, versionTag, groupName: "", storedGroup: { _ in Self.onlyGroup },
            isGroupBefore: String.isGroup, group: { _ in Self.onlyGroup })
    }

    /// A list whose groups a closure decides; nil for values that are not in the list.
    ///
    /// ```swift
    /// let initials = YapList("initials", of: books, sortedBy: .ascending(\.title), versionTag: "1") { book in
    ///     book.title.first.map { String($0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - collection: the collection whose values the list has.
    ///   - orders: the first one decides, where values are equal the next one, and so on. Values that are equal in all keep the order in which they
    ///     were inserted.
    ///   - condition: which values are in the list; nil for all. A closure in it runs on any thread.
    ///   - versionTag: change it whenever the answers of the closure change.
    ///   - group: returns the name of a value's group; nil for a value that is not in the list. Called on any thread.
    public init(
        _ name: String, of collection: YapCollection<Value, Key, Metadata>, sortedBy orders: YapOrder<Value>...,
        where condition: YapCondition<Value>? = nil, versionTag: String,
        groupedBy group: @escaping @Sendable (Value) -> String?
    ) {
        self.init(
            name, collection, orders, condition, versionTag, groupName: nil, storedGroup: nil,
            isGroupBefore: String.isGroup, group: group)
    }

    /// A list with groups and orders of its own.
    init(
        _ name: String, _ collection: YapCollection<Value, Key, Metadata>, _ orders: [YapOrder<Value>],
        _ condition: YapCondition<Value>?, _ tag: String?, groupName: String?,
        storedGroup: (@Sendable (StoredFields) throws -> String?)?,
        isGroupBefore: @escaping @Sendable (String, String) -> Bool, group: @escaping @Sendable (Value) -> String?
    ) {
        self.name = name
        self.collection = collection
        self.isGroupBefore = isGroupBefore
        source = .placed(Placement(where: condition, group: group, storedGroup: storedGroup, by: orders))
        let filter = condition.map { [$0.clause?.description] } ?? []
        versionTag = declaredTag(
            tag, [collection.name, groupName] + orders.map(\.description) + filter,
            rule: orders.isEmpty && condition == nil ? nil : comparisonRule, of: "The list \"\(name)\"")
    }

    /// A list over another declaration.
    init(
        _ name: String, _ collection: YapCollection<Value, Key, Metadata>, _ source: ListSource<Value>,
        isGroupBefore: @escaping @Sendable (String, String) -> Bool, versionTag: String
    ) {
        (self.name, self.collection, self.source, self.versionTag) = (name, collection, source, versionTag)
        self.isGroupBefore = isGroupBefore
    }
}

// MARK: The view

extension YapList {
    public func use(in database: YapDatabase) {
        source.useSources(in: database)
        collection.use(in: database)
    }

    public func makeExtension() -> YapDatabaseExtension {
        source.makeView(of: collection.name, versionTag: versionTag)
    }
}

extension YapList {
    public func makeExtensions() -> [(name: String, extension: YapDatabaseExtension)] {
        [source.derivedRows, (name, makeExtension())].compactMap(\.self)
    }
}
