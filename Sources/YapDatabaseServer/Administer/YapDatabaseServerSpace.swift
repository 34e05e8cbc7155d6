import Foundation
import PostgreSQLBridge

/// A space of a server, as ``YapDatabaseServerAdministration/spaces()`` lists it.
public struct YapDatabaseServerSpace: Hashable, Sendable {
    /// A role that may read, and perhaps write.
    public struct Right: Hashable, Sendable {
        /// The role's name.
        public var role: String
        /// Nil for all collections.
        public var collection: String?
        /// Whether it may also write.
        public var canWrite: Bool
    }

    /// A file that follows the space.
    public struct Follower: Hashable, Sendable {
        /// The role under which it connects.
        public var role: String
        /// The commit that it had.
        public var number: Int
        /// Seconds since then.
        public var age: Int
    }

    /// A name that belongs to a role.
    public struct Name: Hashable, Sendable {
        /// The name, as rows have it.
        public var name: String
        /// The role that writes under it.
        public var role: String
    }

    /// The space's name.
    public var name: String
    /// The last commit.
    public var number: Int
    /// Removals up to this commit were purged.
    public var floor: Int
    /// Rows.
    public var rows: Int
    /// Removed rows that are remembered for files that have not yet seen the removal.
    public var removedRows: Int
    /// Bytes of names and values.
    public var bytes: Int
    /// Who may read and write.
    public var rights: [Right]
    /// The files that were seen last, the oldest first.
    public var followers: [Follower]
    /// The names that belong to roles.
    public var names: [Name] = []
    /// The collections with a rule for each row: ``YapDatabaseServerRule``.
    public var ruledCollections: [String] = []
}

extension YapDatabaseServerAdministration {
    /// Lists the spaces in which this role may read anything. Only the owner of a space sees all its rights and followers. O(rows).
    /// - Throws: ``YapDatabaseServerError`` with code `serverUnreachable`, `notAllowed`, `wrongVersion`, `serverFailed` and the like.
    public func spaces() throws -> [YapDatabaseServerSpace] {
        try asking {
            var found: [(id: Int, space: YapDatabaseServerSpace)] = []
            do {
                try connection.query(Self.list, limits: limits) { row in
                    found.append(
                        (
                            try row.int(0),
                            YapDatabaseServerSpace(
                                name: try row.text(1), number: try row.int(2), floor: try row.int(3),
                                rows: try row.int(4),
                                removedRows: try row.int(5), bytes: try row.int(6), rights: [], followers: [])
                        ))
                }
            } catch let error as PostgreSQLError where error.isOf(SQLState.noSpace) {
                throw YapDatabaseServerError(
                    .badSpace, "This database has no spaces. `yap server init` makes it ready.",
                    sqlState: error.sqlState)
            }
            let hasRules = try isTrue(SchemaStep.hasRules)
            return try found.map { id, space in
                var space = space
                (space.rights, space.followers) = (try rights(id), try followers(id))
                if hasRules { (space.names, space.ruledCollections) = (try names(id), try ruledCollections(id)) }
                return space
            }
        }
    }

    private static let list = """
        SELECT s.id, s.name, s.number, s.floor, count(r.key) FILTER (WHERE NOT r.gone), count(r.key) FILTER (WHERE r.gone),
          COALESCE(sum(length(r.collection) + length(r.key) + COALESCE(length(r.object), 0) + COALESCE(length(r.metadata), 0)), 0)::int8
        FROM yap.space s LEFT JOIN yap.row r ON r.space = s.id GROUP BY s.id, s.name, s.number, s.floor ORDER BY s.name
        """

    private func rights(_ space: Int) throws -> [YapDatabaseServerSpace.Right] {
        var rights: [YapDatabaseServerSpace.Right] = []
        try connection.query(
            """
            SELECT a.role::text, a.collection, a.can_write FROM yap.access a WHERE a.space = $1 AND a.can_read
            ORDER BY a.role, a.collection
            """, [.int(Int64(space))], limits: limits
        ) { row in
            let name = try row.data(1)
            rights.append(
                .init(
                    role: try row.text(0),
                    collection: name == Self.allCollections ? nil : String(decoding: name, as: UTF8.self),
                    canWrite: try row.bool(2)))
        }
        return rights
    }

    private func names(_ space: Int) throws -> [YapDatabaseServerSpace.Name] {
        var names: [YapDatabaseServerSpace.Name] = []
        try connection.query(
            "SELECT p.name, p.role::text FROM yap.participant p WHERE p.space = $1 ORDER BY p.role, p.name",
            [.int(Int64(space))], limits: limits
        ) { names.append(.init(name: try $0.text(0), role: try $0.text(1))) }
        return names
    }

    private func ruledCollections(_ space: Int) throws -> [String] {
        var collections: [String] = []
        try connection.query(
            "SELECT r.collection FROM yap.rule r WHERE r.space = $1 ORDER BY r.collection", [.int(Int64(space))],
            limits: limits
        ) { collections.append(try $0.text(0)) }
        return collections
    }

    /// Empty for a role that may not see them.
    private func followers(_ space: Int) throws -> [YapDatabaseServerSpace.Follower] {
        var followers: [YapDatabaseServerSpace.Follower] = []
        do {
            try connection.query(
                """
                SELECT f.role::text, f.number, EXTRACT(EPOCH FROM clock_timestamp() - f.at)::int8 FROM yap.follower f
                WHERE f.space = $1 ORDER BY f.at
                """, [.int(Int64(space))], limits: limits
            ) { row in followers.append(.init(role: try row.text(0), number: try row.int(1), age: try row.int(2))) }
        } catch let error as PostgreSQLError where error.sqlState == SQLState.noRight {}
        return followers
    }
}
