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
    /// Costs the search, and O(rows of the view before and after) or, over a parent view, O(rows of the parent).
    ///
    /// ```swift
    /// try results.performSearch(for: "dun*")
    /// print(results.query(), results.numberOfItemsInAllGroups())
    /// ```
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

    /// Searches for a text that a person typed. Such a text is never a wrong query.
    ///
    /// ```swift
    /// try results.performSearch(for: .prefixes(of: "o'br"))
    /// ```
    ///
    /// - Parameter text: an empty one empties the view.
    /// - Throws: as `performSearch(for:)` with a query; `badQuery` only for ``YapSearchText/query(_:)``.
    /// - Precondition: the transaction is a read-write transaction.
    public func performSearch(for text: YapSearchText) throws { try performSearch(for: search().query(for: text)) }

    /// Searches for the newest text of a queue, and drops the older ones. While it searches, a newer text that is added to
    /// the queue takes its place.
    ///
    /// - Throws: as `performSearch(for:)`.
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
        if view.parentViewName != nil {
            try arrange(matches.rowids, while: isWanted)
        } else {
            let count = settledPages().log.count
            try removeRows(except: matches.rowids)
            try insertNew(matches.rowids, while: isWanted)
            if settledPages().log.count > count { try notifyFollowers(.rearranged(.groups)) }
        }
        if let before { try noteSnippets(matches, before: before) }
    }

    /// Removes the rows that are not in `rowids`, in each group from the last on.
    private func removeRows(except rowids: Set<Int64>) throws {
        for group in allGroups() {
            for rowid in try settledPages().rowids(inGroup: group).reversed() where !rowids.contains(rowid) {
                guard let place = try settledPages().place(ofRowid: rowid) else { continue }
                try settledPages().remove(rowid, key: existingKey(ofRowid: rowid), at: place)
            }
        }
    }

    /// Rows that stay are updated if their snippets differ.
    private func noteSnippets(_ matches: SearchMatches, before: String) throws {
        guard view.snippets != nil else { return }
        let changed = try self.matches(of: before).snippets.filter { $0.value != matches.snippets[$0.key] }
        for rowid in changed.keys.sorted() { try noteUpdate(rowid, .snippets) }
    }

    private func insertNew(_ rowids: Set<Int64>, while isWanted: () -> Bool) throws {
        let arrangement = view.arrangement!
        let reader = try ContentReader(transaction, arrangement.needs)
        for (count, rowid) in rowids.sorted().enumerated() {
            if count % 64 == 0, !isWanted() { return }
            if try settledPages().hasRow(rowid) { continue }
            _ = try reader.row(rowid) { key, read in
                guard isAllowed(key), let content = try decoding(rowid, key, arrangement.needs, read),
                    let group = try arrangement.grouping.group(transaction, content)
                else { return }
                try insert(content, into: group)
            }
        }
    }
}
