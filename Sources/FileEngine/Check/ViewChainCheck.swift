import SQLiteBridge

/// Checks that the pages of each group of a view form one list: one head, no missing predecessor, no fork, no cycle.
struct ViewChainCheck {
    private struct Page {
        let key: PageHash
        /// Nil for a first page.
        let previous: PageHash?
        let group: Int32
    }

    private var pages: [Page] = []
    private var groups: [String] = []
    private var positions: [String: Int32] = [:]

    /// - Parameter statement: positioned on a page, with the columns rowid, key, group, predecessor.
    /// - Returns: the page's key.
    mutating func add(_ statement: SQLiteStatement) -> PageHash {
        let group = statement.text(at: 2) ?? ""
        let position = positions[group] ?? Int32(truncatingIfNeeded: groups.count)
        if position == groups.count {
            positions[group] = position
            groups.append(group)
        }
        let key = PageHash(statement, at: 1)
        let isFirst = statement.size(at: 3) == 0
        pages.append(Page(key: key, previous: isFirst ? nil : PageHash(statement, at: 3), group: position))
        return key
    }

    mutating func check(_ notes: inout ProblemNotes) {
        positions = [:]
        pages.sort { $0.key < $1.key }
        var heads = [Int32](repeating: 0, count: groups.count)
        // The position of each page's successor.
        var successors = [Int32](repeating: -1, count: pages.count)
        for (position, page) in pages.enumerated() {
            let group = groups[Int(page.group)]
            guard let previous = page.previous else {
                heads[Int(page.group)] += 1
                continue
            }
            guard let before = find(previous), pages[before].group == page.group else {
                notes.add("a page of group \"\(group)\" follows a page that the group does not have")
                continue
            }
            if successors[before] >= 0 { notes.add("group \"\(group)\" has two pages after the same page") }
            successors[before] = Int32(truncatingIfNeeded: position)
        }
        for (group, count) in heads.enumerated() where count != 1 {
            notes.add("group \"\(groups[group])\" has \(count) first pages instead of one")
        }
        checkCircles(successors, heads, &notes)
    }

    /// If each page has one successor and one predecessor, pages that no first page leads to form a cycle.
    private func checkCircles(_ successors: [Int32], _ heads: [Int32], _ notes: inout ProblemNotes) {
        var unreached = [Int](repeating: 0, count: groups.count)
        for page in pages { unreached[Int(page.group)] += 1 }
        var isReached = [Bool](repeating: false, count: pages.count)
        for (head, page) in pages.enumerated() where page.previous == nil {
            var next = head
            while next >= 0, !isReached[next] {
                isReached[next] = true
                unreached[Int(page.group)] -= 1
                next = Int(successors[next])
            }
        }
        for (group, count) in unreached.enumerated() where count > 0 && heads[group] == 1 {
            notes.add("\(count) pages of group \"\(groups[group])\" cannot be reached from its first page")
        }
    }

    private func find(_ key: PageHash) -> Int? {
        var (low, high) = (0, pages.count)
        while low < high {
            let middle = (low + high) / 2
            if pages[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < pages.count && pages[low].key == key ? low : nil
    }
}

/// The key of a page as a hash with a secret of this process, so that a hostile file cannot contain colliding keys.
struct PageHash: Hashable, Comparable {
    private let value: Int

    init(_ statement: SQLiteStatement, at column: Int) {
        var hasher = Hasher()
        statement.withBytes(at: column) { hasher.combine(bytes: $0) }
        value = hasher.finalize()
    }

    static func < (a: PageHash, b: PageHash) -> Bool { a.value < b.value }
}
