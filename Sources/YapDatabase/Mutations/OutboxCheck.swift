import FileEngine

/// Compares what pending mutations have replaced, and the summary of them, with their records: each entry belongs to a mutation that is pending, no
/// pending mutation is left out, and each record can be read. O(mutations and their rows).
struct OutboxCheck {
    private let store: Store

    init(_ store: Store) { self.store = store }

    func problems() throws -> [YapDatabaseProblem] {
        var pending: Set<Int> = []
        var unreadable: [String] = []
        let cursor = try RowCursor(store, .collection(RowTable.mutations), .values)
        var bytes: [UInt8] = []
        while try cursor.next() {
            bytes.removeAll(keepingCapacity: true)
            _ = cursor.appendObject(to: &bytes)
            if let record = YapMutationRecord(stored: bytes, key: cursor.key.key) {
                if !record.isSettled { pending.insert(record.number) }
            } else {
                unreadable.append(cursor.key.key)
            }
        }
        var strays: Set<Int> = []
        try store.forEachReplacedRow { if !pending.contains($0.mutation) { strays.insert($0.mutation) } }
        var problems: [YapDatabaseProblem] = []
        if let first = unreadable.first {
            problems.append(
                .inOutbox(
                    "\(Self.count(unreadable.count, "mutation")) cannot be read, the first under the key \"\(first)\""))
        }
        if let first = strays.min() {
            problems.append(
                .inOutbox(
                    "rows are kept for \(Self.count(strays.count, "mutation")) that are not pending, the first with number \(first)"
                ))
        }
        if let fault = try faultOfSummary() { problems.append(.inOutboxSummary(fault)) }
        return problems
    }

    /// Nil also where there is no summary: it is made of the records when it is needed.
    private func faultOfSummary() throws -> String? {
        guard let text = try store.yapText(extension: "", key: SpaceValue.outbox) else { return nil }
        guard let summary = OutboxState(text) else { return "cannot be read" }
        return try store.countOfMutations()?.fault(of: summary)
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
