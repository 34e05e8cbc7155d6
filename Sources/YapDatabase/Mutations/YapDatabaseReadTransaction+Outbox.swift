import FileEngine
import Foundation

/// Which mutations of a file are pending, by its summary as far as the records agree with it.
extension YapDatabaseReadTransaction {
    /// Which mutations are pending; nil if the file never had one.
    ///
    /// A summary that this process does not know is compared with the records: two look-ups in their index. The first one is compared with
    /// all settled ones that stand before the pending ones, about a hundred. If it does not fit, or is missing, all records are counted, and the next
    /// mutation that is made, sent or rejected stores the right summary.
    package func outbox() throws -> OutboxState? { try knownOutbox().state }

    /// The same; a new one begins after the records that are left of another space, whose rejected mutations stay until the program has dealt
    /// with them.
    package func outboxOrNew() throws -> OutboxState { try outbox() ?? OutboxState() }

    /// Which mutations are pending, whatever the summary says. O(records) once for each summary.
    func countedOutbox() throws -> OutboxState {
        let known = try knownOutbox()
        return try (known.isCounted ? known : count(known.text)).state ?? OutboxState()
    }

    private func knownOutbox() throws -> KnownOutboxes.Entry {
        let (known, text) = (connection.database.knownOutboxes, try fileValue(SpaceValue.outbox))
        if let entry = known.withLock({ $0[text] }) { return entry }
        if let state = text.flatMap(OutboxState.init), try fits(state, isFirst: known.withLock { !$0.wereAsked }) {
            let entry = KnownOutboxes.Entry(text: text, state: state)
            known.withLock { $0.note(entry) }
            return entry
        }
        return try count(text)
    }

    /// - Parameter text: the summary of this state of the file.
    private func count(_ text: String?) throws -> KnownOutboxes.Entry {
        let entry = KnownOutboxes.Entry(text: text, state: try store.countOfMutations()?.state, isCounted: true)
        connection.database.knownOutboxes.withLock { $0.note(entry) }
        return entry
    }

    // MARK: Whether a summary fits the records

    /// Whether no record of a pending mutation stands outside of a summary, as far as a few look-ups tell.
    private func fits(_ state: OutboxState, isFirst: Bool) throws -> Bool {
        let greatest = try number(before: OutboxState.largestNumber + 1) ?? 0
        // Records of the last ones may be gone: the program has dealt with them.
        guard state.last >= greatest, state.last - greatest <= OutboxState.limit.mutations else { return false }
        return try isFirst ? areAllSettled(before: state.first) : areLastSettled(before: state.first)
    }

    private func areAllSettled(before first: Int) throws -> Bool {
        var areSettled = true
        try forEachMutation(from: 0) { record in
            if record.number >= first { return false }
            areSettled = record.isSettled
            return areSettled
        }
        return areSettled
    }

    /// Mutations are accepted in their order, so only the rejected ones are passed over.
    private func areLastSettled(before first: Int) throws -> Bool {
        var next = first
        for _ in 0..<Self.settledLimit {
            guard let number = try number(before: next) else { return true }
            if let record = try mutation(number) {
                if !record.isSettled { return false }
                if record.state == .accepted { return true }
            }
            next = number
        }
        return true
    }

    private static let settledLimit = 128

    /// The greatest number of a record below another number. O(log records).
    private func number(before number: Int) throws -> Int? {
        try store.lastKey(inCollection: RowTable.mutations, before: YapMutationRecord.key(number))
            .flatMap { Int($0, radix: 16) }
    }

    private func mutation(_ number: Int) throws -> YapMutationRecord? {
        let key = YapMutationRecord.key(number)
        let bytes = try storedBytes(RowKey(collection: RowTable.mutations, key: key))
        return bytes.flatMap { YapMutationRecord(stored: Array($0.object), key: key) }
    }

    // MARK: Records

    /// Calls the body with each record that can be decoded, in their order, until it returns false.
    func forEachMutation(from number: Int, _ body: (YapMutationRecord) throws -> Bool) throws {
        let range = YapMutationRecord.key(number)..<YapMutationRecord.keysEnd
        let cursor = try RowCursor(store, .collection(RowTable.mutations, range), .values)
        var bytes: [UInt8] = []
        while try cursor.next() {
            bytes.removeAll(keepingCapacity: true)
            _ = cursor.appendObject(to: &bytes)
            guard let record = YapMutationRecord(stored: bytes, key: cursor.key.key) else { continue }
            if try !body(record) { return }
        }
    }

    /// The next number under which there is neither a record, also none that cannot be read, nor a row that such a mutation has replaced: a record is
    /// never overwritten by another mutation's, and rows are never taken for another mutation's. Two searches for most mutations.
    func freeNumber(after last: Int) throws -> Int {
        var number = last + 1
        while try isTaken(number) { number += 1 }
        return number
    }

    private func isTaken(_ number: Int) throws -> Bool {
        let key = RowKey(collection: RowTable.mutations, key: YapMutationRecord.key(number))
        return try store.rowid(forKey: key) != nil || !store.replacedRows(by: number).isEmpty
    }
}

extension YapMutationRecord {
    /// After every key.
    fileprivate static let keysEnd = "g"

    /// - Returns: nil for a record that cannot be decoded, or whose number is not that of its row or none that a file reaches.
    package init?(stored bytes: [UInt8], key: String) {
        let record = bytes.withUnsafeBytes { try? YapDatabaseCodableFormat.json.decode(Self.self, $0) }
        guard let record, record.key == key, 1...OutboxState.largestNumber ~= record.number else { return nil }
        self = record
    }
}
