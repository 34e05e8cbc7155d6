import FileEngine

import FileEngine
import ViewPageKeys

/// A view's content in one snapshot: its groups, their pages, and the number of rows in each.
///
/// A value: a commit makes a new one that shares all unchanged paths with the one before, and every connection on the
/// same snapshot uses the same value. It holds no rows; these are in the pages' ``PageContent``, read on demand.
///
/// Memory: about 170 bytes a page, which is 3.8 bytes a row of a filled page. Of a state from a summary, as one is after the view was filled
/// too, 34 bytes a page, some 200 for each 32 pages, and the rest for those that were visited.
struct ViewState: ExtensionState {
    /// The pages of each group, by group name.
    var groups = SortedTree<String, PageList>()
    /// The position of each page, by the name made of its key.
    var addresses = SortedTree<PageName, PageAddress>()
    /// The page of each row, by rowid. Only for a view in memory; a persistent view reads its map table.
    var map = SortedTree<Int64, MapEntry>()
    /// The rows that cannot be decoded, by rowid. Only for a view in memory; the file has those of the others.
    var leftOut: [Int64: LeftOutRow] = [:]
    /// Whether the state, or the one that it was made from by commits, was loaded from a summary.
    var isFromSummary = false
    /// What the file lacks of a stored view, which it marks as stale then; nil if it has all.
    var unstored: UnstoredPages?

    var isUnstored: Bool { unstored != nil }
    var isEmpty: Bool { groups.isEmpty }

    func count(inGroup group: String) -> Int { groups[group]?.weight ?? 0 }
}

/// The pages of one group in order.
///
/// The keys of the tree are *labels*: numbers that define only the order, with gaps, so that a page can be put between
/// two others without changing either.
struct PageList: Weighted {
    typealias Pages = SortedTree<Int64, Page>

    var pages = Pages()

    /// The number of rows.
    var weight: Int { pages.weight }
}

/// One page in one snapshot: a run of neighbouring rows of a group.
struct Page: Weighted {
    /// The number of rows.
    var count: Int
    var content: PageContent

    var key: String { content.key }
    var weight: Int { count }
}

struct PageAddress: Weighted {
    let group: String
    var label: Int64

    var weight: Int { 1 }
}

struct MapEntry: Weighted {
    let page: PageName

    var weight: Int { 1 }
}
