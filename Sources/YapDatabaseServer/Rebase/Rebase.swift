import FileEngine
import Foundation

/// Brings a file that has pending mutations to a newer state of its space. It removes the changes of the pending mutations, writes the fetched
/// rows, and applies the mutations that are still pending again on top.
///
/// All of that is one commit, which changes only the rows that differ in the end. A row that ends as it began is not written, so no list shows it
/// leave and return. For that the work is done twice. The first time is a rehearsal, which is rolled back. It yields a ``Rehearsal``: the rows
/// that mutations changed, as they are in the end. The second time writes the rows that differ. Extensions and lists see an ordinary commit and
/// need not know of mutations.
///
/// A mutation that changed rows of a collection which this program does not follow waits, too: it does not have the newest state of those rows.
///
/// Law: the rows are those of the server's state with the pending mutations applied in their order, except mutations that threw. Rows of collections
/// that stay in the file are as before.
/// Cost: the fetched rows and all pending mutations, twice; not the size of the file.
struct Rebase {
    let fetched: Fetched
    let collections: YapDatabaseServerCollections
    let types: MutationTypes
    /// The mutations that the server has, with their commits.
    let stored: [UUID: Int]
    /// The mutations that are not applied again, with the reasons.
    var rejections: [UUID: String]
    /// What the server said of others.
    var trial = Trial()
    /// The first mutation that this program cannot run yet; nil if there is none. It waits, and so do all mutations after it, which have to be sent
    /// later in any case. A mutation that waits keeps the changes that it had made.
    var unready: Unready?
    /// Called after the pending changes were removed, before anything is written. Throws if the file would lose rows.
    let check: (YapDatabaseReadWriteTransaction) throws -> Void
    let isStopped: () -> Bool

    /// A mutation threw an error after which its transaction cannot continue.
    struct Spoilt: Error {
        let mutation: UUID
        let reason: String
    }

    /// Mutations that the server would also refuse without the mutations that are rejected before them.
    struct Refused: Error {
        let reasons: [UUID: String]
    }

    /// A mutation reads an extension that is not registered, perhaps not yet.
    struct Unready: Error {
        /// The number of the mutation.
        let number: Int
        let reason: String
    }

    /// The result of a rehearsal.
    struct Rehearsal {
        /// The number of the commit on which it was made.
        let number: Int
        /// The rows that mutations change or have changed, as they are in the end.
        let rows: RowSpool
        /// The rows that the pending mutations replace, each with the number of its mutation in `changed`.
        let replaced: RowSpool
        /// The records of mutations whose state has changed.
        var changed: [YapMutationRecord] = []
        var accepted: [(record: YapMutationRecord, commit: Int)] = []
        var rejected: [YapMutationRecord] = []
        var outbox: OutboxState
    }

    /// Mutations that are read at once.
    private static let step = 256

    // MARK: The rehearsal

    /// - Throws: ``Spoilt``, ``Refused`` and ``Unready``, and what reading and writing throws.
    func rehearse(in transaction: YapDatabaseReadWriteTransaction, beside path: String) throws -> Rehearsal {
        var rehearsal = Rehearsal(
            number: transaction.numberBefore, rows: RowSpool(beside: path), replaced: RowSpool(beside: path),
            outbox: try transaction.outboxOrNew())
        let waiting = try waiting(from: rehearsal.outbox.first, transaction)
        var keys = try takeAway(transaction, beside: path)
        try check(transaction)
        var writer = FetchedRowWriter(fetched, collections, in: transaction)
        try writer.run()
        try applyPending(&rehearsal, waiting, transaction)
        try transaction.forEachReplacedRow { row in
            try rehearsal.replaced.append(ServerRow(row))
            keys.insert(row.key)
        }
        for key in keys { try rehearsal.rows.append(ServerRow(key, try transaction.storedBytes(key))) }
        return rehearsal
    }

    /// The mutations that wait, by their numbers.
    private struct Waiting {
        /// The rows of each mutation, as it has written them; nil for a row that it removed.
        var effects: [Int: [(RowKey, StoredBytes?)]] = [:]
        /// Why a mutation waits that changed rows of collections which this program does not follow.
        var strangers: [Int: String] = [:]
    }

    /// Returns the mutations that this program cannot run again. Their rows are written as they are.
    private func waiting(from first: Int, _ transaction: YapDatabaseReadWriteTransaction) throws -> Waiting {
        var waiting = Waiting()
        try forEachPending(from: first, transaction) { record in
            let mustWait = isUnready(record) || !types.knows(record.name, version: record.version)
            // To read the rows of each mutation costs about as much as to find them once more.
            guard mustWait || collections != .all else { return }
            let rows = try transaction.replacedRows(by: record.number)
            let stranger = collections.reasonOfWaiting(rows.lazy.map(\.key.collection))
            guard mustWait || stranger != nil else { return }
            waiting.strangers[record.number] = stranger
            waiting.effects[record.number] = try rows.map { ($0.key, try transaction.result(of: $0)) }
        }
        return waiting
    }

    private func isUnready(_ record: YapMutationRecord) -> Bool { unready.map { record.number >= $0.number } ?? false }

    /// Gives each row with pending changes the value that the server has of it.
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
        _ rehearsal: inout Rehearsal, _ waiting: Waiting, _ transaction: YapDatabaseReadWriteTransaction
    ) throws {
        var outbox = rehearsal.outbox
        let start = outbox.first
        (outbox.first, outbox.bytes) = (outbox.last + 1, 0)
        var review = TrialReview(trial)
        var refused: [UUID: String] = [:]
        try forEachPending(from: start, transaction) { record in
            let before = record
            var record = record
            if let commit = stored[record.id] {
                _ = review.refusal(of: record.id, .another)
                rehearsal.accepted.append((record, commit))
                return
            }
            if let reason = try rejections[record.id] ?? apply(&record, waiting, transaction) {
                _ = review.refusal(of: record.id, .rejected)
                record.setState(.rejected, reason: reason)
                rehearsal.rejected.append(record)
                return
            }
            let refusal = try review.refusal(
                of: record.id,
                record.state == .waiting ? .another : .applied(MutationChanges(of: record.number, transaction)))
            if let refusal {
                refused[record.id] = refusal
                return try takeBack(record, transaction)
            }
            if record != before { rehearsal.changed.append(record) }
            outbox.first = min(outbox.first, record.number)
            outbox.bytes += record.size
        }
        rehearsal.outbox = outbox
        // The next rehearsal leaves them out: to take them back may leave traces of extensions.
        guard refused.isEmpty else { throw Refused(reasons: refused) }
    }

    /// Gives the rows of a mutation that was just applied the values that they had before.
    private func takeBack(_ record: YapMutationRecord, _ transaction: YapDatabaseReadWriteTransaction) throws {
        transaction.recording = nil
        for row in try transaction.replacedRows(by: record.number) {
            try transaction.setStored(row.key, to: row.bytes)
        }
        try transaction.removeReplacedRows(by: record.number)
    }

    /// Applies a pending mutation again, or lets it wait.
    /// - Returns: why it cannot be applied any more; nil if it was applied or waits.
    private func apply(
        _ record: inout YapMutationRecord, _ waiting: Waiting, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> String? {
        var others = OtherRows()
        transaction.recording = ReplacedRowRecording(mutation: record.number, collections: collections) {
            try others.note($0, in: transaction)
        }
        defer { transaction.recording = nil }
        func wait(_ reason: String) throws {
            // These rows were recorded before, some perhaps by a program that follows more collections.
            transaction.recording = ReplacedRowRecording(mutation: record.number, collections: .all)
            for (key, bytes) in waiting.effects[record.number] ?? [] { try transaction.setStored(key, to: bytes) }
            record.setState(.waiting, reason: reason)
        }
        do {
            if let unready, isUnready(record) {
                let isFirst = record.number == unready.number
                try wait(isFirst ? unready.reason : "It waits for an earlier one. \(unready.reason)")
                return nil
            }
            if let reason = waiting.strangers[record.number] {
                try wait(reason)
                return nil
            }
            switch try types.decoded(record.name, version: record.version, record.arguments) {
            case .known(let mutation):
                try mutation.apply(transaction)
                try transaction.changeRowsOfExtensions()
                transaction.recording = nil
                try others.restore(in: transaction)
                if record.state == .waiting { record.setState(.pending) }
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
            try takeBack(record, transaction)
            try others.restore(in: transaction)
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

    /// Writes the result of a rehearsal, in a transaction on the state on which the rehearsal was made.
    /// - Returns: the writer of the fetched rows, which knows what it has written.
    func write(_ rehearsal: Rehearsal, in transaction: YapDatabaseReadWriteTransaction) throws -> FetchedRowWriter {
        // These follow from the entries before the rebase, so they are read first.
        let rejected = try rehearsal.rejected.map { try withChanges($0, transaction) }
        let accepted = try rehearsal.accepted.flatMap { try transaction.replacedRows(by: $0.record.number).map(\.key) }
        var written: Set<RowKey> = []
        try rehearsal.rows.forEach { row in
            if try transaction.setStored(row.key, to: row.bytes) { written.insert(row.key) }
        }
        var writer = FetchedRowWriter(fetched, collections, in: transaction)
        writer.excluded = try KeySet(rehearsal.rows)
        try writer.run()
        try transaction.removeReplacedRows()
        try rehearsal.replaced.forEach { try transaction.insertReplaced(ReplacedRow($0)) }
        // Their cells show that the server has them.
        for key in accepted where !written.contains(key) {
            try transaction.touchRow(forKey: key.key, inCollection: key.collection)
        }
        try saveRecords(rehearsal, rejected, in: transaction)
        return writer
    }

    /// Commits the transaction of the rehearsal itself. Used if other processes write again and again between rehearsal and commit. Lists may show
    /// rows leave and return, and the record of a rejected mutation lacks the changes that it had made.
    func keep(_ rehearsal: Rehearsal, in transaction: YapDatabaseReadWriteTransaction) throws {
        try saveRecords(rehearsal, rehearsal.rejected, in: transaction)
    }

    private func saveRecords(
        _ rehearsal: Rehearsal, _ rejected: [YapMutationRecord], in transaction: YapDatabaseReadWriteTransaction
    ) throws {
        var outbox = rehearsal.outbox
        let bytes = outbox.bytes
        for record in rehearsal.changed + rejected { try transaction.save(record) }
        for (record, commit) in rehearsal.accepted { try transaction.noteAccepted(record, commit: commit, &outbox) }
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

/// The rows of collections that stay in the file, as they were before a later run of a mutation changed them.
private struct OtherRows {
    private var rows: [(key: RowKey, bytes: StoredBytes?)] = []
    private var keys: Set<RowKey> = []

    mutating func note(_ key: RowKey, in transaction: YapDatabaseReadTransaction) throws {
        if RowTable.isDerived(key.collection) || !keys.insert(key).inserted { return }
        rows.append((key, try transaction.storedBytes(key)))
    }

    /// Undoes the changes. Nothing may be recorded meanwhile.
    func restore(in transaction: YapDatabaseReadWriteTransaction) throws {
        for (key, bytes) in rows { try transaction.setStored(key, to: bytes) }
    }
}

extension YapDatabaseServerCollections {
    /// Why a mutation that changed rows of these collections has to wait for a program that follows them; nil if this one does.
    func reasonOfWaiting(_ changed: some Sequence<String>) -> String? {
        changed.first { !contains($0) }.map {
            "It changed rows of the collection \"\($0)\", which this program does not follow. Open the file with the collections that it had."
        }
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
