import ListChanges
import ViewPageKeys

// Writes a transaction's edits of a view to the store, once, just before the commit.
//
// The stored format of a view named `n`:
//   view_n_page  one row a page: its key, its group, the key of the page before it (NULL for a group's first), the
//                number of its rows, and the rowids as little-endian 64-bit integers without a header;
//   view_n_map   one row for each row of the view: rowid, page key.
// A group exists exactly as long as it has a page, and at commit every page has at least one row.
extension ViewPages {
    /// Writes pages and map. O(pages and rows that were changed).
    ///
    /// A commit that changes most pages also leaves the summary that ``YapDatabase/YapDatabase/close()`` would, so that the file is opened
    /// as quickly if the program is killed then. It is a small part of what such a commit writes.
    ///
    /// - Parameter number: that of the commit; nil if no summary is wanted.
    func persist(number: Int?) throws {
        reopenEarlierPages()
        dropEmptyGroups()
        try cutPages()
        let changesMost = isFilled || 2 * openPages.count >= state.addresses.count
        if isPersistent { try write() }
        seal()
        state.unstored = nil
        guard isPersistent, changesMost, let number, let summary = state.summary() else { return }
        try store.set(summary, ofView: name, number: number)
        state.hasSummary = true
    }

    /// Ends the edits like ``persist(number:)``, but keeps them in memory: the store keeps the last state that was right there.
    func keepUnstored() throws {
        dropEmptyGroups()
        try cutPages()
        seal(isInStore: false)
        state.unstored = UnstoredPages(self, base: before)
    }

    /// Gives pages of earlier edits other contents: those belong to states whose store does not have them, so they must stay in memory.
    private func reopenEarlierPages() {
        guard earlier != nil else { return }
        for content in openPages.values where !content.isOpen {
            let address = address(ofPage: content.name)
            let rows = content.edit { $0 }
            state.groups.update(address.group) { list in list.pages.update(address.label) { open(&$0, rows: rows) } }
        }
    }

    /// Drops groups in the order of their names, so that the same edits always produce the same log.
    private func dropEmptyGroups() {
        let empty = openPages.values.filter { $0.count == 0 }.map { address(ofPage: $0.name) }
        for address in empty.sorted(by: { $0.group.precedes($1.group) }) {
            drop(page: address.label, ofGroup: address.group)
            if state.groups[address.group]!.pages.isEmpty {
                state.groups.remove(address.group)
                log.append(.deleteSection(group: address.group))
            }
        }
    }

    private func cutPages() throws {
        for content in openPages.values {
            let count = content.count
            guard count > Self.maxRowsAtCommit else { continue }
            let address = address(ofPage: content.name)
            let pages = state.groups[address.group]!.pages
            let (isFirst, isLast) = (pages.first!.key == address.label, pages.last!.key == address.label)
            if !isFirst, !isLast, try passRows(of: content, at: address) { continue }
            try split(
                address.label, ofGroup: address.group, into: Self.pieces(of: count, isFirst: isFirst, isLast: isLast))
        }
    }

    /// A neighbouring page takes up to `maxPassed` rows that are over the limit. It takes `spare` more, so that the next inserts have room.
    private static let (maxPassed, spare) = (8, 3)

    /// Moves the rows of an oversized page that are too many to a neighbouring page that has room: a few rows of the map to write
    /// instead of those of half a page.
    /// - Returns: false if the neighbours are full too.
    private func passRows(of page: PageContent, at address: PageAddress) throws -> Bool {
        let pages = state.groups[address.group]!.pages
        let (count, excess) = (page.count, page.count - Self.maxRowsAtCommit)
        let neighbours = [pages.element(before: address.label), pages.element(after: address.label)]
        guard excess <= Self.maxPassed,
            let neighbour = neighbours.compactMap(\.self).min(by: { $0.value.count < $1.value.count }),
            neighbour.value.count + excess <= Self.maxRowsAtCommit
        else { return false }
        let passed = max(excess, min(excess + Self.spare, (count - neighbour.value.count) / 2))
        let isBefore = neighbour.key < address.label
        let rows = page.edit { rows in
            defer { if isBefore { rows.removeFirst(passed) } else { rows.removeLast(passed) } }
            return isBefore ? Array(rows.prefix(passed)) : Array(rows.suffix(passed))
        }
        setCount(count - passed, of: address.label, inGroup: address.group)
        try edit(address.group, neighbour.key, isFinal: false) { page, present in
            present.insert(contentsOf: rows, at: isBefore ? present.count : 0)
            for rowid in rows { mapChanges.updateValue(page.content, forKey: rowid) }
        }
        return true
    }

    /// Returns the sizes of the pieces of an oversized page. A page at the end of its group is cut into full pages and
    /// a new one at that end, because the group grows there; likewise at the beginning. If many rows came at once, they may have come in any
    /// order, and the next ones too: the pages are filled as those of a new list. Elsewhere the pieces are of equal size, so that each has room
    /// for the next insert.
    static func pieces(of count: Int, isFirst: Bool, isLast: Bool) -> [Int] {
        if isFirst || isLast {
            let size = count > 2 * maxRowsAtCommit ? rowsOfFilledPage : maxRowsAtCommit
            let (full, rest) = count.quotientAndRemainder(dividingBy: size)
            let fullPages = Array(repeating: size, count: full)
            if rest == 0 { return fullPages }
            return isLast ? fullPages + [rest] : [rest] + fullPages
        }
        let pages = (count + rowsOfFilledPage - 1) / rowsOfFilledPage
        return (0..<pages).map { count * ($0 + 1) / pages - count * $0 / pages }
    }

    private func write() throws {
        if state.hasSummary {
            // The next number would do, but a number may also be set back by hand.
            try store.endPageSummary(ofView: name)
            state.hasSummary = false
        }
        if isCleared { try store.removeAllPages(view: name) }
        for key in droppedPages.values { try store.removePage(key, view: name) }
        for content in openPages.values { try write(content) }
        for page in relinkedPages where !newPages.contains(page) {
            let address = address(ofPage: page)
            let key = state.groups[address.group]!.pages[address.label]!.key
            try store.setPreviousPage(previousPage(of: address), ofPage: key, view: name)
        }
        try writeMap()
    }

    /// In ascending order of the rowids, so that neighbours in the table are written one after the other.
    private func writeMap() throws {
        guard !mapChanges.isEmpty else { return }
        let changes = mapChanges.sorted { $0.key < $1.key }
        let filled = rowsToFill(changes)
        if let (rows, pages) = filled { try store.pageMapWriter(view: name).write(rows, pages: pages) }
        let writer = try store.mapWriter(view: name)
        for (rowid, page) in changes where page == nil || filled == nil {
            try writer.set(page?.pageKey, ofRowid: rowid)
        }
        // The store has them now. In a large commit of many views they would take megabytes for each.
        if !isCleared { mapChanges = [:] }
    }

    /// Returns the rows that pages hold, if they are written quicker by several than one by one: many, and close to each other.
    private func rowsToFill(
        _ changes: [(key: Int64, value: PageContent?)]
    ) -> (rows: [PageMapWriter.Row], pages: [PageName])? {
        let span = UInt64(bitPattern: changes[changes.count - 1].key &- changes[0].key)
        guard changes.count >= 256, span / 4 < UInt64(changes.count) else { return nil }
        var rows: [PageMapWriter.Row] = []
        rows.reserveCapacity(changes.count)
        var pages: [PageName] = []
        var numbers: [ObjectIdentifier: Int32] = [:]
        for case (let rowid, let page?) in changes {
            guard page.pageKey.isUUID else { return nil }
            let number = numbers[ObjectIdentifier(page)] ?? Int32(pages.count)
            if number == pages.count {
                pages.append(page.name)
                numbers[ObjectIdentifier(page)] = number
            }
            rows.append(PageMapWriter.Row(rowid: rowid, page: number))
        }
        return (rows, pages)
    }

    private func write(_ content: PageContent) throws {
        let rows = content.edit { $0 }
        guard newPages.contains(content.name) else {
            return try store.setRows(rows, ofPage: content.pageKey, at: content.record, view: name)
        }
        let address = address(ofPage: content.name)
        let page = PageRecord(
            key: content.key, group: address.group, previous: previousPage(of: address), count: rows.count)
        content.record = try store.insertPage(page, rows: rows, view: name)
    }

    private func previousPage(of address: PageAddress) -> String? {
        state.groups[address.group]!.pages.element(before: address.label)?.value.key
    }

    /// Closes the pages: from now on the state is the commit's, an immutable value.
    private func seal(isInStore: Bool = true) {
        for content in openPages.values {
            let count = content.count
            require(count > 0 && count <= Self.maxRowsAtCommit, "A page of \(count) rows at commit.")
            content.seal()
            if isPersistent, isInStore { cache?.admit(content) }
        }
        guard !isPersistent else { return }
        for (rowid, page) in mapChanges { state.map[rowid] = page.map { MapEntry(page: $0.name) } }
    }
}
