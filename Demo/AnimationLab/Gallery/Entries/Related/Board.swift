extension GalleryEntry {
    static let board = GalleryEntry(
        name: "board", title: "Tasks by the people who do them", kind: .related,
        about: """
            Each task names a person. The list has tasks and persons joined: sections are the persons' teams, and tasks \
            stand by the persons' names. So a change of one person moves rows that the transaction does not name.
            """,
        scenario: DatabaseScenario(
            id: "board", list: [.joined], mappings: MappingsSetup(groups: .list(["design", "kitchen"])),
            initial: [
                .person("ann", in: "design", "Ann"), .person("bob", in: "design", "Bob"),
                .person("cem", in: "kitchen", "Cem"), .task("draw", 1, "the menu", by: "ann"),
                .task("paint", 2, "the door", by: "bob"),
                .task("print", 3, "the cards", by: "bob"), .task("cook", 4, "a soup", by: "cem"),
                .task("bake", 5, "bread", by: "dora"),
            ],
            steps: [
                .init(commits: [[.person("bob", in: "design", "Al")]]),
                .init(commits: [[.person("dora", in: "kitchen", "Dora")]]),
                .init(commits: [[.person("ann", in: "kitchen", "Ann"), .task("paint", 2, "the door", by: "ann")]]),
                .init(commits: [[.remove(.person("bob"))]]),
            ]),
        steps: [
            Step(text: "Bob is called Al from now on: his two tasks go before Ann's, and both are drawn again."),
            Step(text: "Dora comes. The task that names her has waited for that."),
            Step(text: "Ann goes to the kitchen and takes Al's painting over: two of her tasks in one change-set."),
            Step(text: "Al leaves. His task stays stored and waits for a person of this name; the list is without it."),
        ])
}

extension RowKey {
    /// A row that others name.
    static func person(_ key: String) -> RowKey { RowKey(collection: "others", key: key) }
}

extension RowOperation {
    static func person(_ key: String, in group: String, _ name: String) -> RowOperation {
        .set(.person(key), LabRow(group: group, sort: 0, text: name), metadata: nil)
    }

    fileprivate static func task(_ key: String, _ number: Int, _ text: String, by person: String) -> RowOperation {
        .set(.lab(key), LabRow(sort: number, text: text, other: person), metadata: nil)
    }
}
