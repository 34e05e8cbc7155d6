import FileEngine
import Foundation

extension YapDatabaseConnection {
    /// Makes a change at once, and has it sent to the server that the file follows.
    ///
    /// When it returns, the change is in the file, and lists show it. The server gets it when it can be reached: in the order in which
    /// mutations were made, and once, whatever happens to this program, the connection or the server. What other hosts commit until then is
    /// below it: the mutation runs again on their state.
    ///
    /// The file may be open without its server. A file that follows no server is changed, and nothing else.
    ///
    /// ```swift
    /// try connection.mutate(Say(id: UUID().uuidString, text: "Hello"))
    /// ```
    ///
    /// Costs a write transaction, a search for each changed row, and two small rows.
    ///
    /// - Returns: the id of its ``YapMutationRecord``.
    /// - Throws: what ``YapMutation/apply(_:)`` throws, after which nothing is stored; ``YapDatabaseError`` with `badOperation` if 100,000
    ///   mutations or 256 MB wait; and as every write.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    @discardableResult
    public func mutate(_ mutation: some YapMutation) throws -> YapMutationRecord.ID {
        checkPermission(.syncReadWrite)
        return try withTurn { try exclusively { try mutateOnQueue(mutation, replacing: nil) } }
    }

    /// Like the sync form, without blocking a thread of the caller. A task that is cancelled before the transaction begins makes no change.
    ///
    /// ```swift
    /// try await connection.mutate(Say(id: UUID().uuidString, text: "Hello"))
    /// ```
    ///
    /// - Returns: the id of its ``YapMutationRecord``.
    /// - Throws: as the sync form, and `CancellationError`.
    @discardableResult
    public func mutate(_ mutation: some YapMutation) async throws -> YapMutationRecord.ID {
        checkPermission(.asyncReadWrite)
        database.authority?.mutationWaits(true)
        defer { database.authority?.mutationWaits(false) }
        return try await inWritersTurn { try self.mutateInTurn(mutation, replacing: nil) }
    }

    /// Removes the record of a mutation that was rejected: the program has dealt with it.
    ///
    /// ```swift
    /// for record in try connection.read({ try $0.rejectedMutations() }) { try connection.forgetMutation(record) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with `badOperation` if it is not rejected; and as every write.
    public func forgetMutation(_ record: YapMutationRecord) throws {
        try exclusively {
            try prepareWrite()
            try database.writeGate.pass {
                try writeHere {
                    try $0.removeRejected(record)
                } confirming: {
                    try $0.stayInSpace()
                }
            }
        }
    }

    /// Makes the change of a mutation that was rejected once more, as a new mutation, in place of the rejected one.
    ///
    /// ```swift
    /// for record in try connection.read({ try $0.rejectedMutations() }) { try connection.repeatMutation(record) }
    /// ```
    ///
    /// - Returns: the id of the new record.
    /// - Throws: as `mutate`; then the record stays. ``YapDatabaseError`` with `badOperation` if it is not rejected, or of a kind that this
    ///   program does not know.
    @discardableResult
    public func repeatMutation(_ record: YapMutationRecord) throws -> YapMutationRecord.ID {
        switch try database.mutationTypes.decoded(record.name, version: record.version, record.arguments) {
        case .unknown(let reason): throw YapDatabaseError(.badOperation, reason)
        case .known(let mutation):
            try withTurn { try exclusively { try mutateOnQueue(mutation, replacing: record) } }
        }
    }

    /// Has transactions give way that wait for a server.
    private func withTurn<Value>(_ body: () throws -> Value) rethrows -> Value {
        database.authority?.mutationWaits(true)
        defer { database.authority?.mutationWaits(false) }
        return try body()
    }

    private func mutateOnQueue(_ mutation: some YapMutation, replacing record: YapMutationRecord?) throws -> UUID {
        try prepareWrite()
        // To notice that a server is silent takes another process about as long as a writer waits for it.
        var attempts = 1
        while true {
            do {
                return try database.writeGate.pass { try mutateInTurn(mutation, replacing: record) }
            } catch let error as YapDatabaseError
                where error.code == .locked && attempts < 3 && database.authority?.isAwaitedElsewhere == true
            { attempts += 1 }
        }
    }

    private func mutateInTurn<Mutation: YapMutation>(
        _ mutation: Mutation, replacing rejected: YapMutationRecord?
    ) throws -> UUID {
        database.registerMutations(Mutation.self)
        let id = try writeHere { transaction in
            if let rejected { try transaction.removeRejected(rejected) }
            guard let collections = try transaction.sharedCollections() else {
                try mutation.apply(transaction)
                return UUID.random()
            }
            var outbox = try transaction.outboxOrNew()
            let mayHavePending = outbox.mayHavePending
            let record = try transaction.takeIn(mutation, &outbox)
            if !mayHavePending { try transaction.noteBaseOfReplacedRows() }
            transaction.recording = ReplacedRowRecording(mutation: record.number, collections: collections)
            try mutation.apply(transaction)
            try transaction.save(record)
            try transaction.setOutbox(outbox)
            return record.id
        } confirming: { transaction in
            // Not earlier: the recording also has the rows that extensions changed at the end of the transaction.
            transaction.recording = nil
            try transaction.stayInSpace()
        }
        database.authority?.mutationsChanged()
        return id
    }
}

extension YapDatabaseReadWriteTransaction {
    /// The collections whose changes are sent; nil if the file follows no server.
    fileprivate func sharedCollections() throws -> YapDatabaseServerCollections? {
        if let authority = connection.database.authority { return authority.collections }
        return try connection.database.spaceFollowed(self)?.collections
    }

    /// Makes the record of a mutation, which the caller stores. A summary that leaves no room may be damaged: then all records are counted.
    fileprivate func takeIn(_ mutation: some YapMutation, _ outbox: inout OutboxState) throws -> YapMutationRecord {
        var record = try YapMutationRecord(mutation, number: freeNumber(after: outbox.last))
        if !outbox.hasRoom(for: record.size) || record.number > OutboxState.largestNumber {
            outbox = try countedOutbox()
            record = try YapMutationRecord(mutation, number: freeNumber(after: outbox.last))
        }
        guard outbox.hasRoom(for: record.size), record.number <= OutboxState.largestNumber else {
            throw outbox.refusal
        }
        outbox.add(number: record.number, size: record.size)
        return record
    }

    /// Keeps the file where it is in its space, although it makes a commit of its own.
    package func stayInSpace() throws {
        guard let position = try fileValue(SpaceValue.position) else {
            try connection.database.authority?.beginFollowing(in: self)
            return
        }
        if let moved = SpaceValue.position(position, movedFrom: numberBefore, to: numberOfCommit) {
            try setFileValue(moved, SpaceValue.position)
        }
    }

    /// Notes that the rows which pending mutations replace are those of the commit of the space that the file has.
    package func noteBaseOfReplacedRows() throws {
        guard let position = try fileValue(SpaceValue.position), let base = SpaceValue.base(of: position),
            try fileValue(SpaceValue.base) != base
        else { return }
        try setFileValue(base, SpaceValue.base)
    }

    fileprivate func removeRejected(_ record: YapMutationRecord) throws {
        guard let present = try self[YapMutationRecord.all][record.key], present.id == record.id,
            present.state == .rejected
        else { throw YapDatabaseError(.badOperation, "\(record) is not there as a rejected one.") }
        try remove(present)
    }
}
