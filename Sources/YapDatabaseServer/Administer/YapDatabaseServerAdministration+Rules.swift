import Foundation
import PostgreSQLBridge

extension YapDatabaseServerAdministration {
    /// Sets the rules of a space, in place of those that it has. None lets everyone write and read what the rights of roles permit.
    ///
    /// Rows that are there get their readers. Every host compares its file with what its role may read now, and removes the rest. O(rows).
    /// - Parameters:
    ///   - rules: one for each collection whose rows are checked.
    ///   - space: the name of the space.
    /// - Returns: how many rows have an object in which no readers can be found: they are shown to no one.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space, `wrongVersion` if the server was made ready by an
    ///   earlier release; `serverUnreachable`, `notAllowed`, `serverFailed` and the like.
    public func setRules(_ rules: [YapDatabaseServerRule], space: String) throws -> Int {
        try asking {
            try requireRules()
            var hidden = 0
            try inTransaction {
                var id: Int64?
                try connection.query(
                    "SELECT s.id FROM yap.space s WHERE s.name = $1 FOR UPDATE", [.text(space)], limits: limits
                ) { id = Int64(try $0.int(0)) }
                guard let id else { throw missing(space) }
                try connection.query("DELETE FROM yap.rule r WHERE r.space = $1", [.int(id)], limits: limits)
                for rule in rules {
                    try connection.query(Self.insertRule, [.int(id)] + rule.parameters, limits: limits)
                }
                if !rules.isEmpty, try !isTrue(SchemaStep.hasTrigger) {
                    try connection.execute(SchemaStep.trigger, limits: limits)
                }
                try connection.query("SELECT yap.apply_rules($1)", [.int(id)], limits: limits) {
                    hidden = try $0.int(0)
                }
            }
            return hidden
        }
    }

    /// Gives a name to a role: what is written under the name is accepted from this role alone. A role may have several names.
    /// - Parameters:
    ///   - name: as rows have it.
    ///   - role: the name of the role; nil to take the name from the role that has it.
    ///   - space: the name of the space.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space or role, or the name is another role's;
    ///   `wrongVersion` if the server was made ready by an earlier release; `serverUnreachable`, `notAllowed`, `serverFailed` and the like.
    public func setName(_ name: String, ofRole role: String?, space: String) throws {
        let name = name.precomposedStringWithCanonicalMapping
        do {
            try asking {
                try requireRules()
                if let role {
                    let values: [PostgreSQLValue] = [.text(space), .text(role), .text(name)]
                    try connection.query("SELECT yap.set_name($1, $2::name, $3, true)", values, limits: limits)
                } else {
                    try connection.query(Self.takeName, [.text(space), .text(name)], limits: limits)
                }
            }
        } catch var error as YapDatabaseServerError
            where [SQLState.objectExists, SQLState.noObject].contains(error.sqlState)
        {
            error.code = .badSpace
            throw error
        }
    }

    /// The roles that may write in a space and have no name there, besides those that may act as the owner of the tables: where a collection
    /// has a rule, they can write no row that has an owner.
    /// - Throws: ``YapDatabaseServerError`` with code `serverUnreachable`, `notAllowed`, `serverFailed` and the like.
    public func rolesWithoutName(space: String) throws -> [String] {
        try asking {
            var roles: [String] = []
            try connection.query(Self.nameless, [.text(space)], limits: limits) { roles.append(try $0.text(0)) }
            return roles
        }
    }

    private func requireRules() throws {
        guard try !isTrue(SchemaStep.hasRules) else { return }
        throw YapDatabaseServerError(
            .wrongVersion, "The server's tables are of an earlier release, which has no rules. Run `yap server init`.")
    }

    private static let insertRule = """
        INSERT INTO yap.rule (space, collection, owner, readers, shared, signed, acknowledged, others_insert, removal)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """

    private static let nameless = """
        SELECT DISTINCT a.role::text FROM yap.access a JOIN yap.space s ON s.id = a.space, pg_class c
        WHERE s.name = $1 AND a.can_write AND c.oid = 'yap.row'::regclass AND to_regrole(quote_ident(a.role)) IS NOT NULL
          AND NOT pg_has_role(a.role, c.relowner, 'MEMBER')
          AND NOT EXISTS (SELECT FROM yap.participant p WHERE p.space = a.space AND p.role = a.role) ORDER BY 1
        """

    private static let takeName = """
        SELECT yap.set_name($1, p.role, $2, false) FROM yap.participant p JOIN yap.space s ON s.id = p.space
        WHERE s.name = $1 AND p.name = $2
        """
}

extension YapDatabaseServerRule {
    /// As the columns of `yap.rule` take them.
    fileprivate var parameters: [PostgreSQLValue] {
        let lists = [shared, signed, acknowledged].map { PostgreSQLValue.texts($0) }
        let texts = [owner?.text, readers?.text].map { $0.map { PostgreSQLValue.text($0) } ?? .null }
        return [.bytes(Data(collection.utf8))] + texts + lists
            + [.bool(othersInsert), removal.text.map { .text($0) } ?? .null]
    }
}
