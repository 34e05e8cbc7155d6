import Dispatch
import FileEngine
import Foundation

/// Passes rows to the extensions that are registered together, decoded once for all of them.
///
/// Where there are many rows, several views take and sort them on other threads, each view on one, with connections that read the
/// same rows: a transaction that registers extensions changes no row. An extension that reads from one of the others is filled when that one
/// is complete.
final class RowDistributor {
    private let receivers: [any RowReceiver]
    private unowned let transaction: YapDatabaseReadWriteTransaction
    /// What all receivers together need of every row; nil if it depends on the collection.
    private let needsOfAll: RowNeeds?
    private var portion: [DecodedRow] = []
    private var portionBytes = 0
    /// Nil until the first portion is full.
    private var lanes: [RowLane]?

    /// Enough work to be worth a change of threads, and little memory.
    private static let (maxRows, maxBytes) = (512, 128 << 10)

    init(_ receivers: [any RowReceiver], _ transaction: YapDatabaseReadWriteTransaction) {
        self.receivers = receivers
        self.transaction = transaction
        let takesAll = receivers.allSatisfy { $0.allowedCollections == nil }
        needsOfAll = takesAll ? receivers.reduce([]) { $0.union($1.needs) } : nil
    }

    func add(_ row: ScannedRow) throws {
        guard let needs = needsOfAll ?? needs(of: row.key) else { return }
        let decoded = try DecodedRow(row, needs: needs)
        portion.append(decoded)
        portionBytes += decoded.size
        if portion.count >= Self.maxRows || portionBytes >= Self.maxBytes { try pass(to: startedLanes()) }
    }

    /// What is needed of a row; nil if no receiver takes it.
    private func needs(of key: RowKey) -> RowNeeds? {
        receivers.reduce(nil) { $1.allows(key) ? ($0 ?? []).union($1.needs) : $0 }
    }

    /// Ends the receivers, in their order. While one of them writes, others sort.
    func end() throws {
        let lanes = lanes ?? []
        try pass(to: lanes)
        for lane in lanes { lane.sort() }
        for receiver in receivers {
            if let lane = lanes.first(where: { $0.has(receiver) }) {
                try lane.waitUntilSorted(receiver)
            } else {
                try receiver.sort(in: transaction)
            }
            try receiver.end()
        }
    }

    /// Waits until no other thread has a receiver.
    func stop() { lanes?.forEach { $0.stop() } }

    private func pass(to lanes: [RowLane]) throws {
        let rows = portion
        (portion, portionBytes) = ([], 0)
        for lane in lanes { try lane.receive(rows) }
        for receiver in receivers where !lanes.contains(where: { $0.has(receiver) }) {
            try receiver.receive(receiver.allowed(rows), in: transaction)
        }
    }

    private func startedLanes() -> [RowLane] {
        if let lanes { return lanes }
        let concurrent = receivers.filter(\.isConcurrent)
        let count = min(concurrent.count, ProcessInfo.processInfo.activeProcessorCount)
        var started: [RowLane] = []
        // With one lane, or without a connection for each, this thread does the work.
        if count > 1,
            let connections = try? (0..<count).map({ _ in try transaction.connection.database.newConnection() })
        {
            started = connections.enumerated().map { number, connection in
                RowLane(stride(from: number, to: concurrent.count, by: count).map { concurrent[$0] }, connection)
            }
        }
        lanes = started
        return started
    }
}

/// A thread with a connection that takes rows for some of the receivers.
private final class RowLane: @unchecked Sendable {
    // @unchecked: the receivers are used on the queue alone, and by another thread after it has waited for the queue.

    private let receivers: [any RowReceiver]
    private let connection: YapDatabaseConnection
    private let queue = DispatchQueue(label: "YapDatabase.RowLane", qos: .userInitiated)
    /// Portions that may wait: few, so that memory stays bounded.
    private let room = DispatchSemaphore(value: 4)
    private let sorted: [DispatchSemaphore]
    private let failure = Locked<(any Error)?>(nil)

    init(_ receivers: [any RowReceiver], _ connection: YapDatabaseConnection) {
        self.receivers = receivers
        self.connection = connection
        sorted = receivers.map { _ in DispatchSemaphore(value: 0) }
    }

    func has(_ receiver: any RowReceiver) -> Bool { receivers.contains { $0 === receiver } }

    /// - Throws: what a receiver threw about earlier rows.
    func receive(_ rows: [DecodedRow]) throws {
        try throwFailure()
        room.wait()
        queue.async { [self] in
            run { transaction in
                for receiver in receivers { try receiver.receive(receiver.allowed(rows), in: transaction) }
            }
            room.signal()
        }
    }

    func sort() {
        for index in receivers.indices {
            queue.async { [self] in
                run { try receivers[index].sort(in: $0) }
                sorted[index].signal()
            }
        }
    }

    /// - Throws: what a receiver threw.
    func waitUntilSorted(_ receiver: any RowReceiver) throws {
        guard let index = receivers.firstIndex(where: { $0 === receiver }) else { return }
        sorted[index].wait()
        try throwFailure()
    }

    func stop() {
        failure.withLock { $0 = $0 ?? CancellationError() }
        queue.sync {}
    }

    /// After a failure nothing is done any more.
    private func run(_ body: (YapDatabaseReadTransaction) throws -> Void) {
        guard failure.withLock({ $0 == nil }) else { return }
        do { try connection.read(body) } catch { failure.withLock { $0 = error } }
    }

    private func throwFailure() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}

extension RowReceiver {
    fileprivate func allows(_ key: RowKey) -> Bool { allowedCollections?.isAllowed(key.collection) ?? true }

    fileprivate func allowed(_ rows: [DecodedRow]) -> [DecodedRow] {
        allowedCollections == nil ? rows : rows.filter { allows($0.key) }
    }
}
