import FileEngine
import Foundation
import PostgreSQLBridge

/// What the server answers to the question for everything since a commit.
struct Fetched {
    var rows: RowSpool
    /// The space's last commit.
    var number: Int
    var commit: UUID?
    /// The commit since which the rows are; nil if they are all.
    var base: Int?
    var comparison: YapDatabaseServerComparison?
}

/// A question for rows.
struct Fetch {
    var space: Int
    var collections: YapDatabaseServerCollections
    /// Called with rows that have come and the total.
    var progress: (Int, Int) -> Void = { _, _ in }

    /// Rows between two reports of progress.
    private static let step = 2_000

    /// Fetches what changed since the position, or everything if the position does not say what the file holds.
    func run(
        since position: Position?, comparison: YapDatabaseServerComparison?, over connection: PostgreSQLConnection
    ) throws -> Fetched {
        if let position, comparison == nil {
            let fetched = try changes(since: position, over: connection)
            guard fetched.comparison != nil else { return fetched }
            return try everything(fetched.comparison, over: connection)
        }
        return try everything(comparison ?? .firstContact, over: connection)
    }

    /// Every row that the server remembers, also removed ones.
    func everySeenRow(over connection: PostgreSQLConnection) throws -> RowSpool {
        try ask(
            SpaceSQL.fetch, [.int(Int64(space)), .int(-1), .int(collections.choice), .byteArrays(collections.names)],
            since: nil,
            over: connection
        ).rows
    }

    /// `comparison` says why the answer is of no use.
    private func changes(since position: Position, over connection: PostgreSQLConnection) throws -> Fetched {
        try ask(
            SpaceSQL.fetch,
            [
                .int(Int64(space)), .int(Int64(position.number)), .int(collections.choice),
                .byteArrays(collections.names),
            ],
            since: position, over: connection)
    }

    private func everything(
        _ comparison: YapDatabaseServerComparison?, over connection: PostgreSQLConnection
    ) throws -> Fetched {
        var fetched = try ask(
            SpaceSQL.fetchAll, [.int(Int64(space)), .int(collections.choice), .byteArrays(collections.names)],
            since: nil,
            over: connection)
        fetched.comparison = comparison
        return fetched
    }

    private func ask(
        _ sql: String, _ parameters: [PostgreSQLValue], since position: Position?, over connection: PostgreSQLConnection
    ) throws -> Fetched {
        let spool = RowSpool()
        var head: Head?
        let question = UUID()
        try connection.query(
            sql, parameters + [.uuid(question)], columns: 9, limits: AnswerLimits(rows: Int(Int32.max))
        ) { row in
            let kind = try row.int(0)
            guard kind != 0 else {
                guard try row.uuid(7) == question else { throw PostgreSQLError.answersAnotherQuestion }
                head = try Head(row)
                return
            }
            try spool.append(FetchedRow(row, kind: kind))
            guard spool.count % Self.step == 0 else { return }
            guard let head, spool.count <= head.total else {
                throw PostgreSQLError(.unexpectedAnswer, "The server sends more rows than it announced.")
            }
            progress(spool.count, head.total)
        }
        guard let head else {
            throw YapDatabaseServerError(.notAllowed, "The space is gone, or the right to read it was taken.")
        }
        return Fetched(
            rows: spool, number: head.number, commit: head.commit, base: position?.number,
            comparison: position.flatMap { head.comparison(since: $0) })
    }

    /// What the answer says of the space.
    private struct Head {
        var number: Int
        var floor: Int
        var total: Int
        /// The commit that changed this role's rights last.
        var rightsAt: Int
        var commit: UUID?
        /// The id of the commit that was asked about.
        var base: UUID?

        init(_ row: PostgreSQLRow) throws {
            number = try row.int(1)
            floor = try row.int(2)
            total = try row.int(3)
            rightsAt = try row.int(4)
            commit = row.isNull(5) ? nil : try row.uuid(5)
            base = row.isNull(6) ? nil : try row.uuid(6)
            guard (0...Self.largestNumber).contains(number) else {
                throw PostgreSQLError(.unexpectedAnswer, "The server's space has an impossible number.")
            }
        }

        /// No space reaches it by commits.
        private static let largestNumber = 1 << 52

        /// Why the file has to be compared with all rows; nil if the changes since the position suffice.
        func comparison(since position: Position) -> YapDatabaseServerComparison? {
            if position.number > number || position.number > 0 && position.number >= floor && position.commit != base {
                return .historyLost
            }
            if position.number < floor { return .purged }
            return rightsAt > position.number ? .rightsChanged : nil
        }
    }
}
