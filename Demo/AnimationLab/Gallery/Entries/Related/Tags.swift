extension GalleryEntry {
    static let tags = GalleryEntry(
        name: "tags", title: "Books in each of their tags", kind: .related,
        about: """
            A row of a view is in one group. Here a book is in each group that it names, once. It cannot move from one to \
            another, because it can be in both: a tag that goes is a delete, one that comes an insert.
            """,
        scenario: DatabaseScenario(
            id: "tags", list: [.each],
            mappings: MappingsSetup(
                groups: .list(["classic", "sand", "space"]), config: [.dynamicSectionAll(true)]),
            initial: [
                .book("Dune", 1965, ["classic", "sand", "space"]), .book("Emma", 1815, ["classic"]),
                .book("Cosmos", 1950, ["space"]),
            ],
            steps: [
                .init(commits: [[.book("Ubik", 1969, ["space", "classic"])]]),
                .init(commits: [[.book("Dune", 1965, ["sand", "space"])]]),
                .init(commits: [[.book("Dune", 1965, ["sand", "space"], ", signed")]]),
                .init(commits: [[.book("Cosmos", 1980, ["space"])]]),
                .init(commits: [[.remove(.lab("Dune"))]]),
            ]),
        steps: [
            Step(text: "A new book with two tags: two inserts."),
            Step(text: "Dune is no classic any more. It leaves that section; where it stays, it is drawn again."),
            Step(text: "Its text changes: an update in each of its sections."),
            Step(text: "The year of Cosmos was wrong: it moves inside its section."),
            Step(text: "Dune is deleted, from all sections. One of them was its own and goes, too."),
        ])
}

extension RowOperation {
    fileprivate static func book(_ title: String, _ year: Int, _ tags: [String], _ note: String = "") -> RowOperation {
        .set(.lab(title), LabRow(sort: year, text: "\(year)\(note)", tags: tags), metadata: nil)
    }
}
