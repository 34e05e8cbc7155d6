import LiveTable

/// Something to open in the lab: a scenario, and what is to be said about it.
struct LabEntry: Sendable {
    /// Stands in the title line.
    var name: String
    /// One line that says what it is about.
    var title = ""
    /// A few sentences; empty where there is nothing to say.
    var about = ""
    var scenario: DatabaseScenario
    /// For each step what it shows, and what somebody else would have answered.
    var steps: [GalleryEntry.Step] = []
    /// What a line of a file expects of its scenario.
    var expected: ExpectedAnswer?
    /// Whether these are the lab's own rows, which may be kept in a file.
    var isPlayground = false
}

extension LabEntry {
    init(_ entry: GalleryEntry) {
        self.init(
            name: entry.name, title: entry.title, about: entry.about, scenario: entry.scenario, steps: entry.steps)
    }

    /// Whether somebody else would answer a step differently, and who.
    var hasOtherAnswers: Bool { steps.contains { $0.other != nil } }
    var otherName: String { steps.lazy.compactMap(\.other).first?.name ?? "" }

    /// The playground and all of the gallery.
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
