extension GalleryEntry {
    static let chatRoster = GalleryEntry(
        name: "chat-roster", title: "Conversations joined with people", kind: .related,
        about: """
            The roster of a chat: each conversation with its last message, in the section of the person's presence, and the \
            newest first. The groups of a list of messages are rows, these are joined with people, and a list over that is a \
            list like all others. A message and a person change it, and neither knows of the other.
            """,
        scenario: DatabaseScenario(
            id: "chat-roster", list: [.groups, .joined],
            mappings: MappingsSetup(
                groups: .list(["available", "away", "offline"]), config: [.dynamicSection(true, group: "away")]),
            initial: [
                .presence("Alice", "available"), .presence("Bob", "available"), .presence("Carol", "offline"),
                .presence("Dan", "available"), .message(1, in: "Alice", "good morning"),
                .message(2, in: "Carol", "until Monday"), .message(3, in: "Bob", "tea?"),
            ],
            steps: [
                .init(commits: [[.message(4, in: "Alice", "are you there?")]]),
                .init(commits: [[.presence("Bob", "away")]]),
                .init(commits: [[.message(5, in: "Dan", "hi")], [.message(6, in: "Carol", "I am back")]]),
                .init(commits: [[.presence("Carol", "available"), .presence("Alice", "offline")]]),
                .init(commits: [[.remove(.lab("m3"))]]),
            ]),
        steps: [
            Step(text: "Alice writes: her conversation goes before Bob's."),
            Step(text: "Bob goes away, and no message changes: his conversation moves, and a section comes for it."),
            Step(
                text:
                    "Dan's first message, and one of Carol's: two commits in one jump. A person without messages had no row."
            ),
            Step(text: "Carol comes and Alice goes. Carol has written last and is first."),
            Step(text: "Bob's only message is deleted: his conversation and its section go."),
        ])
}

extension RowOperation {
    /// A person, of whom the list shows nothing but the presence.
    fileprivate static func presence(_ name: String, _ group: String) -> RowOperation { .person(name, in: group, "") }
}
