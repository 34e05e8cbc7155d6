import FileBrowser

/// A search of the list on screen: what was asked for and how far it is.
struct ListSearchState {
    let pattern: String
    let isFilter: Bool
    let isKeysOnly: Bool
    var search: ListSearch
    /// The list as it was before only matches were shown.
    let unfiltered: ListContent
    /// What is shown of each group while only matches are.
    let found: [String: FoundOrder]
    /// The first match is to be selected as soon as it is found.
    var isJumpPending: Bool
    let request: Int

    /// What the hint line says while it runs; nil when it is over.
    var progressText: String? {
        guard !search.isDone else { return nil }
        let part = part.map { " \($0)," } ?? ""
        let found = search.count == 1 ? "1 row" : "\(RowCount(search.count)) rows"
        return "searching for \"\(pattern)\":\(part) \(RowCount(search.searched)) searched, \(found) found   Esc stops"
    }

    /// What stands beside the pattern while it is typed.
    var foundText: String {
        let found = "\(RowCount(search.count, isComplete: search.isDone)) found"
        return search.isDone ? found : [part, found].compactMap(\.self).joined(separator: ", ")
    }

    /// How much has been searched, where it is known how much there is.
    private var part: String? {
        let total = unfiltered.groups.compactMap { unfiltered.sources[$0]?.count }
        let all = total.reduce(0) { $0 + $1.known }
        return total.allSatisfy(\.isComplete) && all > 0 ? "\(search.searched * 100 / all) %" : nil
    }
}
