import FileEngine
import Foundation

/// Brings a file that has pending mutations to a newer state of its space: what is pending is taken away, what has arrived is written, and
/// what is still pending is applied again on top.
///
/// All of that is one commit, whose changes are what differs in the end: a row that comes out as it was is not written at all, so no list
/// shows it go and come. For that it is done twice. The first time is a rehearsal, which is rolled back and leaves an ``Outcome``: how the
/// rows of mutations are in the end. The second time writes what differs. Extensions and lists see only that, as in any commit, and nothing
/// in them has to know of mutations.
///
/// Law: the rows are those of the server's state with the pending mutations applied in their order, less those that threw.
/// Cost: what has arrived, and all that is pending, twice; not the file.
struct Rebase {
    let fetched: Fetched
    let collections: YapDatabaseServerCollections
    let types: MutationTypes
    /// The mutations that the server has, with their commits.
    let stored: [UUID: Int]
    /// The mutations that are not applied again, with the reasons.
    var rejections: [UUID: String]
    /// The first mutation that this program cannot run yet; nil if there is none. As one that it does not know, it is applied as it was and waits,
    /// and so do those after it, which are sent later in any case.
    var unready: Unready?
    /// Called when pending changes are taken away, before anything is written: throws if the file would lose rows.
    let check: (YapDatabaseReadWriteTransaction) throws -> Void
    let isStopped: () -> Bool

    /// The file cannot go on in this transaction after what a mutation did.
    struct Spoilt: Error {
        let mutation: UUID
        let reason: String
    }

    /// A mutation reads an extension that is not registered, perhaps not yet.
    struct Unready: Error {
        /// The number of the mutation.
        let number: Int
        let reason: String
    }

    /// What a rehearsal leaves.
    struct Outcome {
        /// The commit on which it was made.
        let number: Int
        /// Rows that mutations change or changed, as they are in the end.
        let rows: RowSpool
        /// The entries of what is still pending: what is replaced, with the mutation's number in `changed`.
        let replaced: RowSpool
        /// Records in another state than before.
        var changed: [YapMutationRecord] = []
        var accepted: [(record: YapMutationRecord, commit: Int)] = []
        var rejected: [YapMutationRecord] = []
        var outbox: OutboxState
    }

    /// Mutations that are read at once.
    private static let step = 256

    // MARK: The rehearsal

    /// - Throws: ``Spoilt`` and ``Unready``, and what reading and writing throws.
    func rehearse(in transaction: YapDatabaseReadWriteTransaction, beside path: String) throws -> Outcome {
        var outcome = Outcome(
            number: transaction.numberBefore, rows: RowSpool(beside: path), replaced: RowSpool(beside: path),
            outbox: try transaction.outbox() ?? OutboxState())
        let effects = try effectsOfWaiting(from: outcome.outbox.first, transaction)
        var keys = try takeAway(transaction, beside: path)
        try check(transaction)
        var apply = Apply(fetched, collections, in: transaction)
        try apply.run()
        try applyPending(&outcome, effects, transaction)
        try transaction.forEachReplacedRow { row in
            try outcome.replaced.append(ServerRow(row))
            keys.insert(row.key)
        }
        for key in keys { try outcome.rows.append(ServerRow(key, try transaction.storedBytes(key))) }
        return outcome
    }

    /// What mutations have made of their rows that this program cannot run again: they are applied as they are.
    private func effectsOfWaiting(
        from first: Int, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> [Int: [(RowKey, StoredBytes?)]] {
        var effects: [Int: [(RowKey, StoredBytes?)]] = [:]
        try forEachPending(from: first, transaction) { record in
            guard isUnready(record) || !types.knows(record.name, version: record.version) else { return }
            effects[record.number] = try transaction.replacedRows(by: record.number).map {
                ($0.key, try transaction.result(of: $0))
            }
        }
        return effects
    }

    private func isUnready(_ record: YapMutationRecord) -> Bool { unready.map { record.number >= $0.number } ?? false }

    /// Gives each row what the server has of it.
    /// - Returns: the keys of these rows.
    private func takeAway(_ transaction: YapDatabaseReadWriteTransaction, beside path: String) throws -> Set<RowKey> {
        let oldest = RowSpool(beside: path)
        var keys: Set<RowKey> = []
        try transaction.forEachReplacedRow { row in
            if keys.insert(row.key).inserted { try oldest.append(ServerRow(row)) }
        }
        try oldest.forEach { try transaction.setStored($0.key, to: $0.bytes) }
        try transaction.removeReplacedRows()
        return keys
    }

    private func applyPending(
        _ outcome: inout Outcome, _ effects: [Int: [(RowKey, StoredBytes?)]],
        _ transaction: YapDatabaseReadWriteTransaction
    ) throws {
        var outbox = outcome.outbox
        let start = outbox.first
        (outbox.first, outbox.bytes) = (outbox.last + 1, 0)
        try forEachPending(from: start, transaction) { record in
            let before = record
            var record = record
            if let commit = stored[record.id] {
                outcome.accepted.append((record, commit))
                return
            }
            if let reason = try rejections[record.id] ?? apply(&record, effects[record.number] ?? [], transaction) {
                record.settle(.rejected, reason: reason)
                outcome.rejected.append(record)
                return
            }
            if record != before { outcome.changed.append(record) }
            outbox.first = min(outbox.first, record.number)
            outbox.bytes += record.size
        }
        outcome.outbox = outbox
    }

    /// - Returns: why it cannot be applied any more; nil if it is.
    private func apply(
        _ record: inout YapMutationRecord, _ effect: [(RowKey, StoredBytes?)],
        _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> String? {
        transaction.recording = ReplacedRowRecording(mutation: record.number, collections: collections)
        defer { transaction.recording = nil }
        func wait(_ reason: String) throws {
            for (key, bytes) in effect { try transaction.setStored(key, to: bytes) }
            record.settle(.waiting, reason: reason)
        }
        do {
            if let unready, isUnready(record) {
                let isFirst = record.number == unready.number
                try wait(isFirst ? unready.reason : "It waits for an earlier one. \(unready.reason)")
                return nil
            }
            switch try types.decoded(record.name, version: record.version, record.arguments) {
            case .known(let mutation):
                try mutation.apply(transaction)
                try transaction.changeRowsOfExtensions()
                if record.state == .waiting { record.settle(.pending) }
            case .unknown(let reason): try wait(reason)
            }
            return nil
        } catch let error as YapDatabaseError where error.code == .badExtension {
            throw Unready(number: record.number, reason: error.message)
        } catch {
            if transaction.hasFailed {
                if let error = error as? YapDatabaseError, error.isOfFile { throw error }
                throw Spoilt(mutation: record.id, reason: "\(error)")
            }
            transaction.recording = nil
            for row in try transaction.replacedRows(by: record.number) {
                try transaction.setStored(row.key, to: row.bytes)
            }
            try transaction.removeReplacedRows(by: record.number)
            return "\(error)"
        }
    }

    private func forEachPending(
        from first: Int, _ transaction: YapDatabaseReadTransaction, _ body: (YapMutationRecord) throws -> Void
    ) throws {
        var next = first
        while true {
            if isStopped() { throw Pusher.isClosed }
            let records = try transaction.pendingMutations(from: next, limit: Self.step)
            for record in records { try body(record) }
            guard let last = records.last, records.count == Self.step else { return }
            next = last.number + 1
        }
    }

    // MARK: The commit

    /// Writes what a rehearsal found out, in a transaction on the state on which that was made.
    /// - Returns: what was written of the fetched rows.
    func write(_ outcome: Outcome, in transaction: YapDatabaseReadWriteTransaction) throws -> Apply {
        // Said by the entries of before, so first.
        let rejected = try outcome.rejected.map { try withChanges($0, transaction) }
        let accepted = try outcome.accepted.flatMap { try transaction.replacedRows(by: $0.record.number).map(\.key) }
        var written: Set<RowKey> = []
        try outcome.rows.forEach { row in
            if try transaction.setStored(row.key, to: row.bytes) { written.insert(row.key) }
        }
        var apply = Apply(fetched, collections, in: transaction)
        apply.excluded = try KeySet(outcome.rows)
        try apply.run()
        try transaction.removeReplacedRows()
        try outcome.replaced.forEach { try transaction.insertReplaced(ReplacedRow($0)) }
        // Their cells show that the server has them.
        for key in accepted where !written.contains(key) {
            try transaction.touchRow(forKey: key.key, inCollection: key.collection)
        }
        try saveRecords(outcome, rejected, in: transaction)
        return apply
    }

    /// Makes a rehearsal the commit: where other processes write again and again between the two. Lists may see rows go and come, and a
    /// rejected mutation's record does not have what it had changed.
    func keep(_ outcome: Outcome, in transaction: YapDatabaseReadWriteTransaction) throws {
        try saveRecords(outcome, outcome.rejected, in: transaction)
    }

    private func saveRecords(
        _ outcome: Outcome, _ rejected: [YapMutationRecord], in transaction: YapDatabaseReadWriteTransaction
    ) throws {
        var outbox = outcome.outbox
        let bytes = outbox.bytes
        for record in outcome.changed + rejected { try transaction.save(record) }
        for (record, commit) in outcome.accepted { try transaction.settleAccepted(record, commit: commit, &outbox) }
        outbox.bytes = bytes
        try transaction.setOutbox(outbox)
    }

    private func withChanges(
        _ record: YapMutationRecord, _ transaction: YapDatabaseReadTransaction
    ) throws -> YapMutationRecord {
        var record = record
        let rows = try transaction.replacedRows(by: record.number)
        record.changes = try rows.prefix(YapMutationRecord.rowLimit).map { row in
            YapMutationRecord.Change(row.key, try transaction.result(of: row))
        }
        return record
    }
}

extension ServerRow {
    /// A row as the file has it.
    init(_ key: RowKey, _ bytes: StoredBytes?, number: Int = 0) {
        self.init(
            key: key, isGone: bytes == nil, changed: number, born: 0, objectAt: 0, metadataAt: 0, object: bytes?.object,
            metadata: bytes?.metadata)
    }

    init(_ row: ReplacedRow) { self.init(row.key, row.bytes, number: row.mutation) }

    var bytes: StoredBytes? { object.map { StoredBytes(object: $0, metadata: metadata) } }
}

extension ReplacedRow {
    init(_ row: ServerRow) {
        self.init(mutation: row.changed, key: row.key, object: row.object, metadata: row.metadata)
    }

    /// What was replaced; nil for no row.
    var bytes: StoredBytes? { object.map { StoredBytes(object: $0, metadata: metadata) } }
}

extension YapDatabaseError {
    /// Whether the file or the machine is the cause, and not what was to be written.
    fileprivate var isOfFile: Bool {
        switch code {
        case .corrupt, .diskFull, .inputOutput, .interrupted, .locked, .closed, .fileReplaced, .readOnly, .cannotOpen,
            .permissionDenied, .sqlite:
            true
        default: false
        }
    }
}
