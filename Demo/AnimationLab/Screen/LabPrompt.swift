import LiveTable

/// A prompt in place of the hints.
struct LabPrompt {
    enum Question: Hashable {
        /// Asks for the seed after the number of edits is known.
        case stormSeed(count: Int)
        case newGroup
        case save
        case load
    }

    let question: Question
    var field: TextField

    init(_ question: Question, _ answer: String = "") {
        self.question = question
        field = TextField(answer)
    }

    var label: String {
        switch question {
        case .stormSeed(let count): " seed of the storm of \(count) edits: "
        case .newGroup: " new group: "
        case .save: " write to: "
        case .load: " open: "
        }
    }
}
