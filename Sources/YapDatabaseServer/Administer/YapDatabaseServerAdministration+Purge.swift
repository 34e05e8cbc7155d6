import Foundation
import PostgreSQLBridge

extension YapDatabaseServerAdministration {
    /// Forgets removed rows, and commits, that are older than `age`. A file that is further behind is compared with the
    /// whole space. Of each commit 8 bytes are kept, by which such a file finds out whether its own was among them.
    ///
    /// - Parameters:
    ///   - space: the name of the space.
    ///   - age: how old they must be.
    /// - Returns: how many removed rows were forgotten.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func purge(space: String, olderThan age: Duration) throws -> Int {
        try asking {
            var count = 0
            try inTransaction {
                try keepPast()
                var found: (id: Int, floor: Int)?
                try connection.query(
                    "SELECT s.id, s.floor FROM yap.space s WHERE s.name = $1 FOR UPDATE", [.text(space)], limits: limits
                ) { row in found = (try row.int(0), try row.int(1)) }
                guard let (id, before) = found else { throw missing(space) }
                let parameters: [PostgreSQLValue] = [.int(Int64(id)), .int(age.components.seconds)]
                var floor = before
                try connection.query(
                    """
                    SELECT GREATEST(s.floor, COALESCE((SELECT max(c.number) FROM yap.commit c WHERE c.space = $1
                      AND c.at <= clock_timestamp() - make_interval(secs => $2)), 0)) FROM yap.space s WHERE s.id = $1
                    """, parameters, limits: limits
                ) { row in floor = try row.int(0) }
                count = try forget(id, from: before, upTo: floor)
                try connection.query(
                    "DELETE FROM yap.follower f WHERE f.space = $1 AND f.at <= clock_timestamp() - make_interval(secs => $2)",
                    parameters, limits: limits)
            }
            return count
        }
    }

    /// A server that no `yap server init` of this release has brought up to date gets the table now: what a purge forgets
    /// cannot be kept later.
    private func keepPast() throws {
        guard try isTrue("SELECT to_regclass('yap.space') IS NOT NULL"), try !isTrue(PastSQL.exists) else { return }
        try lockSchema()
        try connection.execute(SchemaStep.past.sql, limits: limits)
    }

    /// - Returns: how many removed rows there were.
    private func forget(_ space: Int, from before: Int, upTo floor: Int) throws -> Int {
        var count = 0
        let upTo: [PostgreSQLValue] = [.int(Int64(space)), .int(Int64(floor))]
        if floor > before {
            try connection.query(
                PastSQL.keep, [.int(Int64(space)), .int(Int64(before)), .int(Int64(floor))], limits: limits)
        }
        try connection.query("UPDATE yap.space SET floor = $2 WHERE id = $1", upTo, limits: limits)
        try connection.query(
            """
            WITH gone AS (DELETE FROM yap.row r WHERE r.space = $1 AND r.gone AND r.changed <= $2 RETURNING 1)
            SELECT count(*) FROM gone
            """, upTo, limits: limits
        ) { row in count = try row.int(0) }
        try connection.query("DELETE FROM yap.commit c WHERE c.space = $1 AND c.number < $2", upTo, limits: limits)
        return count
    }
}
