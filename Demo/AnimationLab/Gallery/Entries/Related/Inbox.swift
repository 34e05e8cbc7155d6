extension GalleryEntry {
    static let inbox = GalleryEntry(
        name: "inbox", title: "Conversations by their last message", kind: .related,
        about: """
            Messages are rows, and the list has a row for each room: how many messages it has, and the last one. A view \
            sees one row at a time and cannot do that. Watch how one message moves its room to the top and leaves all \
            others alone, however many messages they have.
            """,
        scenario: DatabaseScenario(
            id: "inbox", list: [.groups], mappings: MappingsSetup(groups: .list(["all"])),
            initial: [
                .message(1, in: "tea", "is there any left?"), .message(2, in: "work", "the build is green"),
                .message(3, in: "music", "listen to this"), .message(4, in: "tea", "a whole pot"),
            ],
            steps: [
                .init(commits: [[.message(5, in: "work", "not any more")]]),
                .init(commits: [[.message(6, in: "work", "who was that?"), .message(7, in: "work", "me")]]),
                .init(commits: [[.message(8, in: "books", "Dune again")]]),
                .init(commits: [[.remove(.lab("m5")), .remove(.lab("m6")), .remove(.lab("m7"))]]),
                .init(commits: [[.remove(.lab("m3"))]]),
            ]),
        steps: [
            Step(
                text:
                    "A message at work: the room goes from the bottom to the top, with another count and last message."),
            Step(text: "Two more in one transaction: the room is written once, and one update says so."),
            Step(text: "The first message of a new room: the room is a new row."),
            Step(text: "Three messages are deleted: what was the last one before is so again, and the room sinks."),
            Step(text: "The only message about music is deleted, and the room goes with it."),
        ])
}

extension RowOperation {
    /// A message; its number is its date.
    static func message(_ number: Int, in room: String, _ text: String) -> RowOperation {
        .set(.lab("m\(number)"), LabRow(group: room, sort: number, text: text), metadata: nil)
    }
}
