import FileReading
import FileEngine
import ListChanges

/// A search of the list on screen: its parameters and progress.
struct ListSearchState {
    let pattern: String
    let isFilter: Bool
    let isKeysOnly: Bool
    var search: ListSearch
    /// The list before only matches were shown.
    var unfiltered: ListContent
    /// The matches of each group while only matches are shown.
    var found: ExactDictionary<FoundOrder>
    /// Whether to select the first match as soon as it is found.
    var isJumpPending: Bool
    let request: Int
    /// Whether a portion is being searched.
    var isRunning = false
    /// The newer state that the present portion does not know yet, and the rows that changed in between.
    var news: (content: ListContent, touched: TouchedRows)?
    /// Whether all rows were searched once; later work follows commits.
    var hasEnded = false

    /// The text of the hint line while it runs; nil when it is over.
    var progressText: String? {
        guard !search.isDone, !hasEnded else { return nil }
        let part = part.map { " \($0)," } ?? ""
        let found = search.count == 1 ? "1 row" : "\(RowCount(search.count)) rows"
        // What stops it must be there to read.
        let pattern = pattern.count > 40 ? pattern.prefix(39) + "…" : pattern
        return "searching for \"\(pattern)\":\(part) \(RowCount(search.searched)) searched, \(found) found   Esc stops"
    }

    /// The text beside the pattern while it is typed.
    var foundText: String {
        let found = "\(RowCount(search.count, isComplete: search.isDone || hasEnded)) found"
        return search.isDone || hasEnded ? found : [part, found].compactMap(\.self).joined(separator: ", ")
    }

    /// How much has been searched, if the total is known.
    private var part: String? {
        let total = unfiltered.groups.compactMap { unfiltered.sources[$0]?.count }
        let all = total.reduce(0) { $0 + $1.known }
        return total.allSatisfy(\.isComplete) && all > 0 ? "\(min(100, search.searched * 100 / all)) %" : nil
    }
}
