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
