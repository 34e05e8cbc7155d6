extension LabEntry {
    /// Checks the steps of the scenario against the law and against the expected answer.
    ///
    /// - Parameter results: the results of the steps; needed if there is an expected answer.
    func flaws(of steps: [LabStep], initial: ListState, results: [DatabaseResult.Step]) -> [Flaw] {
        let broken = steps.enumerated().compactMap { number, step in
            step.flaw.map { Flaw(kind: $0.kind, step: number, text: $0.text) }
        }
        guard let expected else { return broken }
        let result = DatabaseResult(initial: initial, steps: results)
        return broken + expected.flaws(of: result.json).filter { ($0.step ?? 0) < steps.count }
    }
}

extension [LabEntry] {
    /// The most scenarios of a file that are run to find the first with a flaw, because the user waits for it.
    private static let mostTried = 200

    /// Returns the first entry with a flaw, or else the first.
    func firstWithFlaw(in folder: ScratchFolder) -> Int {
        prefix(Self.mostTried).firstIndex { entry in
            let scenario = Scenario.database(entry.scenario)
            if scenario.flaw(in: folder) != nil { return true }
            guard let expected = entry.expected else { return false }
            // A scenario that cannot be run was found above.
            return (try? expected.flaws(of: scenario.answer(in: folder)))?.isEmpty == false
        } ?? 0
    }
}
