import Foundation
import PostgreSQLBridge

/// Asks the server about a whole batch of mutations after it has refused one of them, so that further refusals do not cost a rebase each.
extension MutationSender {
    /// Sends a batch once more without the refused mutation, each mutation behind it with a savepoint, in a transaction that is rolled back. The
    /// mutations behind it may have read what it wrote, so they cannot be stored as they are. Which answers count is decided when they are applied
    /// again: ``Trial``.
    ///
    /// An error ends the trial, and what was answered before counts. The statement after it meets the same error.
    ///
    /// Costs two round trips for each mutation of the batch.
    /// - Parameter place: the place of the refused mutation in the batch.
    func trial(of batch: MutationBatch, refused place: Int, _ refusal: Trial.Refusal) -> Trial {
        pusher.letGo()
        var trial = Trial(refused: batch.mutations[place].record.id, refusal, after: place)
        guard place < batch.mutations.count - 1 else { return trial }
        do {
            _ = try pusher.hold(until: end(0), idle: ServerLimits.holdTime(pending: batch.pending))
            trial.accepted = 0
            try run(&trial, batch, place, refusal)
        } catch {
            pusher.close()
        }
        pusher.letGo()
        return trial
    }

    private func run(
        _ trial: inout Trial, _ batch: MutationBatch, _ refused: Int, _ refusal: Trial.Refusal
    ) throws {
        var base = batch.position
        var mark = Pusher.Mark.set
        for (place, mutation) in batch.mutations.enumerated() {
            let (changes, id) = (mutation.changes, mutation.record.id)
            if place == refused {
                trial.note(id, changes, refusal)
                continue
            }
            guard changes.refusal == nil, !changes.outgoing.isEmpty else {
                trial.note(id, changes, changes.refusal.map { Trial.Refusal($0) })
                continue
            }
            let deadline = end(changes.outgoing.keys.count)
            if place > refused {
                try pusher.run(mark, until: deadline)
                mark = .move
            }
            do {
                let answer = try pusher.pushMutation(
                    changes.outgoing, base: base, id: id, mode: mutation.mode, isHeld: true, until: deadline)
                guard case .accepted(let number) = answer, number == (base?.number ?? 0) + 1 else { return }
                trial.note(id, changes, nil)
                base?.number = number
                base?.commit = id
            } catch let error as PostgreSQLError where error.refusesRows && place > refused {
                trial.note(id, changes, Trial.Refusal(error))
                try pusher.run(.goBack, until: deadline)
            }
        }
    }
}
