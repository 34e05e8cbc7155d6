import FileEngine
import ListChanges
import ViewPageKeys

/// Compares the summary of a view's pages with the pages.
struct SummarizedPages {
    private struct Page {
        let name: PageName
        let group: Int
        let count: Int64
        let first: Int64?
    }

    /// Nil if it is damaged.
    private let summary: PageSummary?
    private var pages: [Page] = []

    /// Nil if the file has no summary that claims to be of the present state. Any other is never used.
    init?(_ store: Store, view: String) throws {
        guard try store.hasPageSummary(ofView: view) else { return nil }
        summary = try store.pageSummary(ofView: view)
    }

    /// Adds a page, in the order of the table. Where its record is need not be compared: a reader of it compares the key.
    mutating func add(_ name: PageName, group: Int, count: Int64, first: Int64?) {
        pages.append(Page(name: name, group: group, count: count, first: first))
    }

    /// - Parameters:
    ///   - order: the indexes of the pages in the order of the list.
    ///   - groups: the names of the groups.
    func compare(_ order: [Int], _ groups: [String], _ notes: inout ProblemNotes) {
        guard let summary else { return notes.add("the summary of its pages is damaged, so that it is not used") }
        var places = [[Int]](repeating: [], count: groups.count)
        for index in order { places[pages[index].group].append(index) }
        let ordered = groups.indices.sorted { groups[$0].precedes(groups[$1]) }
        let summarizedGroups = summary.groups.sorted { $0.name.precedes($1.name) }
        let haveSameNames = ordered.elementsEqual(summarizedGroups) { groups[$0].hasSameBytes(as: $1.name) }
        guard haveSameNames, pages.count == summary.count else {
            return notes.add(
                "the summary of its pages has \(summary.count) pages in \(summary.groups.count) groups, where the view has "
                    + "\(pages.count) in \(groups.count), or the groups have other names")
        }
        for (group, summarized) in zip(ordered, summarizedGroups) {
            let name = groups[group].debugDescription
            guard places[group].count == summarized.pages.count else {
                notes.add(
                    "the summary of its pages has \(summarized.pages.count) pages for the group \(name), which has "
                        + "\(places[group].count)")
                continue
            }
            for (index, place) in zip(places[group], summarized.pages) {
                let page = pages[index]
                if page.name != summary.name(at: place) {
                    notes.add(
                        "the summary of its pages has another page at place \(place - summarized.pages.lowerBound) of the group "
                            + name)
                } else if page.count != summary.rows(at: place) {
                    notes.add(
                        "the summary of its pages gives page \(page.name.uuidText) \(summary.rows(at: place)) rows")
                } else if let first = summary.first(at: place), first != page.first {
                    notes.add(
                        "the summary of its pages lets page \(page.name.uuidText) begin with row \(first)")
                }
            }
        }
    }
}
