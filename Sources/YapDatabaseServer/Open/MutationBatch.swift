import FileEngine
import Foundation

/// Pending mutations that are sent together.
struct MutationBatch {
    struct Mutation {
        var record: YapMutationRecord
        var changes: MutationChanges
        var mode: YapDatabaseServerMode
    }

    private(set) var mutations: [Mutation] = []
    var position: SpacePosition?
    /// Whether the file has to be brought up to date first.
    var needsCatchUp = false
    /// Why the first mutation waits; nil if it can be sent.
    var reasonOfWaiting: String?
    /// The id of the first mutation, if it waits and this program may be able to run it now.
    var waiting: UUID?

    /// About how many are pending, sent or not.
    private(set) var pending = 0

    private static let maxBytes = 8 << 20

    init(_ transaction: YapDatabaseReadTransaction, _ server: YapDatabaseServer, most: Int) throws {
        position = try transaction.position()
        needsCatchUp = server.comparison(of: position, local: transaction.connection.snapshot) != nil
        let types = transaction.connection.database.mutationTypes
        var bytes = 0
        pending = try transaction.outbox()?.pending ?? 0
        for record in try transaction.pendingMutations(limit: min(most, ServerLimits.batch(pending: pending))) {
            if record.state == .waiting {
                guard mutations.isEmpty else { return }
                reasonOfWaiting = record.reason ?? "\(record)"
                // A mutation that this program knows by now is applied again before it is sent.
                if types.knows(record.name, version: record.version) { waiting = record.id }
                return
            }
            let mutation = Mutation(
                record: record, changes: try MutationChanges(of: record.number, transaction),
                mode: types.dependsOnlyOnItsRows(record.name) ? .rows : server.options.mode)
            let changed = mutation.changes.outgoing.collections.lazy.map {
                String(decoding: $0 ?? Data(), as: UTF8.self)
            }
            if let reason = server.options.collections.reasonOfWaiting(changed) {
                // Those before it are sent first.
                reasonOfWaiting = mutations.isEmpty ? reason : nil
                return
            }
            bytes += mutation.changes.outgoing.bytes
            guard mutations.isEmpty || bytes <= Self.maxBytes else { return }
            mutations.append(mutation)
        }
    }
}
