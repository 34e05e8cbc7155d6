extension GalleryEntry {
    /// The groups of the roster, with those that disappear when they are empty.
    static let rosterMappings = MappingsSetup(
        groups: .list(["available", "away", "offline"]),
        config: [
            .dynamicSection(true, group: "available"), .dynamicSection(true, group: "away"),
            .dynamicSection(false, group: "offline"),
        ])

    static let roster = GalleryEntry(
        name: "roster", title: "Sections that come and go", kind: .example,
        about: """
            The roster of a chat has three sections. "available" and "away" are dynamic: they vanish with their last row \
            and come back with the next first one. "offline" is static and stays, empty or not. Watch how a section and \
            its rows come in one change-set, and how every path after it counts the sections that are there then.
            """,
        scenario: DatabaseScenario(
            id: "roster", mappings: rosterMappings,
            initial: [
                .buddy("Alice", "available"), .buddy("Bob", "available"), .buddy("Frank", "offline"),
                .buddy("Grace", "offline"),
            ],
            steps: [
                .init(commits: [[.buddy("Bob", "away")]]),
                .init(commits: [
                    [.buddy("Carol", "available")], [.buddy("Frank", "offline", "back on Monday")],
                ]),
                .init(commits: [[.buddy("Bob", "offline")]]),
                .init(commits: [[.buddy("Alice", "offline"), .remove(.lab("Carol"))]]),
                .init(commits: [[.removeAll]]),
            ]),
        steps: [
            Step(text: "Bob goes away. He is the first there, so the section comes with him."),
            Step(text: "Carol comes online, and Frank changes his status: two commits, seen in one jump."),
            Step(text: "Bob goes offline. He was the last one away, so the section leaves with him."),
            Step(text: "Alice goes offline and Carol is deleted: no one is available."),
            Step(text: "All people are deleted. The static section stays, empty."),
        ])
}

extension RowOperation {
    /// Returns an operation that sets a person in the roster; the people of a group are sorted by name.
    static func buddy(_ name: String, _ group: String, _ status: String = "") -> RowOperation {
        .set(.lab(name), LabRow(group: group, sort: 0, text: status), metadata: nil)
    }
}
