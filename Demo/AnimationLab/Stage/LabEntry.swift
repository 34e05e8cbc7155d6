import LiveTable

/// An item to open in the lab: a scenario with its explanation.
struct LabEntry: Sendable {
    /// Shown in the title line.
    var name: String
    /// Its subject in one line.
    var title = ""
    /// A few sentences; may be empty.
    var about = ""
    var scenario: DatabaseScenario
    /// For each step an explanation and another answer.
    var steps: [GalleryEntry.Step] = []
    /// The answer that a line of a file expects.
    var expected: ExpectedAnswer?
    /// Whether these are the lab's own rows, which may be kept in a file.
    var isPlayground = false
}

extension LabEntry {
    init(_ entry: GalleryEntry) {
        self.init(
            name: entry.name, title: entry.title, about: entry.about, scenario: entry.scenario, steps: entry.steps)
    }

    /// Whether any step has another answer.
    var hasOtherAnswers: Bool { steps.contains { $0.other != nil } }
    var otherName: String { steps.lazy.compactMap(\.other).first?.name ?? "" }

    /// The playground and the whole gallery.
    static let examples = [playground] + Gallery.entries.map(LabEntry.init)

    /// A few rows to play with.
    static let playground = LabEntry(
        name: "playground", title: "A few rows to play with",
        scenario: DatabaseScenario(
            mappings: MappingsSetup(groups: .list(["A", "B", "C"]), config: [.dynamicSection(true, group: "C")]),
            initial: (1...6).map { row($0, "A") } + (7...10).map { row($0, "B") }, steps: []), isPlayground: true)

    private static func row(_ number: Int, _ group: String) -> RowOperation {
        let key = "k\(number)"
        return .set(
            .lab(key), LabRow(group: group, sort: number * 1000, text: LabNames.text(ofKey: key)), metadata: nil)
    }
}

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
    private static let maxTried = 200

    /// Returns the first entry with a flaw, or else the first.
    func firstWithFlaw(in folder: ScratchFolder) -> Int {
        prefix(Self.maxTried).firstIndex { entry in
            let scenario = Scenario.database(entry.scenario)
            if scenario.flaw(in: folder) != nil { return true }
            guard let expected = entry.expected else { return false }
            // A scenario that cannot be run was found above.
            return (try? expected.flaws(of: scenario.answer(in: folder)))?.isEmpty == false
        } ?? 0
    }
}
