import FileReading

/// A search of the list on screen: what was asked for and how far it is.
struct ListSearchState {
    let pattern: String
    let isFilter: Bool
    let isKeysOnly: Bool
    var search: ListSearch
    /// The list as it was before only matches were shown.
    var unfiltered: ListContent
    /// What is shown of each group while only matches are.
    var found: [String: FoundOrder]
    /// The first match is to be selected as soon as it is found.
    var isJumpPending: Bool
    let request: Int
    /// A portion is being worked out.
    var isRunning = false
    /// The newer state that the portion under way does not know yet, and the rows that were touched on the way there.
    var news: (content: ListContent, touched: TouchedRows)?
    /// All rows were searched once; what comes after follows commits.
    var hasEnded = false

    /// What the hint line says while it runs; nil when it is over.
    var progressText: String? {
        guard !search.isDone, !hasEnded else { return nil }
        let part = part.map { " \($0)," } ?? ""
        let found = search.count == 1 ? "1 row" : "\(RowCount(search.count)) rows"
        return "searching for \"\(pattern)\":\(part) \(RowCount(search.searched)) searched, \(found) found   Esc stops"
    }

    /// What stands beside the pattern while it is typed.
    var foundText: String {
        let found = "\(RowCount(search.count, isComplete: search.isDone || hasEnded)) found"
        return search.isDone || hasEnded ? found : [part, found].compactMap(\.self).joined(separator: ", ")
    }

    /// How much has been searched, where it is known how much there is.
    private var part: String? {
        let total = unfiltered.groups.compactMap { unfiltered.sources[$0]?.count }
        let all = total.reduce(0) { $0 + $1.known }
        return total.allSatisfy(\.isComplete) && all > 0 ? "\(min(100, search.searched * 100 / all)) %" : nil
    }
}
