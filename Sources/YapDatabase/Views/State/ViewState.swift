/// What a view holds as of one snapshot: which groups, which pages, how many rows in each.
///
/// A value: a commit makes a new one that shares all but the changed paths with the one before, and every connection
/// on the same snapshot uses the same one. It knows no row; rows are in the pages' ``PageContent``, read when asked.
///
/// Memory: about 150 bytes a page, so 3 bytes a row of a full page.
struct ViewState: ExtensionState {
    /// The pages of each group, by group name.
    var groups = SortedTree<String, PageList>()
    /// Where each page is, by page key.
    var addresses = SortedTree<String, PageAddress>()
    /// Which page holds a row, by rowid. Only for a view in memory; a persistent one asks its map table.
    var map = SortedTree<Int64, MapEntry>()

    var isEmpty: Bool { groups.isEmpty }

    func count(inGroup group: String) -> Int { groups[group]?.weight ?? 0 }
}

/// The pages of one group in order.
///
/// The keys of the tree are *labels*: numbers that say nothing but the order, with gaps, so that a page can be put
/// between two others without touching any.
struct PageList: Weighted {
    var pages = SortedTree<Int64, Page>()

    /// The number of rows.
    var weight: Int { pages.weight }
}

/// One page as of one snapshot: a run of neighbouring rows of a group.
struct Page: Weighted {
    /// The page's name in the page and map tables, an upper-case UUID.
    let key: String
    /// How many rows.
    var count: Int
    var content: PageContent
    /// Whether a transaction is changing the page, so that the content is its own.
    var isOpen = false

    var weight: Int { count }
}

struct PageAddress: Weighted {
    let group: String
    var label: Int64

    var weight: Int { 1 }
}

struct MapEntry: Weighted {
    let pageKey: String

    var weight: Int { 1 }
}
