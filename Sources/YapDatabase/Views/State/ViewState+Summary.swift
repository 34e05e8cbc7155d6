import FileEngine
import ViewPageKeys

extension ViewState {
    /// The fewest pages of which a summary is worth writing when the database is closed. Fewer are loaded in less than a millisecond,
    /// which a commit that waits for the disk takes too. Tests set another number.
    @TaskLocal static var fewestSummarizedPages = 1_000

    /// Makes the state of a summary. Its pages are made when they are first visited, 32 at a time. O(p) for p pages, about 10 ns a page.
    init(_ summary: PageSummary) {
        let groups = summary.groups.map { group in
            let first = group.pages.lowerBound
            @Sendable func label(_ place: Int) -> Int64 { Int64(place) * pageLabelGap }
            let pages = SortedTree<Int64, Page>(
                lazily: group.pages.count,
                weight: { summary.rows(at: first + $0.lowerBound..<first + $0.upperBound) }, key: label,
                source: { places in
                    places.map { place in
                        let index = first + place
                        let content = PageContent(
                            PageKey(uuid: summary.name(at: index)), record: summary.record(at: index),
                            first: summary.first(at: index))
                        return (label(place), Page(count: summary.rows(at: index), content: content))
                    }
                })
            return (key: group.name, value: PageList(pages: pages))
        }
        // Earlier releases had them in Swift's order.
        self.groups = SortedTree(sorted: groups.sorted { $0.key.precedes($1.key) })
        addresses = SortedTree(
            lazily: summary.count, weight: \.count, key: summary.name(ofRank:),
            source: { ranks in
                ranks.map { rank in
                    let place = summary.place(ofRank: rank)
                    let group = summary.group(at: place)
                    let label = Int64(place - group.pages.lowerBound) * pageLabelGap
                    return (summary.name(ofRank: rank), PageAddress(group: group.name, label: label))
                }
            })
        isFromSummary = true
    }

    /// A summary of the pages, nil if there are few, or if one cannot be part of a summary. O(p) for p pages.
    func summary() -> PageSummaryWriter? {
        guard addresses.count >= Self.fewestSummarizedPages else { return nil }
        var writer = PageSummaryWriter(expecting: addresses.count)
        var isComplete = true
        groups.forEach { group, list in
            writer.add(group: group)
            list.pages.forEach { _, page in
                let content = page.content
                isComplete = writer.add(
                    content.pageKey, rows: page.count, record: content.record, first: content.first)
                return isComplete
            }
            return isComplete
        }
        return isComplete ? writer : nil
    }
}
