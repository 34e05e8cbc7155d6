import LiveTable

extension GalleryEntry {
    static let samePath = GalleryEntry(
        name: "same-path", title: "A move from a path to the same path", kind: .trap,
        about: """
            A row that is reported as moved from [0,0] to [0,0] looks like a mistake, and many an app has made an update \
            of it. It is none: a section came in above, and the row moved into it. Said as an update, the row stays in \
            its old section, which is the second one now.
            """,
        scenario: DatabaseScenario(
            id: "same-path", mappings: rosterMappings,
            initial: [.buddy("Bob", "away"), .buddy("Eve", "away"), .buddy("Frank", "offline")],
            steps: [.init(commits: [[.buddy("Bob", "available")]])]),
        steps: [
            Step(
                text: "Bob becomes available, the first one: the section comes in where \"away\" was.",
                other: OtherAnswer(
                    name: "the tempting answer", source: "an update instead of the move",
                    answer: .changes(
                        ChangeSet(
                            sectionChanges: [SectionChange(type: .insert, index: 0, group: "available")],
                            rowChanges: [.update("Bob", RowPath(section: 0, row: 0), "away")]))))
        ])

    static let looksLikeAnUpdate = GalleryEntry(
        name: "insert-and-move", title: "An insert and a move that look like an update", kind: .trap,
        about: """
            Before and after there is a row at [0,0], and it is drawn differently: who compares the two lists path by \
            path sees an update, and a new row at the end of the other section. In truth one row moved away and another \
            came in its place. The numbers fit, so no table view complains; it shows Bob twice and Alice nowhere, and \
            whatever was selected or being typed in Bob's row is in a row that is no longer his.
            """,
        scenario: DatabaseScenario(
            id: "insert-and-move", mappings: rosterMappings,
            initial: [
                .buddy("Bob", "available"), .buddy("Dan", "available"), .buddy("Adam", "offline"),
            ],
            steps: [.init(commits: [[.buddy("Bob", "offline")], [.buddy("Alice", "available")]])]),
        steps: [
            Step(
                text: "Bob goes offline, and Alice comes online: her name puts her where he was.",
                other: OtherAnswer(
                    name: "the tempting answer", source: "the lists compared path by path",
                    answer: .changes(
                        ChangeSet(rowChanges: [
                            .update("Bob", RowPath(section: 0, row: 0), "available"),
                            RowChange(
                                type: .insert, flags: [.object, .metadata], key: nil, before: nil,
                                after: RowPath(section: 1, row: 1), originalGroup: nil, finalGroup: "offline"),
                        ]))))
        ])
}

extension RowChange {
    fileprivate static func update(_ name: String, _ path: RowPath, _ group: String) -> RowChange {
        RowChange(
            type: .update, flags: [.object, .metadata], key: .lab(name), before: path, after: nil, originalGroup: group,
            finalGroup: nil)
    }
}
