import ListChanges

/// A row with the row of another collection whose key it names.
///
/// ```swift
/// let board = YapList("board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.row.title))
/// ```
public struct YapJoinedRow<Row: Codable & Sendable, Other: Codable & Sendable>: YapPlainCodable, Sendable {
    /// The row that names the other one.
    public let row: Row
    /// The row that is named; an optional in a join whose rows may lack it.
    public let other: Other
}

extension YapJoinedRow: Equatable where Row: Equatable, Other: Equatable {}
extension YapJoinedRow: Hashable where Row: Hashable, Other: Hashable {}
extension YapJoinedRow: Identifiable where Row: Identifiable {
    public var id: Row.ID { row.id }
}

/// Rows of a collection, each with the row of another collection that a property of it names.
///
/// ```swift
/// let assigned = YapJoin("assigned", of: tasks, joining: \.assignee, to: people)
/// let board = YapList("board", of: assigned.rows, groupedBy: \.other.team, sortedBy: .ascending(\.other.name))
/// try await database.register(assigned, board)
/// ```
///
/// ``rows`` is a collection like others, for lists, indexes, text indexes, requests and further joins, grouped, sorted and filtered by fields of both
/// rows. Only the library writes it: each write of a row, or of the row that it names, rewrites the joined row in the same transaction. When a row that
/// is named comes or goes, so do the joined rows that need it.
///
/// A joined row is stored, with a copy of both. So a row that a thousand others name costs a thousand small writes when it changes: join what
/// changes seldom, or keep what changes often in a row of its own. Rows may be named that do not exist; a row that cannot be decoded counts as one
/// that does not. What ``YapRelation`` promises about removals has nothing to do with it.
public struct YapJoin<
    Row: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable, Other: Codable & Sendable
>: YapDeclaration {
    /// The name under which it is registered: the one that was given, and `.rows`.
    public var name: String { derivation.name }
    /// The joined rows, under the keys of the rows that name others. Read them, and declare lists of them.
    public let rows: YapCollection<YapJoinedRow<Row, Other>, Key, Never>
    private let derivation: any RowDerivation
    private let uses: @Sendable (YapDatabase) -> Void

    private init<Named: Codable & Sendable, NamedKey: YapKey, NamedMetadata: Codable & Sendable>(
        _ name: String, _ source: YapCollection<Row, Key, Metadata>, _ path: FieldPath,
        _ others: YapCollection<Named, NamedKey, NamedMetadata>, _ versionTag: String?, _ kind: String,
        _ reference: @escaping @Sendable (Row) -> String?,
        _ join: @escaping @Sendable (Row, Named?) -> YapJoinedRow<Row, Other>?
    ) {
        let shapes = [source.shape, others.shape.map { "others of \($0)" }].compactMap(\.self)
        let shape = shapes.isEmpty ? nil : shapes.joined(separator: ", ")
        let derivation = JoinDerivation(
            list: name, source: source.name, others: others.name, reference: reference, join: join,
            versionTag: declaredTag(
                declaredTag(
                    versionTag, [source.name, path.name, kind, others.name], rule: nil, of: "The join \"\(name)\""),
                copying: shape))
        self.derivation = derivation
        rows = YapCollection(derived: derivation.target, of: YapJoinedRow<Row, Other>.self, shape: shape) {
            source.key(of: $0.row)
        }
        uses = {
            source.use(in: $0)
            others.use(in: $0)
        }
    }

    public func makeExtension() -> YapDatabaseExtension { YapDatabaseDerivedRows(derivation) }

    public func use(in database: YapDatabase) {
        uses(database)
        rows.use(in: database)
    }
}

extension YapJoin {
    /// Rows with the row that they name. A row whose other one is missing waits for it.
    ///
    /// - Parameters:
    ///   - name: names the joined rows, unique in the file.
    ///   - source: the collection of the rows that name others; that of another join, or of a list of groups, too.
    ///   - path: a property with the key of another row.
    ///   - others: the collection of the rows that are named: `inbox.collection` for the rows of a list of groups.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init<OtherKey: YapKey, OtherMetadata>(
        _ name: String, of source: YapCollection<Row, Key, Metadata>, joining path: KeyPath<Row, OtherKey> & Sendable,
        to others: YapCollection<Other, OtherKey, OtherMetadata>, versionTag: String? = nil
    ) {
        let field = FieldReader(path)
        self.init(name, source, FieldPath(path), others, versionTag, "joins", { field($0).storedKey }, Self.inner)
    }

    /// Rows with the row that they name, if they name one.
    /// - Parameters:
    ///   - name: names the joined rows, unique in the file.
    ///   - source: the collection of the rows that name others; that of another join, or of a list of groups, too.
    ///   - path: a property with the key of another row, or nil.
    ///   - others: the collection of the rows that are named.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init<OtherKey: YapKey, OtherMetadata>(
        _ name: String, of source: YapCollection<Row, Key, Metadata>, joining path: KeyPath<Row, OtherKey?> & Sendable,
        to others: YapCollection<Other, OtherKey, OtherMetadata>, versionTag: String? = nil
    ) {
        let field = FieldReader(path)
        self.init(name, source, FieldPath(path), others, versionTag, "joins", { field($0)?.storedKey }, Self.inner)
    }

    /// All rows, with the row that they name if it is there.
    /// - Parameters:
    ///   - name: names the joined rows, unique in the file.
    ///   - source: the collection of the rows that name others; that of another join, or of a list of groups, too.
    ///   - path: a property with the key of another row.
    ///   - others: the collection of the rows that are named.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init<Named: Codable & Sendable, NamedKey: YapKey, NamedMetadata>(
        _ name: String, of source: YapCollection<Row, Key, Metadata>,
        joiningIfThere path: KeyPath<Row, NamedKey> & Sendable,
        to others: YapCollection<Named, NamedKey, NamedMetadata>, versionTag: String? = nil
    ) where Other == Named? {
        let field = FieldReader(path)
        self.init(
            name, source, FieldPath(path), others, versionTag, "joins if there", { field($0).storedKey },
            YapJoinedRow.init)
    }

    /// All rows, with the row that they name if they name one and it is there.
    /// - Parameters:
    ///   - name: names the joined rows, unique in the file.
    ///   - source: the collection of the rows that name others; that of another join, or of a list of groups, too.
    ///   - path: a property with the key of another row, or nil.
    ///   - others: the collection of the rows that are named.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init<Named: Codable & Sendable, NamedKey: YapKey, NamedMetadata>(
        _ name: String, of source: YapCollection<Row, Key, Metadata>,
        joiningIfThere path: KeyPath<Row, NamedKey?> & Sendable,
        to others: YapCollection<Named, NamedKey, NamedMetadata>, versionTag: String? = nil
    ) where Other == Named? {
        let field = FieldReader(path)
        self.init(
            name, source, FieldPath(path), others, versionTag, "joins if there", { field($0)?.storedKey },
            YapJoinedRow.init)
    }

    private static func inner(_ row: Row, _ other: Other?) -> YapJoinedRow<Row, Other>? {
        other.map { YapJoinedRow(row: row, other: $0) }
    }
}
