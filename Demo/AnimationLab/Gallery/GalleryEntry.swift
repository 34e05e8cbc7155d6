import LiveTable

/// A scenario that is worth seeing, with the words that explain it.
struct GalleryEntry: Sendable {
    enum Kind: Hashable, Sendable {
        /// An example of the original's documentation.
        case example
        /// Something that looks simpler than it is.
        case trap
        /// One of the nine ways in which the original breaks the law, by its number in our list.
        case defect(Int)
    }

    /// A step of the scenario in words, and what somebody else would have said to it.
    struct Step: Sendable {
        let text: String
        var other: OtherAnswer?
    }

    /// What the entry is called on the command line: words with hyphens.
    let name: String
    let title: String
    let kind: Kind
    /// What there is to see and why, in a few sentences.
    let about: String
    let scenario: DatabaseScenario
    /// One for each step of the scenario.
    let steps: [Step]
}

/// What somebody else would have answered to a step.
struct OtherAnswer: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case changes(ChangeSet)
        /// There is none: it computes for ever.
        case endless
    }

    /// Whose answer it is: `the original`.
    let name: String
    /// Where the answer is from: `vector fixed-88`, or the rule that it follows.
    let source: String
    let answer: Answer
}
