extension DatabaseScenario {
    /// The scenarios with the same edits in one step less: the first step's edits become initial, or two steps are
    /// joined.
    var withFewerSteps: [DatabaseScenario] {
        guard let first = steps.first else { return [] }
        var early = self
        early.initial += first.commits.joined()
        early.steps.removeFirst()
        return (first.reconfigure == nil ? [early] : []) + (1..<steps.count).map { joining($0 - 1) }
    }

    private func joining(_ index: Int) -> DatabaseScenario {
        var copy = self
        let (first, second) = (steps[index], steps[index + 1])
        let calls = [first.reconfigure, second.reconfigure].compactMap(\.self).flatMap(\.self)
        copy.steps[index...index + 1] = [
            Step(reconfigure: calls.isEmpty ? nil : calls, commits: first.commits + second.commits)
        ]
        return copy
    }
}
