import ListChanges

/// The pages of a view while they are put in order: each names its predecessor, and the first page of a group names none.
///
/// The reader decides what damage means: ``order(damaged:)`` is strict where its closure throws and lenient where it only
/// collects. Some 110 bytes a page.
package struct PageChains {
    private struct Page {
        let key: PageName
        /// Nil for a first page.
        let previous: PageName?
        let group: Int32
    }

    /// The names of the groups, in the order in which they were added.
    package private(set) var groups: [String] = []
    private var pages: [Page] = []
    private var positions: [PageName: Int32] = [:]
    private var groupPositions = ExactDictionary<Int>()
    /// Neighbouring pages of the table often belong to the same group.
    private var lastGroup: (name: [UInt8], position: Int)?

    package init() {}

    package var count: Int { pages.count }

    /// Reserves capacity for about `count` pages.
    package mutating func expect(pages count: Int) {
        pages.reserveCapacity(count)
        positions.reserveCapacity(count)
    }

    /// Returns the index of a group in ``groups``, where it is added if it is new.
    package mutating func group(named bytes: UnsafeRawBufferPointer) -> Int {
        if let lastGroup, lastGroup.name.count == bytes.count,
            lastGroup.name.withUnsafeBytes({ zip($0, bytes).allSatisfy { $0 == $1 } })
        {
            return lastGroup.position
        }
        let name = String(decoding: bytes, as: UTF8.self)
        let position = groupPositions[name] ?? groups.count
        if position == groups.count {
            groupPositions[name] = position
            groups.append(name)
        }
        lastGroup = (Array(bytes), position)
        return position
    }

    package mutating func group(named text: String) -> Int {
        var text = text
        return text.withUTF8 { group(named: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a page after those that were added before.
    /// - Returns: false if another page has the same key. The page is added in either case.
    @discardableResult
    package mutating func add(_ key: PageName, after previous: PageName?, inGroup group: Int) -> Bool {
        let position = Int32(truncatingIfNeeded: pages.count)
        pages.append(Page(key: key, previous: previous, group: Int32(truncatingIfNeeded: group)))
        let known = positions.updateValue(position, forKey: key)
        if let known { positions[key] = known }
        return known == nil
    }

    /// Returns the indexes of all pages, each once: in each group first the chain from its first page, then the pages that no
    /// chain reaches. O(p) for p pages.
    ///
    /// - Parameter damaged: called with a phrase for each place where the pages of a group are not one chain.
    package func order(damaged: (String) throws -> Void) rethrows -> [Int] {
        let (successors, heads, strays) = try links(damaged)
        var order: [Int] = []
        order.reserveCapacity(pages.count)
        var isPlaced = [Bool](repeating: false, count: pages.count)
        func follow(_ head: Int) {
            var next = head
            while next >= 0, !isPlaced[next] {
                isPlaced[next] = true
                order.append(next)
                next = Int(successors[next])
            }
        }
        heads.forEach(follow)
        strays.forEach(follow)
        for page in pages.indices where !isPlaced[page] {
            try damaged(
                "pages of the group \"\(name(page))\" form a circle, which cannot be reached from the first page")
            follow(page)
        }
        return order
    }

    /// Returns the successor of each page, -1 for none; the first pages; and the pages whose predecessor is missing or
    /// has a successor already.
    private func links(
        _ damaged: (String) throws -> Void
    ) rethrows -> (successors: [Int32], heads: [Int], strays: [Int]) {
        var successors = [Int32](repeating: -1, count: pages.count)
        var heads: [Int] = []
        var strays: [Int] = []
        var headCounts = [Int](repeating: 0, count: groups.count)
        for (position, page) in pages.enumerated() {
            guard let previous = page.previous else {
                headCounts[Int(page.group)] += 1
                heads.append(position)
                continue
            }
            let before = positions[previous].map(Int.init)
            if let before, pages[before].group == page.group, successors[before] < 0 {
                successors[before] = Int32(truncatingIfNeeded: position)
            } else {
                try damaged(
                    before == nil
                        ? "a page of the group \"\(name(position))\" follows one that the group does not have"
                        : "the pages of the group \"\(name(position))\" fork, or one follows a page of another group")
                strays.append(position)
            }
        }
        for (group, count) in headCounts.enumerated() where count != 1 {
            let found = count == 0 ? "no first page" : count == 2 ? "two first pages" : "\(count) first pages"
            try damaged("the group \"\(groups[group])\" has \(found) instead of one")
        }
        return (successors, heads, strays)
    }

    private func name(_ page: Int) -> String { groups[Int(pages[page].group)] }
}
