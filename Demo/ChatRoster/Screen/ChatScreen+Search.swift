import Foundation
import LiveTable
import Synchronization

/// The search that is wanted now, for those in the background that are not.
final class SearchTurn: Sendable {
    private let number = Atomic(0)

    /// Begins another search. Returns a test whether it is still the latest one.
    func next() -> @Sendable () -> Bool {
        let mine = number.add(1, ordering: .acquiringAndReleasing).newValue
        return { [self] in number.load(ordering: .acquiring) == mine }
    }
}

extension ChatScreen {
    /// Searches all conversations, in the background. It only reads, so that it needs no server and no room on the disk.
    func search(_ words: String) {
        let parts = words.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        facts.searched = parts
        // Words are beginnings of words, but for one that a blank ends. A single letter begins too many.
        let isWhole = words.last?.isWhitespace ?? false
        let terms = parts.enumerated().map { index, part -> String in
            let isBeginning = part.count + parts.count > 2 && !(isWhole && index == parts.count - 1)
            return isBeginning ? "\"\(part)\"*" : "\"\(part)\""
        }
        let query = terms.joined(separator: " ")
        let (isWanted, me) = (searches.next(), chat.me)
        if shownSearch?.words != words {
            state.found = nil
            found.show(query.isEmpty ? [] : found.messages, emptyText: query.isEmpty ? "" : "Searching…", at: now())
            shownSearch = nil
        }
        isSearching = !query.isEmpty
        if query.isEmpty { return }
        searcher.asyncRead({ try $0.messages(matching: query, for: me, isWanted: isWanted) }) { [weak self] result in
            // Completion blocks run on the main queue.
            MainActor.assumeIsolated { self?.endSearch(words, result) }
        }
    }

    private func endSearch(_ words: String, _ result: Result<FoundMessages?, any Error>) {
        switch result {
        case .failure(let error):
            isSearching = false
            fail(error)
        case .success(let messages):
            guard let messages, state.searched == words else { return }
            isSearching = false
            show(messages, of: words)
        }
        state.screen.redraw()
    }

    private func show(_ messages: FoundMessages, of words: String) {
        let isNew = shownSearch?.words != words
        shownSearch = (words, 0)
        state.found = messages.count
        found.show(messages.messages, emptyText: "Nothing is found", at: now())
        found.update { table, source in
            let path = isNew ? nil : chosen.flatMap { source.path(of: $0) }
            if let path {
                table.select(path, source: source, at: now())
            } else {
                table.perform(.selectFirst, source: source, at: now())
            }
        }
        chosen = found.table.selection
    }

    /// Searches again if something has come, and now and then, because texts change.
    func followFound(hasNews: Bool) {
        guard let words = state.searched, let shown = shownSearch, shown.words == words else { return }
        shownSearch?.commits += 1
        if !isSearching, hasNews || shown.commits >= 20 { search(words) }
    }

    func moveFound(by rows: Int) {
        found.update { table, source in
            table.perform(rows > 0 ? .selectNext(rows) : .selectPrevious(-rows), source: source, at: now())
        }
        chosen = found.table.selection
    }

    /// Opens the conversation of the selected match, at the match.
    func openFound() throws {
        state.prompt = nil
        let message = found.selected
        try endSearch()
        guard let message else { return }
        try open(message.conversation)
        try jump(toMessage: message.id)
        try move(to: .messages)
    }

    /// Leaves the search. The results are dropped.
    func endSearch() throws {
        search("")
        try layOut()
    }
}
