import Foundation
import LiveTable

/// Creates databases for entries: throwaway ones, and the one file that keeps its rows.
final class LabShelf {
    private let folder: ScratchFolder
    /// The file of the playground's rows, open as long as the lab is; nil for a throwaway.
    private let kept: LabDatabase?
    private let seed: UInt64
    private var count = 0

    init(folder: ScratchFolder, keeping kept: LabDatabase? = nil, seed: UInt64) {
        self.folder = folder
        self.kept = kept
        self.seed = seed
    }

    /// Returns the first entry with a flaw, or else the first.
    func firstOfInterest(_ entries: [LabEntry]) -> Int { entries.firstWithFlaw(in: folder) }

    /// Opens an entry at its beginning, with its steps ahead; if a step has a flaw, right after that step.
    func stage(_ entry: LabEntry, _ options: TableOptions) throws -> LabStage {
        if entry.isPlayground, let kept { return try keptStage(kept, options) }
        let session = try session(entry.scenario)
        let initial = session.state
        var results: [DatabaseResult.Step] = []
        for (number, step) in entry.scenario.steps.enumerated() {
            do {
                _ = try session.perform(step)
                if entry.expected != nil, let result = session.lastResult { results.append(result) }
            } catch {
                // The list may be in any state now, so the steps before are taken again.
                try session.database.close()
                return try stage(entry, without: number, because: error, options)
            }
        }
        let flaws = entry.flaws(of: session.steps, initial: initial, results: results)
        let broken = flaws.compactMap(\.step).min()
        try session.go(to: broken ?? 0)
        session.lastMove = nil
        if broken != nil { _ = try session.stepForward() }
        return try LabStage(entry, session, flaws: flaws, options)
    }

    private func stage(
        _ entry: LabEntry, without step: Int, because error: any Error, _ options: TableOptions
    ) throws -> LabStage {
        var sound = entry
        sound.scenario.steps.removeSubrange(step...)
        let session = try session(sound.scenario)
        for step in sound.scenario.steps { _ = try session.perform(step) }
        let flaw = Flaw(kind: .error, step: step, text: "\(error)")
        return try LabStage(entry, session, flaws: [flaw], options)
    }

    private func session(_ scenario: DatabaseScenario) throws -> LabSession {
        count += 1
        let url = folder.url.appending(path: "stage-\(count).sqlite")
        let database = try LabDatabase(url: url, for: scenario)
        return try LabSession(scenario, on: database, seed: seed)
    }

    /// Opens the playground with the rows of the file.
    private func keptStage(_ database: LabDatabase, _ options: TableOptions) throws -> LabStage {
        var scenario = LabEntry.playground.scenario
        scenario.initial = LabRows(try database.allRows()).operations
        let session = try LabSession(scenario, on: database, isFilled: true, seed: seed)
        return try LabStage(.playground, session, isKept: true, options)
    }
}

extension LabDatabase {
    /// Opens a file that keeps the playground's rows; a new one gets the default rows.
    static func playground(keeping url: URL) throws -> LabDatabase {
        let database = try LabDatabase(keeping: url)
        do {
            if try database.allRows().isEmpty { try database.commit(LabEntry.playground.scenario.initial) }
        } catch {
            try? database.close()
            throw error
        }
        return database
    }
}
