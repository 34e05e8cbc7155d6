import Foundation
import PostgreSQLBridge

/// What the server said of the mutations of a batch of which it refused one.
///
/// The first mutation that the server refused was sent on the state on which it was applied, so it is rejected. The mutations behind it may have
/// read what it wrote. They are applied again without it, and an answer counts only if they write the same rows then.
///
/// Law: a mutation is rejected if the server refuses the rows that it writes on a state without the mutations that are rejected before it. An
/// answer of the trial shows that if this mutation, and each mutation that was tried before it, writes the same rows as in the trial. If the role
/// lacks a right in a collection, it is enough that the mutation writes in the same collections: its rows and their values do not matter. A
/// mutation whose answer does not count stays pending and is sent again.
///
/// Cost: however many mutations of a batch are refused, one rehearsal more than a rebase takes, and the batch is sent once more, with two round
/// trips for each mutation. In a chain, where each refused mutation changes what the one before wrote, each link costs that.
struct Trial {
    /// Why the server refuses a mutation.
    struct Refusal {
        let reason: String
        /// Whether the role may not write in a collection, whatever the rows are.
        var isOfCollection = false

        init(_ reason: String) { self.reason = reason }
        init(_ error: PostgreSQLError) { (reason, isOfCollection) = (error.message, error.isOfCollection) }
    }

    fileprivate struct Answer {
        let place: Int
        let changes: MutationChanges
        let refusal: Refusal?
    }

    /// The first mutation that was refused, with the reason. None if there was no trial.
    private(set) var rejections: [UUID: String] = [:]
    /// How many the server took.
    var accepted = 0
    fileprivate private(set) var answers: [UUID: Answer] = [:]

    init() {}

    init(refused id: UUID, _ refusal: Refusal, after accepted: Int) {
        rejections = [id: refusal.reason]
        self.accepted = accepted
    }

    /// Notes the next answer.
    mutating func note(_ id: UUID, _ changes: MutationChanges, _ refusal: Refusal?) {
        answers[id] = Answer(place: answers.count, changes: changes, refusal: refusal)
        if refusal == nil { accepted += 1 }
    }
}

/// Finds which answers of a trial count, while its mutations are applied again in their order.
struct TrialReview {
    enum Outcome {
        case applied(MutationChanges)
        case rejected
        /// It waits, or the server has it already.
        case another
    }

    private let trial: Trial
    private var place = 0
    /// Whether the server was asked about the mutations until here as they are now.
    private var isAsTried = true

    init(_ trial: Trial) { self.trial = trial }

    /// - Parameter outcome: what has become of the mutation now.
    /// - Returns: why the mutation is rejected; nil if no answer says so.
    mutating func refusal(of id: UUID, _ outcome: @autoclosure () throws -> Outcome) rethrows -> String? {
        guard let answer = trial.answers[id] else { return nil }
        isAsTried = isAsTried && answer.place == place
        place += 1
        switch (try outcome(), answer.refusal) {
        case (.rejected, .some): return nil
        case (.rejected, nil), (.another, _): isAsTried = false
        case (.applied(let changes), let refusal?):
            isAsTried = isAsTried && changes == answer.changes
            let hasNoRight =
                refusal.isOfCollection
                && Set(changes.outgoing.collections) == Set(answer.changes.outgoing.collections)
            if isAsTried || hasNoRight { return refusal.reason }
        case (.applied(let changes), nil): isAsTried = isAsTried && changes == answer.changes
        }
        return nil
    }
}
