import Foundation
import LiveTable

extension ChatScreen {
    /// Searches all conversations, in the background; the results are a live list, so that new matches come in.
    func search(_ words: String) {
        let parts = words.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        facts.searched = parts
        // Words are beginnings of words, but for one that a blank ends. A single letter begins too many.
        let isWhole = words.last?.isWhitespace ?? false
        let query = parts.enumerated().map { index, part in
            let isBeginning = part.count + parts.count > 2 && !(isWhole && index == parts.count - 1)
            return "\"\(part)\"" + (isBeginning ? "*" : "")
        }.joined(separator: " ")
        searches.enqueueQuery(query)
        let searches = searches
        searcher.asyncReadWrite(
            { transaction in
                guard let view = transaction.ext(ChatDatabase.foundView) as? YapDatabaseSearchResultsViewTransaction
                else { return }
                try view.performSearch(with: searches)
            },
            completionBlock: { [weak self] result in
                MainActor.assumeIsolated { self?.endSearch(words, result) }
            })
    }

    private func endSearch(_ words: String, _ result: Result<Void, any Error>) {
        if case .failure(let error) = result { return fail(error) }
        guard state.searched == words else { return }
        attempt {
            _ = try foundTables.advance(at: now())
            let isNew = shownSearch?.words != words
            shownSearch = (words, 0)
            state.found = found.mappings.numberOfItemsInAllGroups()
            try found.update { table, source in
                table.reload(source: source, at: now())
                let path = isNew ? nil : chosen.flatMap { source.path(of: $0) }
                if let path {
                    table.select(path, source: source, at: now())
                } else {
                    table.perform(.selectFirst, source: source, at: now())
                }
            }
            // Beside another writer the matches may be gone for a moment; the choice is not.
            if isNew || found.table.selection != nil { chosen = found.table.selection }
        }
        state.screen.redraw()
    }

    /// Searches again if something has come, and now and then, so that the search holds no old state of the file.
    func followFound(hasNews: Bool) throws {
        guard let words = state.searched else {
            _ = try foundTables.advance(at: now())
            return
        }
        guard let shown = shownSearch, shown.words == words else { return }
        shownSearch?.commits += 1
        if hasNews || shown.commits >= 20 { search(words) }
    }

    func moveFound(by rows: Int) throws {
        try found.update { table, source in
            table.perform(rows > 0 ? .selectNext(rows) : .selectPrevious(-rows), source: source, at: now())
        }
        chosen = found.table.selection
    }

    /// Opens the conversation of the selected match, at the match.
    func openFound() throws {
        state.prompt = nil
        guard let path = found.table.selectedPath else { return try endSearch() }
        let message = try foundTables.connection.read { transaction in
            let view = transaction.ext(ChatDatabase.foundView) as? YapDatabaseViewTransaction
            return try view?.object(at: path, with: found.mappings) as? Message
        }
        try endSearch()
        guard let message else { return }
        try open(message.conversation)
        try jump(toMessage: message.id)
        try move(to: .messages)
    }

    /// Leaves the search. The results are dropped.
    func endSearch() throws {
        search("")
        state.found = nil
        shownSearch = nil
        try layOut()
    }
}
