import LiveTable

/// A scenario of the gallery with its explanation.
struct GalleryEntry: Sendable {
    enum Kind: Hashable, Sendable {
        /// An example of the original's documentation.
        case example
        /// A list over related rows, which the original does not have.
        case related
        /// Something that looks simpler than it is.
        case trap
        /// One of the nine ways in which the original breaks the law, by its number in our list.
        case defect(Int)
    }

    /// The explanation of a step, and another answer to it.
    struct Step: Sendable {
        let text: String
        var other: OtherAnswer?
    }

    /// The name on the command line: words with hyphens.
    let name: String
    let title: String
    let kind: Kind
    /// What the scenario shows and why, in a few sentences.
    let about: String
    let scenario: DatabaseScenario
    /// One for each step of the scenario.
    let steps: [Step]
}

/// The answer of another implementation to a step.
struct OtherAnswer: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case changes(ChangeSet)
        /// There is no answer: the computation never ends.
        case endless
    }

    /// The author of the answer: `the original`.
    let name: String
    /// The source of the answer: `vector fixed-88`, or the rule that it follows.
    let source: String
    let answer: Answer
}

extension GalleryEntry {
    /// The entry without its comparisons: a line of the list.
    var summaryJSON: JSON { .object(summary) }

    /// Returns the whole entry; `yap lab --replay` reads it as the scenario that it contains.
    func json(_ comparisons: [Comparison]) -> JSON {
        .object(
            summary + [
                JSON.Member("about", about.json), JSON.Member("scenario", scenario.json),
                JSON.Member("steps", .array(zip(steps, comparisons).map { $0.json($1) })),
            ])
    }

    private var summary: [JSON.Member] {
        let (kind, number): (String, Int?) =
            switch kind {
            case .example: ("example", nil)
            case .related: ("related", nil)
            case .trap: ("trap", nil)
            case .defect(let number): ("defect", number)
            }
        return [JSON.Member("name", name.json), JSON.Member("title", title.json), JSON.Member("kind", kind.json)]
            + (number.map { [JSON.Member("defect", $0.json)] } ?? [])
    }
}

extension GalleryEntry.Step {
    fileprivate func json(_ comparison: Comparison) -> JSON {
        .object(
            ("text", text.json), ("before", comparison.before.json), ("after", comparison.after.json),
            ("ours", comparison.ours.json),
            ("other", other.flatMap { other in comparison.other.map { $0.json(of: other) } }))
    }
}

extension AppliedChanges {
    fileprivate var json: JSON { .object(members) }

    fileprivate func json(of other: OtherAnswer) -> JSON {
        .object([JSON.Member("name", other.name.json), JSON.Member("source", other.source.json)] + members)
    }

    private var members: [JSON.Member] {
        let sections = rows?.sections.map { section -> JSON in
            ["group": section.group.json, "rows": section.rows.map(\.scenarioName).json]
        }
        return Outcome.changes(changes).changeMembers + [
            JSON.Member("gives", sections.map { .array($0) } ?? .null),
            JSON.Member("isExact", (verdict == .exact).json), JSON.Member("verdict", verdict.text.json),
            JSON.Member("wrong", .array(wrongPaths.sorted().map(\.json))),
        ]
    }
}
