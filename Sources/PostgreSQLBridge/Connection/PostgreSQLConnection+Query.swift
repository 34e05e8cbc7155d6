import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// Runs a statement, and calls `row` with each row as it arrives. It is prepared when it runs for the second time, which takes a
    /// round trip more.
    /// - Parameter columns: the number of columns that the answer must have, also if it has no rows; nil for any.
    /// - Returns: the number of rows.
    /// - Throws: ``PostgreSQLError``, or the closure's error, after which the connection is closed. With SQLSTATE `cancelled` if the server has
    ///   given the statement up after the deadline (``AnswerLimits/patienceToCancel``); the connection is closed then, too.
    @discardableResult
    package func query(
        _ sql: String, _ parameters: [PostgreSQLValue] = [], columns: Int? = nil, limits: AnswerLimits,
        row: (PostgreSQLRow) throws -> Void = { _ in }
    ) throws -> Int {
        try orAbandon {
            let isFirst = once.insert(sql).inserted
            try send(sql, name: isFirst ? nil : prepare(sql, parameters, limits), parameters)
            do { return try receive(limits, columns: columns, row) } catch let error as PostgreSQLError
                where error.kind == .timedOut && isOpen
            {
                guard let patience = limits.patienceToCancel, let deadline = limits.deadline, deadline <= .now else {
                    throw error
                }
                // The request may arrive after the answer, and would end the statement after this one.
                defer { close() }
                cancel()
                var limits = limits
                (limits.deadline, limits.patienceToCancel) = (.now + patience, nil)
                return try receive(limits, columns: columns, row)
            }
        }
    }

    /// Runs statements without parameters, one after the other, in one transaction unless they say otherwise.
    package func execute(_ sql: String, limits: AnswerLimits) throws {
        try orAbandon {
            guard PQsendQuery(try open(), sql) == 1 else { throw lost() }
            _ = try receive(limits) { _ in }
        }
    }

    /// Nil once the deadline of a statement has passed.
    private func orAbandon<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgreSQLError where error.kind == .failed {
            if !isOpen { close() }
            throw error
        } catch {
            abandon()
            throw error
        }
    }

    private func prepare(_ sql: String, _ parameters: [PostgreSQLValue], _ limits: AnswerLimits) throws -> String {
        if let name = statements[sql] { return name }
        let name = "yap\(statements.count)"
        let types = parameters.map(\.type)
        guard PQsendPrepare(try open(), name, sql, Int32(types.count), types) == 1 else { throw lost() }
        do { _ = try receive(limits) { _ in } } catch let error as PostgreSQLError
            where error.sqlState == SQLState.statementExists
        {
            // The name is new: the message arrived twice.
            throw PostgreSQLError.answersAnotherQuestion
        }
        statements[sql] = name
        return name
    }

    private func send(_ sql: String, name: String?, _ parameters: [PostgreSQLValue]) throws {
        var bytes: [UInt8] = []
        var places: [(start: Int, count: Int)?] = []
        for parameter in parameters {
            let start = bytes.count
            places.append(parameter.write(to: &bytes) ? (start, bytes.count - start) : nil)
        }
        guard bytes.count <= Int(Int32.max) else {
            throw PostgreSQLError(
                .failed, "A statement's parameters have \(bytes.count) bytes, more than the protocol can hold.")
        }
        // A place for the address of an empty value.
        bytes.append(0)
        let handle = try open()
        let isSent = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            let (values, lengths) = (places.map { $0.map { start + $0.start } }, places.map { Int32($0?.count ?? 0) })
            let (count, formats) = (Int32(parameters.count), parameters.map { _ in Int32(1) })
            return if let name {
                PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            } else {
                PQsendQueryParams(handle, sql, count, parameters.map(\.type), values, lengths, formats, 1)
            }
        }
        guard isSent == 1, PQsetSingleRowMode(handle) == 1 else { throw lost() }
    }

    /// Reads everything that the server answers to what was sent.
    private func receive(
        _ limits: AnswerLimits, columns: Int? = nil, _ row: (PostgreSQLRow) throws -> Void
    ) throws -> Int {
        var (rows, failure, isComplete) = (0, PostgreSQLError?.none, false)
        while let result = try nextResult(limits) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                rows += 1
                guard rows <= limits.rows else {
                    throw PostgreSQLError(.unexpectedAnswer, "The server sends more rows than it was asked for.")
                }
                let answer = PostgreSQLRow(result: result)
                guard answer.size <= limits.rowBytes else { throw tooLarge }
                try row(answer)
            // With rows only for a query without parameters, whose rows nothing reads.
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                if let columns, PQnfields(result) != Int32(columns) { throw PostgreSQLError.answersAnotherQuestion }
                isComplete = true
            case PGRES_FATAL_ERROR: failure = failure ?? error(of: result)
            default:
                throw PostgreSQLError(
                    .unexpectedAnswer, "The server answers a statement with something else than its result.")
            }
        }
        if let failure { throw failure }
        guard isComplete else {
            throw PostgreSQLError(.unexpectedAnswer, "The server answers a statement with nothing.")
        }
        return rows
    }

    /// The next part of the answer; nil at its end.
    private func nextResult(_ limits: AnswerLimits) throws -> OpaquePointer? {
        let handle = try open()
        var pending = 0
        func waitForMore(_ events: Int16) throws {
            let silence = ContinuousClock.now + limits.silence
            try wait(events, until: limits.deadline.map { min($0, silence) } ?? silence)
            pending += bytesInSocket
            guard pending <= limits.rowBytes else { throw tooLarge }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        while true {
            let flushed = PQflush(handle)
            guard flushed >= 0 else { throw lost() }
            if flushed == 0 { break }
            try waitForMore(Int16(POLLIN | POLLOUT))
        }
        while PQisBusy(handle) == 1 { try waitForMore(Int16(POLLIN)) }
        return PQgetResult(handle)
    }

    private var tooLarge: PostgreSQLError {
        PostgreSQLError(.unexpectedAnswer, "The server sends a value that is larger than any of this library.")
    }

    /// What the next call of libpq reads, at least: a rough bound of the memory that one value can take. libpq may read
    /// more at once than there was, and says nothing of it.
    private var bytesInSocket: Int {
        guard let handle else { return 0 }
        var count: Int32 = 0
        return ioctl(PQsocket(handle), UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    func open() throws -> OpaquePointer {
        guard let handle else { throw Self.isClosed }
        return handle
    }

    func lost() -> PostgreSQLError {
        let text = handle.map(message(of:)) ?? ""
        return PostgreSQLError(
            .lost, "The connection to the server at \(address) ended\(text.isEmpty ? "." : ": \(text)")")
    }

    private func error(of result: OpaquePointer) -> PostgreSQLError {
        let state = yap_sqlstate(result).map { String(cString: $0) }
        let text = yap_primary(result).map { String(cString: $0) } ?? String(cString: PQresultErrorMessage(result))
        // Without a code it is libpq that speaks: the connection ended.
        guard let state else {
            return PostgreSQLError(.lost, address.redacted("The connection to the server ended: \(text)"))
        }
        return PostgreSQLError(.failed, address.redacted("The server says: \(text)."), sqlState: state)
    }
}
