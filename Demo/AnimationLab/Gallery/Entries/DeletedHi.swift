extension GalleryEntry {
    static let deletedHi = GalleryEntry(
        name: "hi", title: "The deleted \"Hi\"", kind: .example,
        about: """
            A message is drawn with a time above it if the one before is hours older: its cell depends on the neighbour \
            at -1. "Hi" (8 PM) has such a time, "You done coding yet??" a minute later has none. When "Hi" is deleted, \
            "You there?" (4 PM) is the neighbour of "You done coding yet??", which needs a time now. That row \
            itself is unchanged; a cell drawing dependency adds it to the change-set.
            """,
        scenario: DatabaseScenario(
            id: "hi",
            mappings: MappingsSetup(
                groups: .list(["conversation"]), config: [.dependencies([-1], group: "conversation")]),
            initial: [
                .message("You there?", at: 16_00, "4 PM"), .message("Hi", at: 20_00, "8 PM"),
                .message("You done coding yet??", at: 20_01, "8:01 PM"),
            ],
            steps: [.init(commits: [[.remove(.lab("Hi"))]])]),
        steps: [Step(text: "\"Hi\" is deleted, and the row below it must be redrawn.")])
}

extension RowOperation {
    fileprivate static func message(_ text: String, at time: Int, _ shown: String) -> RowOperation {
        .set(.lab(text), LabRow(group: "conversation", sort: time, text: shown), metadata: nil)
    }
}
