import Foundation
import LiveTable
import SeededRandom

/// A lab at work: a database, a list that follows it, and a timeline of all that was done.
///
/// An edit is a transaction of its own, and the list jumps to it at once, unless edits are collected for one transaction
/// or commits are held back for one jump. Each jump is a step of the timeline. Going back along it commits what restores
/// the rows of then, gives the mappings their value of then, and shows the change-set turned round; so both ways are
/// change-sets, and the law is checked for both.
///
/// It knows no screen. One thread uses it.
final class LabSession {
    /// How everything began.
    var opening: LabChapter
    let isPersistent: Bool
    let database: LabDatabase
    var list: LabList

    /// The rows with all edits, those too that the list has not seen.
    var rows = LabRows()
    var steps: [LabStep] = []
    /// The number of steps between the beginning and what is shown.
    var position = 0
    /// The number of steps before the chapter that is shown.
    var chapterStart = 0
    /// What is shown.
    var state: ListState
    /// The step that was shown last and whether it was taken back.
    var lastMove: LabMove? { didSet { moves += 1 } }
    /// What the last step came to that was taken, as a replay tells it.
    var lastResult: DatabaseResult.Step?
    /// Counts the ways along the timeline, so that one can tell the last from the one before.
    private(set) var moves = 0

    /// Edits that are not committed, each with what takes it back.
    var collected: [LabChange] = []
    /// Commits that the list has not jumped to.
    var held: [LabChange] = []
    /// Whether edits wait for `commit`.
    var isCollecting = false
    /// Whether commits wait for `jump`.
    var isHolding = false
    /// Whether commits of another program wait for it, too.
    var isHoldingForeign = false
    /// Whether there are edits that the list has not seen.
    var hasWaitingEdits: Bool { !collected.isEmpty || !held.isEmpty }
    /// The time that the held commits took.
    var heldTime = Duration.zero
    var random: SplitMix64

    /// Begins where the scenario begins; its steps are not taken.
    ///
    /// - Parameter database: holds the rows of the scenario's beginning already, or is empty.
    init(_ scenario: DatabaseScenario, on database: LabDatabase, isFilled: Bool = false, seed: UInt64) throws {
        opening = LabChapter(setup: scenario.mappings, initial: scenario.initial)
        isPersistent = scenario.isPersistent
        self.database = database
        random = SplitMix64(seed: seed)
        _ = rows.perform(scenario.initial)
        if !isFilled { try database.commit(scenario.initial) }
        list = try LabList(scenario.mappings, of: database)
        state = try list.state()
    }

    /// All that was done in the chapter that is shown, as data: what `yap lab --replay` runs. Nothing that the list has not
    /// seen.
    var scenario: DatabaseScenario {
        DatabaseScenario(
            mappings: setup, isPersistent: isPersistent, initial: chapter.initial, steps: chapterSteps.map(\.step))
    }

    /// What is shown is part of it.
    var chapter: LabChapter { chapterStart == 0 ? opening : steps[chapterStart - 1].chapter ?? opening }

    /// The steps of the chapter that is shown.
    var chapterSteps: ArraySlice<LabStep> { steps[chapterStart...].prefix { $0.chapter == nil } }

    /// How the mappings were made that are shown.
    var setup: MappingsSetup { chapter.setup }

    /// The groups of the mappings, then those that only rows have, in the order of the screen.
    var groups: [String] {
        let shown = state.mappings.allGroups
        guard case .dynamic(_, let order) = setup.groups else { return shown }
        let all = Set(shown).union(rows.groups)
        return all.sorted { order == .ascending ? $0 < $1 : $1 < $0 }
    }
}

/// Operations, and what takes them back.
struct LabChange {
    let operations: [RowOperation]
    let inverse: [RowOperation]
}

/// One way along the timeline.
struct LabMove {
    enum Way {
        case forwards
        case backwards
        /// Another program went it; it is not on the timeline.
        case foreign
    }

    let step: LabStep
    let way: Way
    /// The change-set that led there.
    let outcome: YapDatabaseViewOutcome
    /// Where the law breaks; nil when it holds.
    let problem: String?
    /// What the step begins with, whichever way it is gone; after reconfiguring; and what it ends with.
    let before, reached, after: ListState

    var isBackwards: Bool { way == .backwards }
}
