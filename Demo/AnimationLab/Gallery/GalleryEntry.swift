import LiveTable

/// A scenario of the gallery with its explanation.
struct GalleryEntry: Sendable {
    enum Kind: Hashable, Sendable {
        /// An example of the original's documentation.
        case example
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
