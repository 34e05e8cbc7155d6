extension GalleryEntry {
    static let lastMessages = GalleryEntry(
        name: "last-50-messages", title: "The last 50 messages of a conversation", kind: .example,
        about: """
            A flexible range of 50 rows, pinned to the end, at most 300 and at least 20 rows long: what Apple's Messages \
            does. A message that arrives makes the range longer, a deleted one shorter. Old messages that are loaded \
            above pass unseen. Below 20 rows the range takes older messages in; above 300 it drops them.
            """,
        scenario: DatabaseScenario(
            id: "last-50-messages",
            mappings: MappingsSetup(
                groups: .list(["conversation"]),
                config: [
                    .range(
                        RangeSetup(kind: .flexible, length: 50, offset: 0, from: .end, max: 300, min: 20),
                        group: "conversation")
                ]),
            initial: (1...100).map { .message($0) },
            steps: [
                .init(commits: [[.message(101)]]),
                .init(commits: [(-49...0).map { .message($0) }]),
                .init(commits: [[.removeMany((70...101).map(messageKey), collection: "c")]]),
                .init(commits: [(102...401).map { .message($0) }]),
            ]),
        steps: [
            Step(text: "A message arrives: 51 rows."),
            Step(
                text:
                    "50 older messages are loaded from a server. They are far above the range: nothing is to be drawn."),
            Step(text: "32 of the messages shown are deleted. 19 would be left, so an older one comes in at the top."),
            Step(text: "300 messages arrive at once: as many as the range may show, so the 20 older ones leave."),
        ])

    static let scrolledBack = GalleryEntry(
        name: "scrolled-back", title: "A range that stays where the reader is", kind: .example,
        about: """
            A flexible range of 50 rows whose end is 25 rows away from the end of the group: of 100 items it shows 25 up \
            to 75. Items that are added beyond its end do not push it along: its offset grows, and the table stays as it \
            is under the reader's eyes.
            """,
        scenario: DatabaseScenario(
            id: "scrolled-back",
            mappings: MappingsSetup(
                groups: .list(["books"]),
                config: [.range(RangeSetup(kind: .flexible, length: 50, offset: 25, from: .end), group: "books")]),
            initial: (0..<100).map { .item($0) },
            steps: [
                .init(commits: [[.item(100)]]), .init(commits: [[.remove(.lab("item 3"))]]),
                .init(commits: [[.remove(.lab("item 74"))]]),
            ]),
        steps: [
            Step(text: "An item is added at the end. The offset is 26 now, and the rows are the same."),
            Step(text: "An item far above is deleted. Again the rows are the same."),
            Step(text: "The last item shown is deleted: the range is one row shorter, and nothing slides in."),
        ])
}

private func messageKey(_ number: Int) -> String { "message \(number)" }

extension RowOperation {
    fileprivate static func message(_ number: Int) -> RowOperation {
        .set(.lab(messageKey(number)), LabRow(group: "conversation", sort: number, text: ""), metadata: nil)
    }

    fileprivate static func item(_ number: Int) -> RowOperation {
        .set(.lab("item \(number)"), LabRow(group: "books", sort: number, text: ""), metadata: nil)
    }
}
