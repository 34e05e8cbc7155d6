import ListChanges

/// What happens to the source of a relation when its target is removed.
public enum YapTargetRemoval: String, Sendable {
    /// The source is removed, too.
    case deleteSource
    /// The source is removed with the last of its targets; until then it only no longer names the one that is gone.
    case deleteSourceWithLast
    /// The source no longer names the target: its property is nil, the key is gone from its array, the link is gone.
    case clear
    /// The transaction fails, with code `missingRow`, unless it also removes the source or lets it name another target.
    case refuse
}

/// What happens to the target of a relation when its source is removed, or no longer names it.
public enum YapSourceRemoval: String, Sendable {
    /// The target stays.
    case keepTarget
    /// The target is removed, too.
    case deleteTarget
    /// The target is removed with the last of its sources.
    case deleteTargetWithLast
}

/// Rows of one collection that name rows of another, or of their own: the questions in both directions, and what happens when one of them
/// is removed.
///
/// ```swift
/// struct Person: Codable, Sendable, Identifiable {
///     var id: String
///     var groupID: String?
/// }
/// struct Group: Codable, Sendable, Identifiable {
///     var id: String
/// }
/// let people = YapCollection("people", of: Person.self)
/// let groups = YapCollection("groups", of: Group.self)
/// let membership = YapRelation("membership", of: people, from: \.groupID, to: groups, onDelete: .clear)
///
/// try database.register(membership)
/// let members = try connection.read { transaction in try transaction[membership].sources(of: "friends") }
/// ```
///
/// The rules run at the end of each read-write transaction, and what they remove or change belongs to the same commit, so that lists have one
/// exact change-set. A row must not name a row that does not exist: the transaction fails with code `missingRow`, unless the other row is saved
/// before it ends. A row that named a missing row when the relation was registered is not part of it until the row is saved again.
///
/// It is a ``YapDatabaseRelationship`` of its own, whose edges have the relation's name. Relations to files are those of the untyped form.
public struct YapRelation<
    Source: Codable & Sendable, SourceKey: YapKey, SourceMetadata: Codable & Sendable,
    Target: Codable & Sendable, TargetKey: YapKey, TargetMetadata: Codable & Sendable
>: YapDeclaration {
    /// The type of the collection whose rows name others.
    public typealias Sources = YapCollection<Source, SourceKey, SourceMetadata>
    /// The type of the collection whose rows are named.
    public typealias Targets = YapCollection<Target, TargetKey, TargetMetadata>

    public let name: String
    /// The collection of the rows that name others.
    public let sources: Sources
    /// The collection of the rows that are named.
    public let targets: Targets
    /// Changes whenever the property or the rules change.
    public let versionTag: String
    private let rules: YDB_NodeDeleteRules
    private let refuses: Bool
    /// Nil for a relation that is made by hand.
    private let property: KeyProperty?

    /// The keys that a source names, in its property.
    private struct KeyProperty: Sendable {
        let keys: @Sendable (Source) -> [TargetKey]
        /// Returns the source without a key; nil where the property cannot be without it.
        let removing: (@Sendable (Source, TargetKey) -> Source)?
    }

    /// A relation by a property with the key of one row.
    /// - Parameters:
    ///   - name: the name of the relation, unique in the file.
    ///   - sources: the collection of the rows that name others.
    ///   - path: a stored property with a key.
    ///   - targets: the collection of the rows that are named.
    ///   - removal: what happens to the source when its target is removed. Not ``YapTargetRemoval/clear``: the property is never nil.
    ///   - sourceRemoval: what happens to the target when its source is removed.
    public init(
        _ name: String, of sources: Sources, from path: KeyPath<Source, TargetKey> & Sendable, to targets: Targets,
        onDelete removal: YapTargetRemoval, onSourceDelete sourceRemoval: YapSourceRemoval = .keepTarget
    ) {
        let field = FieldReader(path)
        self.init(
            name, sources, FieldPath(path), targets, removal == .deleteSourceWithLast ? .deleteSource : removal,
            sourceRemoval, KeyProperty(keys: { [field($0)] }, removing: nil))
    }

    /// A relation by a property with the key of one row, or nil.
    /// - Parameters:
    ///   - name: the name of the relation, unique in the file.
    ///   - sources: the collection of the rows that name others.
    ///   - path: a stored property with a key or nil.
    ///   - targets: the collection of the rows that are named.
    ///   - removal: what happens to the source when its target is removed. For ``YapTargetRemoval/clear``, the property is a `var`.
    ///   - sourceRemoval: what happens to the target when its source is removed.
    public init(
        _ name: String, of sources: Sources, from path: KeyPath<Source, TargetKey?> & Sendable, to targets: Targets,
        onDelete removal: YapTargetRemoval, onSourceDelete sourceRemoval: YapSourceRemoval = .keepTarget
    ) {
        let field = FieldReader(path)
        self.init(
            name, sources, FieldPath(path), targets, removal == .deleteSourceWithLast ? .deleteSource : removal,
            sourceRemoval,
            KeyProperty(
                keys: { field($0).map { [$0] } ?? [] },
                removing: Self.change(path) { value, key in
                    if value?.storedKey.hasSameBytes(as: key.storedKey) == true { value = nil }
                }))
    }

    /// A relation by a property with the keys of many rows.
    ///
    /// ```swift
    /// let tagged = YapRelation("tagged", of: photos, from: \.tagIDs, to: tags, onDelete: .clear)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the relation, unique in the file.
    ///   - sources: the collection of the rows that name others.
    ///   - path: a stored property with keys. One that is there twice counts once.
    ///   - targets: the collection of the rows that are named.
    ///   - removal: what happens to the source when one of its targets is removed. For ``YapTargetRemoval/clear`` and
    ///     ``YapTargetRemoval/deleteSourceWithLast``, the property is a `var`.
    ///   - sourceRemoval: what happens to the targets when their source is removed, or no longer names them.
    public init(
        _ name: String, of sources: Sources, from path: KeyPath<Source, [TargetKey]> & Sendable, to targets: Targets,
        onDelete removal: YapTargetRemoval, onSourceDelete sourceRemoval: YapSourceRemoval = .keepTarget
    ) {
        let field = FieldReader(path)
        self.init(
            name, sources, FieldPath(path), targets, removal, sourceRemoval,
            KeyProperty(
                keys: { field($0) },
                removing: Self.change(path) { keys, key in
                    keys.removeAll { $0.storedKey.hasSameBytes(as: key.storedKey) }
                }))
    }

    /// A relation that the program makes by hand, link by link.
    ///
    /// ```swift
    /// let likes = YapRelation("likes", of: people, to: songs)
    /// try database.register(likes)
    /// try connection.readWrite { transaction in
    ///     try transaction[likes].link("alice", to: 7)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the relation, unique in the file.
    ///   - sources: the collection of the rows that links lead from.
    ///   - targets: the collection of the rows that links lead to.
    ///   - removal: what happens to the source when its target is removed.
    ///   - sourceRemoval: what happens to the target when its source is removed.
    public init(
        _ name: String, of sources: Sources, to targets: Targets, onDelete removal: YapTargetRemoval = .clear,
        onSourceDelete sourceRemoval: YapSourceRemoval = .keepTarget
    ) {
        self.init(name, sources, nil, targets, removal, sourceRemoval, nil)
    }

    private init(
        _ name: String, _ sources: Sources, _ path: FieldPath?, _ targets: Targets, _ removal: YapTargetRemoval,
        _ sourceRemoval: YapSourceRemoval, _ property: KeyProperty?
    ) {
        (self.name, self.sources, self.targets, self.property) = (name, sources, targets, property)
        let clears = removal == .clear || removal == .deleteSourceWithLast
        require(
            property == nil || property?.removing != nil || !clears,
            "The relation \"\(name)\" would take a key out of \(path?.description ?? ""), which is no variable that can be without it. Make it a "
                + "`var` with an optional or an array, or choose another rule for `onDelete`.")
        refuses = removal == .refuse
        rules = Self.rules(removal, sourceRemoval, byHand: property == nil)
        let column = path?.columnName(for: "A relation")
        versionTag = [
            sources.name, column ?? "by hand", targets.name, removal.rawValue, sourceRemoval.rawValue,
        ].joined(separator: " | ")
    }

    private static func rules(
        _ removal: YapTargetRemoval, _ sourceRemoval: YapSourceRemoval, byHand: Bool
    ) -> YDB_NodeDeleteRules {
        var rules: YDB_NodeDeleteRules =
            switch removal {
            case .deleteSource: .deleteSourceIfDestinationDeleted
            case .deleteSourceWithLast: [.deleteSourceIfAllDestinationsDeleted, .notifyIfDestinationDeleted]
            case .clear: byHand ? [] : .notifyIfDestinationDeleted
            case .refuse: .notifyIfDestinationDeleted
            }
        switch sourceRemoval {
        case .keepTarget: break
        case .deleteTarget: rules.insert(.deleteDestinationIfSourceDeleted)
        case .deleteTargetWithLast: rules.insert(.deleteDestinationIfAllSourcesDeleted)
        }
        return rules
    }

    private static func change<Field>(
        _ path: KeyPath<Source, Field> & Sendable, _ change: @escaping @Sendable (inout Field, TargetKey) -> Void
    ) -> (@Sendable (Source, TargetKey) -> Source)? {
        guard let writable = path as? WritableKeyPath<Source, Field> else { return nil }
        // The same immutable object as `path`, which is Sendable; a cast cannot say so.
        nonisolated(unsafe) let path = writable
        return { source, key in
            var source = source
            change(&source[keyPath: path], key)
            return source
        }
    }
}

// MARK: The relationship

extension YapRelation {
    public func use(in database: YapDatabase) {
        sources.use(in: database)
        targets.use(in: database)
    }

    public func makeExtension() -> YapDatabaseExtension {
        let options = YapDatabaseRelationshipOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [sources.name])
        options.disableYapDatabaseRelationshipNodeProtocol = property == nil
        options.declared = declaredEdges
        return YapDatabaseRelationship(versionTag: versionTag, options: options)
    }

    private var declaredEdges: DeclaredEdges {
        let (property, refuses) = (property, refuses)
        return DeclaredEdges(
            edges: { object, key in
                guard let property else { return [] }
                return property.keys(try cast(object, "object", key)).map { edge(from: key, to: $0) }
            },
            loss: { object, edge in
                if refuses { return .refuse }
                guard let removing = property?.removing, let key = edge.destinationKey.flatMap(TargetKey.key(stored:)),
                    let source = object as? Source
                else { return .keep }
                return .replace(removing(source, key))
            })
    }

    func edge(from source: RowKey, to target: TargetKey) -> YapDatabaseRelationshipEdge {
        YapDatabaseRelationshipEdge(
            name: name, sourceKey: source.key, collection: source.collection, destinationKey: target.storedKey,
            collection: targets.name, nodeDeleteRules: rules)
    }

    var isByHand: Bool { property == nil }
}
