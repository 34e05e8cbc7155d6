import FileEngine
import ListChanges
import ViewPageKeys

/// Edits of a stored view that are in memory only.
///
/// A process that has not registered the view changed rows, marked the view as stale and left its tables alone. So the tables have the
/// last right state, in every later snapshot, until a process that has registered the view stores these edits.
final class UnstoredPages: Sendable {
    /// The pages that differ from those of the tables, with their rows.
    let pages: [PageName: PageContent]
    let newPages: Set<PageName>
    let droppedPages: [PageName: String]
    let relinkedPages: Set<PageName>
    let isCleared: Bool
    /// As in ``ViewPages``.
    let mapChanges: [Int64: PageContent?]
    /// The operations that lead from the tables to this state.
    let log: [RawOperation]
    /// Whether the log does not have all.
    let isUnlogged: Bool
    /// What the tables have.
    let base: ViewState

    init(_ pages: ViewPages, base: ViewState) {
        let earlier = base.unstored
        self.pages = pages.openPages
        newPages = pages.newPages
        droppedPages = pages.droppedPages
        relinkedPages = pages.relinkedPages
        isCleared = pages.isCleared
        mapChanges = pages.mapChanges
        log = (earlier?.log ?? []) + pages.log
        isUnlogged = pages.isUnlogged || earlier?.isUnlogged ?? false
        self.base = earlier?.base ?? base
    }
}

extension ViewState {
    func hasStoredPages(of other: any ExtensionState) -> Bool {
        guard let other = other as? ViewState else { return false }
        return (unstored?.base ?? self).pageCounts == other.pageCounts
    }

    /// The number of rows of each page, by name. O(pages).
    private var pageCounts: [PageName: Int] {
        var counts: [PageName: Int] = [:]
        counts.reserveCapacity(addresses.count)
        groups.forEach { _, list in
            list.pages.forEach { _, page in
                counts[page.content.name] = page.count
                return true
            }
            return true
        }
        return counts
    }

    /// The process that stored the view has the same edits before its own, if it placed the rows as this one did. Otherwise those of this
    /// process are undone first.
    func log(continuing log: any ExtensionLog) -> any ExtensionLog {
        guard let unstored, let log = log as? ViewLog, !log.isIncomplete else { return log }
        if !unstored.isUnlogged, log.operations.starts(with: unstored.log) {
            return ViewLog(operations: Array(log.operations[unstored.log.count...]))
        }
        guard !unstored.isUnlogged, let undoing = unstored.log.undoing else {
            return ViewLog(operations: [], isIncomplete: true)
        }
        return ViewLog(operations: undoing + log.operations)
    }
}

extension [RawOperation] {
    /// The operations that lead back; nil if one of them does not say what it removed.
    fileprivate var undoing: [RawOperation]? {
        var undoing: [RawOperation] = []
        for operation in reversed() {
            switch operation {
            case .insertSection(let group): undoing.append(.deleteSection(group: group))
            case .deleteSection(let group): undoing.append(.insertSection(group: group))
            case .insertRow(let group, let index, let key):
                undoing.append(.deleteRow(group: group, index: index, key: key))
            case .deleteRow(let group, let index, let key):
                undoing.append(.insertRow(group: group, index: index, key: key))
            case .updateRow: undoing.append(operation)
            case .resetSection: return nil
            }
        }
        return undoing
    }
}
