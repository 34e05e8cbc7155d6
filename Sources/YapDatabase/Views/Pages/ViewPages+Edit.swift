import FileEngine
import ListChanges

// Edits of single rows and of the whole view. Each appends its operations to the log.
extension ViewPages {
    /// Inserts a row that is not in the view at a position of a group; creates the group if it does not exist.
    ///
    /// - Precondition: `index` is between 0 and the group's count.
    func insert(_ rowid: Int64, key: RowKey, inGroup group: String, at index: Int) throws {
        let (label, offset) = pageForInsert(at: index, inGroup: group)
        try edit(group, label) { page, rows in
            rows.insert(rowid, at: offset)
            mapChanges.updateValue(page.content, forKey: rowid)
        }
        log.append(.insertRow(group: group, index: index, key: key))
    }

    func remove(_ rowid: Int64, key: RowKey, at place: RowPlace) throws {
        let rest = try edit(place.group, place.label) { _, rows in
            rows.remove(at: place.offset)
            return rows.count
        }
        mapChanges.updateValue(nil, forKey: rowid)
        log.append(.deleteRow(group: place.group, index: place.index, key: key))
        // The last page of a group stays until the commit: a group that is emptied and filled again counts as never
        // removed.
        if rest == 0, state.groups[place.group]!.pages.count > 1 { drop(page: place.label, ofGroup: place.group) }
    }

    func noteUpdate(key: RowKey, at place: RowPlace, flags: ChangeFlags) {
        log.append(.updateRow(group: place.group, index: place.index, key: key, flags: flags))
    }

    /// Empties all groups at once. O(pages) in memory; the store's tables are emptied when the pages are persisted.
    func removeAll() {
        state.groups.forEach { group, list in
            if list.weight > 0 { log.append(.resetSection(group: group)) }
            list.pages.forEach { _, page in
                forget(page.content)
                return true
            }
            log.append(.deleteSection(group: group))
            return true
        }
        state.groups = SortedTree()
        state.addresses = SortedTree()
        state.map = SortedTree()
        mapChanges = [:]
        droppedPages = [:]
        isCleared = true
    }
}

extension ViewPages {
    /// Opens a page, changes its rows and updates its count.
    /// - Parameter isFinal: whether a page that becomes too large is cut in two.
    @discardableResult
    func edit<T>(
        _ group: String, _ label: Int64, isFinal: Bool = true,
        _ change: (_ page: Page, _ rows: inout [Int64]) throws -> T
    ) throws -> T {
        let (result, count) = try state.groups.update(group) { list in
            try list.pages.update(label) { page in
                if !page.content.isOpen { try open(&page) }
                let (result, count) = try page.content.edit { rows in (try change(page, &rows), rows.count) }
                page.count = count
                return (result, count)
            }
        }
        if isFinal, count > Self.maxRowsWhileOpen {
            try split(label, ofGroup: group, into: [count / 2, count - count / 2])
        }
        return result
    }

    private func open(_ page: inout Page) throws { open(&page, rows: try rows(of: page)) }

    /// Gives an open or closed page these rows. The transaction owns them.
    func open(_ page: inout Page, rows: [Int64]) {
        page.content = page.content.opened(rows: rows)
        page.count = rows.count
        // Room at once for the pages of a row that moves.
        if openPages.isEmpty { openPages.reserveCapacity(3) }
        openPages[page.content.name] = page.content
    }

    func setCount(_ count: Int, of label: Int64, inGroup group: String) {
        state.groups.update(group) { list in list.pages.update(label) { $0.count = count } }
    }

    /// Returns the page that a row inserted at `index` joins, and its offset there. Of two neighbouring pages it picks
    /// the one with fewer rows.
    private func pageForInsert(at index: Int, inGroup group: String) -> (label: Int64, offset: Int) {
        guard let list = state.groups[group] else { return (addGroup(group), 0) }
        let count = list.weight
        require(index >= 0 && index <= count, "Row \(index) does not fit into a group of \(count).")
        if count == 0 { return (list.pages.first!.key, 0) }
        guard let place = list.pages.element(atWeight: index) else {
            let last = list.pages.last!
            return (last.key, last.value.count)
        }
        if place.offset == 0, let before = list.pages.element(before: place.key),
            before.value.count < place.value.count
        {
            return (before.key, before.value.count)
        }
        return (place.key, place.offset)
    }

    func addGroup(_ group: String) -> Int64 {
        let page = newPage(rows: [])
        state.groups.insert(PageList(pages: SortedTree(sorted: [(0, page)])), for: group)
        state.addresses.insert(PageAddress(group: group, label: 0), for: page.content.name)
        log.append(.insertSection(group: group))
        return 0
    }

    func newPage(rows: [Int64]) -> Page {
        let content = PageContent(.random(), rows: rows, isOpen: true)
        newPages.insert(content.name)
        openPages[content.name] = content
        return Page(count: rows.count, content: content)
    }

    func drop(page label: Int64, ofGroup group: String) {
        let pages = state.groups[group]!.pages
        if let next = pages.element(after: label) { relinkedPages.insert(next.value.content.name) }
        let content = pages[label]!.content
        state.groups.update(group) { $0.pages.remove(label) }
        state.addresses.remove(content.name)
        forget(content)
    }

    func forget(_ page: PageContent) {
        openPages[page.name] = nil
        relinkedPages.remove(page.name)
        if newPages.remove(page.name) == nil, !isCleared { droppedPages[page.name] = page.key }
    }

    /// Splits an open page into pieces of the given sizes; the first keeps the page's key.
    func split(_ label: Int64, ofGroup group: String, into sizes: [Int]) throws {
        let page = state.groups[group]!.pages[label]!
        let rows = page.content.edit { $0 }
        require(sizes.reduce(0, +) == rows.count, "The pieces of a page must hold all of its rows.")
        page.content.edit { $0 = Array(rows[..<sizes[0]]) }
        setCount(sizes[0], of: label, inGroup: group)
        var start = sizes[0]
        var previous = label
        for size in sizes.dropFirst() {
            let piece = newPage(rows: Array(rows[start..<(start + size)]))
            for rowid in rows[start..<(start + size)] { mapChanges.updateValue(piece.content, forKey: rowid) }
            previous = insert(piece, after: previous, inGroup: group)
            start += size
        }
        if let next = state.groups[group]!.pages.element(after: previous) {
            relinkedPages.insert(next.value.content.name)
        }
    }

    private func insert(_ page: Page, after previous: Int64, inGroup group: String) -> Int64 {
        let pages = state.groups[group]!.pages
        guard let next = pages.element(after: previous)?.key else {
            return add(page, at: previous + pageLabelGap, inGroup: group)
        }
        if next - previous >= 2 { return add(page, at: previous + (next - previous) / 2, inGroup: group) }
        let previousPage = pages[previous]!.content.name
        spreadLabels(around: previous, inGroup: group)
        return insert(page, after: address(ofPage: previousPage).label, inGroup: group)
    }

    private func add(_ page: Page, at label: Int64, inGroup group: String) -> Int64 {
        state.groups.update(group) { $0.pages.insert(page, for: label) }
        state.addresses.insert(PageAddress(group: group, label: label), for: page.content.name)
        return label
    }
}
