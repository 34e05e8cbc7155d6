import Foundation
import LiveTable
import SeededRandom

/// A running lab: a database, a list that follows it, and a timeline of all steps.
///
/// Each edit is a transaction, and the list jumps to it at once, unless edits are collected for one transaction or
/// commits are held back for one jump. Each jump is a step of the timeline. Going back along it commits operations that
/// restore the earlier rows, restores the mappings, and shows the inverted change-set. So both directions are
/// change-sets, and the law is checked for both.
///
/// It knows no screen. Used on one thread.
final class LabSession {
    /// The beginning of the timeline.
    var opening: LabChapter
    let isPersistent: Bool
    /// How the list's rows follow from those that are committed; empty for a view of these themselves.
    let stages: [ListStage]
    let database: LabDatabase
    var list: LabList

    /// The rows with all edits, including those that the list has not seen.
    var rows = LabRows()
    var steps: [LabStep] = []
    /// The number of steps between the beginning and the present state.
    var position = 0
    /// The number of steps before the present chapter.
    var chapterStart = 0
    /// The present state of the list.
    var state: ListState
    /// The last step shown, and whether it was undone.
    var lastMove: LabMove? { didSet { moves += 1 } }
    /// The result of the last step taken, in the form of a replay.
    var lastResult: DatabaseResult.Step?
    /// Counts the moves along the timeline, so that consecutive ones can be distinguished.
    private(set) var moves = 0

    /// Uncommitted edits, each with its inverse.
    var collected: [LabChange] = []
    /// Commits that the list has not jumped to.
    var held: [LabChange] = []
    /// Whether edits wait for `commit`.
    var isCollecting = false
    /// Whether commits wait for `jump`.
    var isHolding = false
    /// Whether commits of another program wait for `jump` too.
    var isHoldingForeign = false
    /// Whether there are edits that the list has not seen.
    var hasWaitingEdits: Bool { !collected.isEmpty || !held.isEmpty }
    /// The time of the held commits.
    var heldTime = Duration.zero
    var random: SplitMix64

    /// Begins at the scenario's initial state; its steps are not taken.
    ///
    /// - Parameter database: either empty, or filled with the scenario's initial rows.
    init(_ scenario: DatabaseScenario, on database: LabDatabase, isFilled: Bool = false, seed: UInt64) throws {
        opening = LabChapter(setup: scenario.mappings, initial: scenario.initial)
        isPersistent = scenario.isPersistent
        stages = scenario.list
        self.database = database
        random = SplitMix64(seed: seed)
        _ = rows.perform(scenario.initial)
        if !isFilled { try database.commit(scenario.initial) }
        list = try LabList(scenario.mappings, of: database)
        state = try list.state()
    }

    /// The steps of the present chapter as data: `yap lab --replay` runs it. Contains only what the list has seen.
    var scenario: DatabaseScenario {
        DatabaseScenario(
            list: stages, mappings: setup, isPersistent: isPersistent, initial: chapter.initial,
            steps: chapterSteps.map(\.step))
    }

    /// The chapter of the present state.
    var chapter: LabChapter { chapterStart == 0 ? opening : steps[chapterStart - 1].chapter ?? opening }

    /// The steps of the present chapter.
    var chapterSteps: ArraySlice<LabStep> { steps[chapterStart...].prefix { $0.chapter == nil } }

    /// The setup of the present mappings.
    var setup: MappingsSetup { chapter.setup }

    /// The groups of the mappings, then those that only rows have, in the order of the screen.
    var groups: [String] {
        let shown = state.mappings.allGroups
        guard case .dynamic(_, let order) = setup.groups else { return shown }
        let all = Set(shown).union(groupsOfRows)
        return all.sorted { order == .ascending ? $0 < $1 : $1 < $0 }
    }
}

extension LabSession {
    /// The groups of the list that have rows, shown or not, by name.
    var groupsOfRows: [String] { stages.isEmpty ? rows.groups : rows.derived(stages).groups.keys.sorted() }

    /// The text of each row of the list.
    var texts: [RowKey: String] {
        guard stages.isEmpty else {
            return Dictionary(uniqueKeysWithValues: rows.derived(stages).map { ($0.rowKey, $0.text) })
        }
        return rows.contents.mapValues(\.row.text)
    }
}

/// Operations and their inverse.
struct LabChange {
    let operations: [RowOperation]
    let inverse: [RowOperation]
}

/// A move along the timeline.
struct LabMove {
    enum Way {
        case forwards
        case backwards
        /// A commit of another program, which is not on the timeline.
        case foreign
    }

    let step: LabStep
    let way: Way
    /// The change-set of the move.
    let outcome: Outcome
    /// How the law is broken; nil if it holds.
    let problem: String?
    /// The state at the beginning of the move, after reconfiguring, and at its end.
    let before, reached, after: ListState

    var isBackwards: Bool { way == .backwards }
}

extension LabSession {
    /// Returns whether the file has other rows than those committed here.
    func hasForeignRows() throws -> Bool {
        LabRows(try database.allRows()).contents != withoutCollected { rows.contents }
    }

    /// Shows the commits of another program.
    ///
    /// They cannot be undone here: if they changed rows, a new timeline begins with the present rows and mappings.
    /// Collected edits stay collected; held commits are shown with the others.
    ///
    /// - Returns: the outcome for the table; nil if the rows are the same and the list is not affected.
    func followForeignCommit() throws -> Outcome? {
        if !held.isEmpty, try !hasForeignRows() { return nil }
        let before = state
        let advance = try list.advance()
        // From here on everything is of the state to which the list has jumped, although the other program may go on.
        let now = LabRows(try database.rowsOfReader())
        guard now.contents != withoutCollected({ rows.contents }) else {
            return advance.outcome == .none ? nil : advance.outcome
        }
        let reached = try list.state()
        let chapter = LabChapter(
            setup: MappingsSetup(setup.groups, like: reached.mappings, names: groupsSetUp), initial: now.operations)
        list = try LabList(chapter.setup, of: database, jumps: false)
        restart(chapter, rows: now, state: try list.state())
        let outcome =
            state.shown == reached.shown
            ? advance.outcome : Outcome(from: before.shown, to: state.shown)
        let result = DatabaseResult.Step(
            before: nil, after: state, notifications: advance.notifications, hasChanges: advance.hasChanges,
            outcome: outcome, log: advance.log)
        let step = LabStep(
            DatabaseScenario.Step(commits: []), inverse: [], before: before, result: result, advance: advance,
            commitTime: .zero,
            flaw: outcome == .reload ? nil : outcome.changeSet.flaw(from: before.shown, to: state.shown))
        lastMove = LabMove(
            step: step, way: .foreign, outcome: outcome, problem: step.flaw?.text, before: before,
            reached: before, after: state)
        return outcome
    }

    private func restart(_ chapter: LabChapter, rows: LabRows, state: ListState) {
        let waiting = collected.map(\.operations)
        opening = chapter
        steps = []
        (position, chapterStart) = (0, 0)
        held = []
        heldTime = .zero
        self.state = state
        self.rows = rows
        collected = waiting.map { LabChange(operations: $0, inverse: self.rows.perform($0)) }
    }
}
