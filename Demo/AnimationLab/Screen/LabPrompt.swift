import LiveTable

/// A prompt in place of the hints.
typealias LabPrompt = PromptLine<LabQuestion>

enum LabQuestion: PromptQuestion {
    /// Asks for the seed after the number of edits is known.
    case stormSeed(count: Int)
    case newGroup
    case save
    /// The text of a row.
    case text(of: RowKey)
    case load

    var label: String {
        switch self {
        case .stormSeed(let count): " seed of the storm of \(count) edits: "
        case .newGroup: " new group: "
        case .save: " write to: "
        case .text(let key): " text of \(key.scenarioName): "
        case .load: " open: "
        }
    }
}
