import ScreenPrograms

/// The line at the bottom for typing.
typealias Prompt = PromptLine<BrowserQuestion>

enum BrowserQuestion: PromptQuestion {
    /// A pattern to search or filter by, in keys alone or in values too.
    case pattern(isFilter: Bool, isKeysOnly: Bool)
    /// The number or the key of a row.
    case goTo
    /// A range of a list.
    case range
    /// An expression to sort by.
    case sort(isDescending: Bool)
    /// An expression to count by.
    case countBy
    /// A field inside a field, as a column.
    case column
    /// A file's name.
    case save(SavedPart)
    /// A query of a full-text index.
    case fullText(name: String)

    var label: String {
        switch self {
        case .pattern(let isFilter, let isKeysOnly): SearchPattern.sign(isFilter: isFilter, isKeysOnly: isKeysOnly)
        case .goTo: " Number or key: "
        case .range: " Rows: "
        case .sort(let isDescending): isDescending ? " Sort down by: " : " Sort up by: "
        case .countBy: " Count by: "
        case .column: " Column: "
        case .save(let part): " Save \(part.words) as: "
        case .fullText(let name): " Match in \(name): "
        }
    }
}

extension PromptLine<BrowserQuestion> {
    /// Whether it selects a match while the user types.
    var isSearch: Bool { if case .pattern(isFilter: false, _) = question { true } else { false } }

    /// Returns the line for a pattern, which explains Tab while it is empty.
    static func pattern(isFilter: Bool = false, isKeysOnly: Bool = false, _ field: TextField) -> Prompt {
        var field = field
        let condition = isFilter ? "; = begins a condition" : ""
        field.placeholder = isKeysOnly ? "in keys alone; Tab: in values too" : "Tab: in keys alone" + condition
        return Prompt(.pattern(isFilter: isFilter, isKeysOnly: isKeysOnly), field)
    }

    /// Handles a key; Tab changes where a pattern is searched.
    mutating func handleWithTab(_ event: InputEvent) -> Event? {
        guard case .pattern(let isFilter, let isKeysOnly) = question, event == .key(.tab) else { return handle(event) }
        self = .pattern(isFilter: isFilter, isKeysOnly: !isKeysOnly, field)
        return .typed(field.text)
    }
}
