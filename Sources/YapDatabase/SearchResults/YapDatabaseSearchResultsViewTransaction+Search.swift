import ListChanges

/// The rows that match a text, and their snippets if the view has any.
struct SearchMatches {
    let text: String
    var rowids: Set<Int64> = []
    var snippets: [Int64: String] = [:]
}

/// A newer search, or the end of the search, is wanted.
struct SearchStopped: Error {}

extension YapDatabaseSearchResultsViewTransaction {
    /// Searches, and makes the view show what matches: rows that matched before and match now stay where they are.
    ///
    /// - Parameter query: as for ``YapDatabaseFullTextSearchTransaction``; an empty text empties the view.
    /// - Throws: ``YapDatabaseError`` with code `badQuery`, which names the place, if the text is wrong. The view is unchanged
    ///   then, and the transaction may continue.
    /// - Precondition: the transaction is a read-write transaction.
    public func performSearch(for query: String) throws {
        let transaction = readWriteTransaction("performSearch")
        let found = try matches(of: query)
        try transaction.step {
            try followParent()
            try show(found)
        }
    }

    /// Searches for the newest text of a queue, and drops the older ones. While it searches, a newer text that is added to
    /// the queue takes its place.
    ///
    /// - Throws: as ``performSearch(for:)``.
    public func performSearch(with queue: YapDatabaseSearchQueue) throws {
        let transaction = readWriteTransaction("performSearch")
        while let query = queue.takeNewest() {
            do {
                let found = try matches(of: query) { try queue.checkIsWanted() }
                try transaction.step { try followParent() }
                try transaction.step { try show(found) { queue.isWanted } }
                if queue.isWanted { return }
            } catch is SearchStopped {}
            // What was added to the queue since is for the next transaction.
            if queue.endsWithRollback { return transaction.rollback() }
        }
    }

    func matches(of text: String, check: () throws -> Void = {}) throws -> SearchMatches {
        var matches = SearchMatches(text: text)
        if text.isEmpty { return matches }
        let cursor = try view.snippets.map { try search().cursor(text, $0) } ?? search().cursor(text)
        while try cursor.next() {
            if matches.rowids.count % 256 == 0 { try check() }
            matches.rowids.insert(cursor.rowid)
            if view.snippets != nil { matches.snippets[cursor.rowid] = cursor.text(at: 1) }
        }
        return matches
    }

    /// Makes the view show these rows, or as many as it can while `isWanted` says so.
    func show(_ matches: SearchMatches, while isWanted: () -> Bool = { true }) throws {
        let before = text == matches.text ? nil : text
        text = matches.text
        try removeRows { _, rowid in matches.rowids.contains(rowid) }
        if let before { try noteSnippets(matches, before: before) }
        if view.parentViewName != nil {
            try mergeParent(matches.rowids, while: isWanted)
        } else {
            try insertNew(matches.rowids, while: isWanted)
        }
    }

    /// Removes the rows for which the closure returns false, in each group from the last on.
    func removeRows(except isKept: (_ group: String, _ rowid: Int64) throws -> Bool) throws {
        for group in allGroups() {
            var removed: [Int64] = []
            try pages.forEachRowid(
                inGroup: group, range: 0..<pages.count(inGroup: group), reversed: true
            ) { _, rowid in
                if try !isKept(group, rowid) { removed.append(rowid) }
                return true
            }
            for rowid in removed {
                guard let place = try pages.place(ofRowid: rowid) else { continue }
                try pages.remove(rowid, key: existingKey(ofRowid: rowid), at: place)
            }
        }
    }

    /// Rows that stay are updated if their snippets differ.
    private func noteSnippets(_ matches: SearchMatches, before: String) throws {
        guard view.snippets != nil else { return }
        let snippets = try self.matches(of: before).snippets
        for group in allGroups() {
            let rowids = try rowids(inGroup: group)
            for rowid in rowids where snippets[rowid] != matches.snippets[rowid] {
                guard let place = try pages.place(ofRowid: rowid) else { continue }
                try pages.noteUpdate(key: existingKey(ofRowid: rowid), at: place, flags: .snippets)
            }
        }
    }

    private func insertNew(_ rowids: Set<Int64>, while isWanted: () -> Bool) throws {
        let arrangement = view.arrangement!
        for (count, rowid) in rowids.sorted().enumerated() {
            if count % 64 == 0, !isWanted() { return }
            guard try pages.pageKey(ofRowid: rowid) == nil,
                let content = try transaction.content(ofRowid: rowid, needs: arrangement.needs), isAllowed(content.key),
                let group = try arrangement.grouping.group(transaction, content)
            else { continue }
            try insert(content, into: group)
        }
    }

    func rowids(inGroup group: String) throws -> [Int64] {
        var rowids: [Int64] = []
        try pages.forEachRowid(inGroup: group, range: 0..<pages.count(inGroup: group), reversed: false) { _, rowid in
            rowids.append(rowid)
            return true
        }
        return rowids
    }
}
