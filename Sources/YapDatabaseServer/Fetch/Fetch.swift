import FileEngine
import Foundation
import PostgreSQLBridge

/// What the server answers to the question for everything since a commit.
struct Fetched {
    var rows: RowSpool
    /// Rows that no file can take.
    var unusable: UnusableRows
    var head: SpaceHead
    /// The commit since which the rows are; nil if they are all.
    var base: Int?
    var comparison: YapDatabaseServerComparison?
    /// Set if the comparison must not remove rows unasked.
    var brokenHistory: BrokenHistory?

    /// The space's last commit.
    var number: Int { head.number }
}

/// A question for rows.
///
/// Everything is the answer to one question, so it is one state of the space. Rows that have come are lost with the connection: the next one begins
/// with the first row again, so a line that breaks more often than all rows take to come never brings them. To go on behind the last row that came
/// would have to add what changed since the first one was sent; that is not done.
struct Fetch {
    var space: Int
    var collections: YapDatabaseServerCollections
    /// The file that is to get the rows. Beside it they wait, if they are many.
    var file: String
    /// Until when the answers must be here; nil if they may take any time.
    var deadline: ContinuousClock.Instant?
    /// Called with rows that have come and the total.
    var progress: (Int, Int) -> Void = { _, _ in }

    /// Rows between two reports of progress.
    private static let step = 2_000

    /// Fetches what changed since the position, or everything if the position does not say what the file holds.
    func run(
        since position: SpacePosition?, comparison: YapDatabaseServerComparison?, over connection: PostgreSQLConnection
    ) throws -> Fetched {
        if let position, comparison == nil {
            let fetched = try changes(since: position, over: connection)
            guard fetched.comparison != nil else { return fetched }
            return try everything(since: position, fetched.comparison, over: connection)
        }
        return try everything(since: position, comparison ?? .firstContact, over: connection)
    }

    /// Every row that the server remembers, also removed ones.
    func everySeenRow(over connection: PostgreSQLConnection) throws -> Fetched {
        try ask(
            SpaceSQL.fetch, [.int(Int64(space)), .int(-1), .int(collections.choice), .byteArrays(collections.names)],
            over: connection)
    }

    /// Asks for the space itself, and for no row.
    func head(since position: SpacePosition?, over connection: PostgreSQLConnection) throws -> SpaceHead {
        let none = YapDatabaseServerCollections.only([])
        var head = try ask(
            SpaceSQL.fetch,
            [.int(Int64(space)), .int(Int64(position?.number ?? 0)), .int(none.choice), .byteArrays(none.names)],
            over: connection
        ).head
        try findPast(of: position, &head, over: connection)
        return head
    }

    /// Asks what a purge has left of the file's commit. A question of its own, because it is rare, and a server of an earlier
    /// release has no table for it; no server forgets between the two what it has left.
    private func findPast(of position: SpacePosition?, _ head: inout SpaceHead, over connection: PostgreSQLConnection)
        throws
    {
        guard let position, head.isPurged(position) else { return }
        let limits = AnswerLimits(deadline: deadline, rows: 1)
        var exists = false
        try connection.query(PastSQL.exists, limits: limits) { exists = try $0.bool(0) }
        guard exists else { return }
        var past: Data?
        try connection.query(PastSQL.find, [.int(Int64(space)), .int(Int64(position.number))], limits: limits) { row in
            past = row.isNull(0) ? nil : try row.data(0)
        }
        head.past = past.flatMap { $0.count == PastSQL.length ? $0 : nil }
    }

    /// `comparison` says why the answer is of no use.
    private func changes(since position: SpacePosition, over connection: PostgreSQLConnection) throws -> Fetched {
        var fetched = try ask(SpaceSQL.fetch, parameters(since: position), over: connection)
        fetched.base = position.number
        fetched.comparison = fetched.head.comparison(since: position)
        return fetched
    }

    private func everything(
        since position: SpacePosition?, _ comparison: YapDatabaseServerComparison?,
        over connection: PostgreSQLConnection
    ) throws -> Fetched {
        var fetched = try ask(SpaceSQL.fetchAll, parameters(since: position), over: connection)
        try findPast(of: position, &fetched.head, over: connection)
        fetched.brokenHistory = position.flatMap { fetched.head.brokenHistory(since: $0) }
        fetched.comparison = fetched.brokenHistory == nil ? comparison : .historyLost
        return fetched
    }

    private func parameters(since position: SpacePosition?) -> [PostgreSQLValue] {
        [
            .int(Int64(space)), .int(Int64(position?.number ?? 0)), .int(collections.choice),
            .byteArrays(collections.names),
        ]
    }

    private func ask(
        _ sql: String, _ parameters: [PostgreSQLValue], over connection: PostgreSQLConnection
    ) throws -> Fetched {
        let spool = RowSpool(beside: file)
        var unusable = UnusableRows()
        var head: SpaceHead?
        let question = UUID.random()
        try connection.query(
            sql, parameters + [.uuid(question)], columns: 9,
            limits: AnswerLimits(deadline: deadline, rows: Int(Int32.max))
        ) { row in
            let kind = try row.int(0)
            guard kind != 0 else {
                guard try row.uuid(7) == question else { throw PostgreSQLError.answersAnotherQuestion }
                head = try SpaceHead(row)
                return
            }
            guard head != nil else { throw PostgreSQLError.answersAnotherQuestion }
            guard let fetched = try unusable.checked(row, kind: kind) else { return }
            try spool.append(fetched)
            guard spool.count % Self.step == 0 else { return }
            guard let head, spool.count <= head.total else {
                throw PostgreSQLError(.unexpectedAnswer, "The server sends more rows than it announced.")
            }
            progress(spool.count, head.total)
        }
        guard let head else {
            throw YapDatabaseServerError(.notAllowed, "The space is gone, or the right to read it was taken.")
        }
        return Fetched(rows: spool, unusable: unusable, head: head)
    }
}
