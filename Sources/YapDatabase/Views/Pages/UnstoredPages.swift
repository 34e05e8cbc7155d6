import FileEngine
import ListChanges
import ViewPageKeys

/// Edits of a stored view that are in memory only.
///
/// They arise when a process that has not registered the view changes rows: it marks the view as stale and does not change its tables. The
/// tables keep the last state that was right, until a process that has registered the view stores these edits.
final class UnstoredPages: Sendable {
    /// The pages that differ from those of the tables, with their rows.
    let pages: [PageName: PageContent]
    let newPages: Set<PageName>
    let droppedPages: [PageName: String]
    let relinkedPages: Set<PageName>
    let isCleared: Bool
    /// The changed entries of the map, as in ``ViewPages``.
    let mapChanges: [Int64: PageContent?]
    /// The operations that lead from the tables to this state.
    let log: OperationLog
    /// Whether the log lacks operations.
    let isUnlogged: Bool
    /// The state that the tables have.
    let base: ViewState

    init(_ pages: ViewPages, base: ViewState) {
        let earlier = base.unstored
        self.pages = pages.openPages
        newPages = pages.newPages
        droppedPages = pages.droppedPages
        relinkedPages = pages.relinkedPages
        isCleared = pages.isCleared
        mapChanges = pages.mapChanges
        log = OperationLog([earlier?.log ?? .empty, pages.log].joined())
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

    /// Returns a log that leads from this state to the one after `log`, which another process stored.
    ///
    /// `log` begins with the edits that this state has in memory, if the other process placed the rows in the same way: these are left out.
    /// Otherwise the returned log undoes the edits in memory first.
    func log(continuing log: any ExtensionLog) -> any ExtensionLog {
        guard let unstored, let log = log as? ViewLog, !log.isIncomplete else { return log }
        if !unstored.isUnlogged, log.operations.starts(with: unstored.log) {
            return ViewLog(operations: OperationLog(log.operations[unstored.log.count...]))
        }
        guard !unstored.isUnlogged, let undoing = unstored.log.undoing else {
            return ViewLog(operations: .empty, isIncomplete: true)
        }
        return ViewLog(operations: OperationLog([undoing, Array(log.operations)].joined()))
    }
}

extension OperationLog {
    /// The operations that undo these; nil if one of these does not say what it removed.
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
