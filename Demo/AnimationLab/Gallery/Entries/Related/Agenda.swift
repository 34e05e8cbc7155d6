extension GalleryEntry {
    static let agenda = GalleryEntry(
        name: "agenda", title: "Yesterday, today and tomorrow", kind: .related,
        about: """
            What is due stands by its day, as seen from now. No row changes when it is midnight, but the list does: a \
            commit at the moment that is stored with the rows moves those that it concerns, and nothing polls. The clock is \
            an argument, so no one waits here. It begins at a midnight, day 0, and dates are hours from there.
            """,
        scenario: DatabaseScenario(
            id: "agenda", list: [.dated],
            mappings: MappingsSetup(
                groups: .list(["yesterday", "today", "tomorrow"]),
                config: [.dynamicSection(true, group: "yesterday")]),
            initial: [
                .clock(12), .due("lunch", 13), .due("opera", 20), .due("bank", 33), .due("fair", 24 * 2 + 6),
            ],
            steps: [
                .init(commits: [[.clock(14)]]), .init(commits: [[.clock(24)]]), .init(commits: [[.clock(24 * 3 + 9)]]),
                .init(commits: [[.clock(20), .due("opera", 21)]]),
            ]),
        steps: [
            Step(text: "Two hours later: lunch is past, and drawn so."),
            Step(
                text: "Midnight: what was today is yesterday, what was tomorrow is today, and the fair is tomorrow."),
            Step(
                text: "The program sleeps for two days. What has become older leaves, and one row goes two sections up."
            ),
            Step(text: "The clock is set back, and the opera put off: rows return to where they belong then."),
        ])
}

extension RowOperation {
    fileprivate static func due(_ key: String, _ hour: Int) -> RowOperation {
        .set(.lab(key), LabRow(sort: hour, text: LabTime.words(hour)), metadata: nil)
    }
}
