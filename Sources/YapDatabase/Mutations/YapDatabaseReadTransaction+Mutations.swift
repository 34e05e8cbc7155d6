import FileEngine
import Foundation
import ListChanges

extension YapDatabaseReadTransaction {
    /// Whether a row has changes that the server does not have yet, so that a cell can show it. When the server has them, lists update the
    /// row.
    ///
    /// ```swift
    /// let mark = try transaction.hasPendingChanges(forKey: message.id, inCollection: "messages") ? "○" : "✓"
    /// ```
    ///
    /// O(log pending changes); next to nothing in a file without any.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read.
    public func hasPendingChanges(forKey key: String, inCollection collection: String? = nil) throws -> Bool {
        try store.replacedRow(RowKey(collection: collection ?? "", key: key)) != nil
    }

    /// The mutations that the server does not have yet, in their order.
    ///
    /// ```swift
    /// print(try transaction.pendingMutations().count, "wait for the server")
    /// ```
    ///
    /// - Parameter limit: the most that are returned.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read.
    public func pendingMutations(limit: Int = .max) throws -> [YapMutationRecord] {
        try pendingMutations(from: outbox()?.first ?? 1, limit: limit)
    }

    /// The mutations that could not be applied any more, or were refused, in their order. O(records).
    ///
    /// ```swift
    /// for record in try transaction.rejectedMutations() { print(record.reason ?? "") }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` if the file cannot be read.
    public func rejectedMutations() throws -> [YapMutationRecord] {
        try records(from: 0, limit: .max) { $0.state == .rejected }
    }

    /// Pending mutations from a number on.
    package func pendingMutations(from number: Int, limit: Int) throws -> [YapMutationRecord] {
        guard try outbox() != nil else { return [] }
        return try records(from: number, limit: limit) { !$0.isSettled }
    }

    package func hasPendingMutations() throws -> Bool { try !pendingMutations(limit: 1).isEmpty }

    /// A record that cannot be decoded is passed over: it costs itself. `yap check` says so.
    private func records(
        from number: Int, limit: Int, where isWanted: (YapMutationRecord) -> Bool
    ) throws -> [YapMutationRecord] {
        var found: [YapMutationRecord] = []
        if limit <= 0 { return [] }
        try forEachMutation(from: number) { record in
            if isWanted(record) { found.append(record) }
            return found.count < limit
        }
        return found
    }

    /// What a mutation made of a row that it replaced; nil if it removed it.
    package func result(of row: ReplacedRow) throws -> StoredBytes? {
        guard let next = try store.replacedRow(row.key, after: row.mutation) else { return try storedBytes(row.key) }
        return next.object.map { StoredBytes(object: $0, metadata: next.metadata) }
    }

    /// What the server has of a row, as far as the file knows: the row without what is pending.
    package func confirmedBytes(_ key: RowKey) throws -> StoredBytes? {
        guard let oldest = try store.replacedRow(key) else { return try storedBytes(key) }
        return oldest.object.map { StoredBytes(object: $0, metadata: oldest.metadata) }
    }

    /// The keys of the rows of a collection that have changes which the server lacks, at most so many.
    package func keysWithPendingChanges(inCollection collection: String, limit: Int) throws -> [String] {
        try store.replacedKeys(inCollection: collection, limit: limit)
    }

    package func isReplaced(_ key: RowKey) throws -> Bool { try store.replacedRow(key) != nil }

    package func replacedRows(by mutation: Int) throws -> [ReplacedRow] { try store.replacedRows(by: mutation) }

    package func forEachReplacedRow(_ body: (ReplacedRow) throws -> Void) throws {
        try store.forEachReplacedRow(body)
    }
}

extension YapDatabaseReadWriteTransaction {
    package func save(_ record: YapMutationRecord) throws {
        try derivingRows { try self[YapMutationRecord.all].save(record) }
    }

    func remove(_ record: YapMutationRecord) throws {
        try derivingRows { try self[YapMutationRecord.all].remove(record.key) }
    }

    package func setOutbox(_ state: OutboxState) throws {
        let text = state.text
        try setFileValue(text, SpaceValue.outbox)
        connection.database.knownOutboxes.withLock { $0.note(KnownOutboxes.Entry(text: text, state: state)) }
    }

    /// Stores in a mutation's record that the server has accepted it. Removes the record of the mutation a hundred numbers before, if that one was
    /// accepted. The replaced rows of the mutation stay.
    package func noteAccepted(_ record: YapMutationRecord, commit: Int?, _ outbox: inout OutboxState) throws {
        var record = record
        record.setState(.accepted, commit: commit)
        try save(record)
        outbox.remove(size: record.size)
        let old = YapMutationRecord.key(record.number - Self.acceptedRecords)
        if let former = try self[YapMutationRecord.all][old], former.state == .accepted {
            try remove(former)
        }
    }

    private static let acceptedRecords = 100

    package func removeReplacedRows(by mutation: Int) throws { try store.removeReplacedRows(by: mutation) }
    package func removeReplacedRows() throws { try store.removeReplacedRows() }
    package func insertReplaced(_ row: ReplacedRow) throws { try store.insertReplaced(row) }

    /// Gives a row stored bytes, as little as differs; nil removes it.
    /// - Returns: whether anything was changed.
    @discardableResult
    package func setStored(_ key: RowKey, to bytes: StoredBytes?) throws -> Bool {
        let present = try storedBytes(key)
        switch (present, bytes) {
        case (nil, nil): return false
        case (_, nil): try remove([key])
        case (nil, let bytes?): try setStored(key, object: bytes.object, metadata: bytes.metadata)
        case (let present?, let bytes?):
            switch (present.object == bytes.object, present.metadata == bytes.metadata) {
            case (true, true): return false
            case (false, false): try setStored(key, object: bytes.object, metadata: bytes.metadata)
            case (false, true): try setStoredObject(key, bytes.object)
            case (true, false): try setStoredMetadata(key, bytes.metadata)
            }
        }
        return true
    }
}
