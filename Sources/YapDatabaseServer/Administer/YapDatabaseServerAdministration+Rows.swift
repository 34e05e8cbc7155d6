import Foundation
import PostgreSQLBridge

extension YapDatabaseServerAdministration {
    /// Lists the rows of a space that no file can take, at most 1,000. O(rows).
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func unusableRows(space: String) throws -> [YapDatabaseServerUnusableRow] {
        try asking {
            try unusable(of: try number(space, isLocking: false).id).prefix(Self.listLimit).map(\.row)
        }
    }

    /// Removes the rows that no file can take.
    /// - Returns: how many there were.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func removeUnusableRows(space: String) throws -> Int {
        try removing(from: space) { try self.unusable(of: $0) }
    }

    /// Removes a row whatever it holds, on every host: one that an app cannot decode, for example.
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the name of the collection.
    ///   - space: the name of the space.
    /// - Returns: whether there was one.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func removeRow(forKey key: String, inCollection collection: String, space: String) throws -> Bool {
        try removing(from: space) { id in
            let names = (Data(collection.utf8), Data(key.utf8))
            var found: [NamedRow] = []
            try self.connection.query(
                "SELECT 1 FROM yap.row r WHERE r.space = $1 AND r.collection = $2 AND r.key = $3 AND NOT r.gone",
                [.int(Int64(id)), .bytes(names.0), .bytes(names.1)], limits: self.limits
            ) { _ in found.append(NamedRow(names: names, reason: "")) }
            return found
        } > 0
    }

    private static let listLimit = 1_000

    /// A row by the bytes of its names, which may be no text.
    private struct NamedRow {
        var names: (collection: Data, key: Data)
        var reason: String

        var row: YapDatabaseServerUnusableRow {
            YapDatabaseServerUnusableRow(
                collection: String(decoding: names.collection, as: UTF8.self),
                key: String(decoding: names.key, as: UTF8.self), reason: reason)
        }
    }

    private func unusable(of space: Int) throws -> [NamedRow] {
        var found: [NamedRow] = []
        try connection.query(
            """
            SELECT q.collection, q.key, \(SpaceSQL.usable), COALESCE(length(q.object), -1), COALESCE(length(q.metadata), 0)
            FROM yap.row q WHERE q.space = $1 AND NOT q.gone
            """, [.int(Int64(space))], limits: AnswerLimits(silence: .seconds(600), rows: Int(Int32.max))
        ) { row in
            let names = (try row.data(0), try row.data(1))
            let areNames = UnusableRows.isName(names.0) && UnusableRows.isName(names.1)
            guard try !row.bool(2) || !areNames else { return }
            let (object, metadata) = (try row.int(3), try row.int(4))
            let reason =
                !areNames
                ? "a name is no text, or too long"
                : object < 0
                    ? "it has no object"
                    : "its object has \(object) bytes, its metadata \(metadata), more than a file takes"
            found.append(NamedRow(names: names, reason: reason))
        }
        return found
    }

    /// Removes rows as a commit, so that every host follows it. Of a name that no file can have, nothing is left to say.
    private func removing(from space: String, _ rows: (Int) throws -> [NamedRow]) throws -> Int {
        try asking {
            var count = 0
            try inTransaction {
                let (id, number) = try self.number(space, isLocking: true)
                let found = try rows(id)
                count = found.count
                guard count > 0 else { return }
                let next = Int64(number + 1)
                let names: [PostgreSQLValue] = [
                    .int(Int64(id)), .byteArrays(found.map(\.names.collection)), .byteArrays(found.map(\.names.key)),
                ]
                try connection.query(
                    """
                    UPDATE yap.row r SET gone = true, object = NULL, metadata = NULL, changed = $4
                    FROM unnest($2, $3) w (collection, key) WHERE r.space = $1 AND r.collection = w.collection AND r.key = w.key
                    """, names + [.int(next)], limits: limits)
                let nameless = found.filter {
                    !UnusableRows.isName($0.names.collection) || !UnusableRows.isName($0.names.key)
                }
                try connection.query(
                    """
                    DELETE FROM yap.row r USING unnest($2, $3) w (collection, key)
                    WHERE r.space = $1 AND r.collection = w.collection AND r.key = w.key
                    """,
                    [
                        .int(Int64(id)), .byteArrays(nameless.map(\.names.collection)),
                        .byteArrays(nameless.map(\.names.key)),
                    ], limits: limits)
                try connection.query(
                    "INSERT INTO yap.commit (space, number, id) VALUES ($1, $2, gen_random_uuid())",
                    [.int(Int64(id)), .int(next)], limits: limits)
                try connection.query(
                    "UPDATE yap.space SET number = $2 WHERE id = $1", [.int(Int64(id)), .int(next)], limits: limits)
                try connection.query("SELECT yap.announce($1, $2)", [.int(Int64(id)), .int(next)], limits: limits)
            }
            return count
        }
    }

    private func number(_ space: String, isLocking: Bool) throws -> (id: Int, number: Int) {
        var found: (id: Int, number: Int)?
        try connection.query(
            "SELECT s.id, s.number FROM yap.space s WHERE s.name = $1\(isLocking ? " FOR UPDATE" : "")", [.text(space)],
            limits: limits
        ) { row in found = (try row.int(0), try row.int(1)) }
        guard let found else { throw missing(space) }
        return found
    }
}
