import FileReading
import ScreenPrograms

extension DiffScreen {
    /// Shows only one kind, or all again.
    func toggle(_ kind: ChangeKind) {
        state.filter.kinds = state.filter.kinds == [kind] ? [] : [kind]
        filterAgain()
    }

    func filter(_ pattern: String) {
        do { _ = try ChangeTest(pattern) } catch { return show(failure: "\(error)") }
        state.filter.pattern = pattern
        filterAgain()
    }

    /// Begins the list again with the present filter.
    func filterAgain() {
        state.filters.begin()
        state.searches.begin()
        (state.working, state.isFiltering) = (nil, false)
        taken = 0
        source.sections = ChangeSections()
        filterTest = try? ChangeTest(state.filter.pattern, kinds: state.filter.kinds)
        let pattern = state.filter.pattern
        source.pattern = pattern.hasPrefix("=") ? nil : SearchPattern(pattern)
        table.progress = Table.Progress("looking…")
        takeChanges()
    }

    /// Filters what was found and not looked at yet, in short portions.
    func filterOn() {
        guard taken < store.count, let test = filterTest else { return }
        let request = state.filters.begin()
        let (store, reader, start) = (store, reader, taken)
        state.isFiltering = true
        background.run {
            try Self.matches(store, from: start, test, reader)
        } then: { [weak self] result in
            guard let self, state.filters.isCurrent(request) else { return }
            state.isFiltering = false
            switch result {
            case .failure(let error): return show(failure: "\(error)")
            case .success(let found):
                let isFirst = source.sections.count == 0
                for (index, change) in found.matches { source.sections.append(index, change) }
                taken = found.end
                showList(isFirst: isFirst)
            }
            filterOn()
        }
    }

    /// The changes that are looked at before the time is, and the time in seconds that a portion takes.
    private nonisolated static let (portion, seconds) = (200, 0.06)

    private nonisolated static func matches(
        _ store: ChangeStore, from start: Int, _ test: ChangeTest, _ reader: ChangeReader
    ) throws -> (matches: [(Int, FileChange)], end: Int) {
        let limit = ContinuousClock.now + .seconds(seconds)
        var (matches, place) = ([(Int, FileChange)](), start)
        let count = store.count
        while place < count, ContinuousClock.now < limit {
            let range = place..<min(count, place + portion)
            for (index, change) in zip(range, store[range]) where try test.isTrue(for: change, reader) {
                matches.append((index, change))
            }
            place = range.upperBound
        }
        return (matches, place)
    }
}
