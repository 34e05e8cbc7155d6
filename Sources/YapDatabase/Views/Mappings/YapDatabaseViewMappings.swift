import Foundation
import ListChanges

/// Returns whether a group of the view is shown.
public typealias YapDatabaseViewMappingGroupFilter = (_ group: String, _ transaction: YapDatabaseReadTransaction) ->
    Bool
/// Compares two groups: the lesser is shown first.
public typealias YapDatabaseViewMappingGroupSort =
    (_ group1: String, _ group2: String, _ transaction: YapDatabaseReadTransaction) -> ComparisonResult

/// Maps the groups of a view to the sections and rows of a list on screen.
///
/// ```swift
/// let mappings = YapDatabaseViewMappings(groups: ["available", "away", "offline"], view: "roster")
/// mappings.setIsDynamicSection(true, forGroup: "available")
/// try connection.read { try mappings.update(with: $0) }
/// ```
///
/// Mappings belong to one snapshot of one connection's long-lived read transaction. Whenever the connection jumps,
/// advance them with ``YapDatabaseViewConnection/outcome(for:with:)``, or with ``update(with:)`` if the change-set is not
/// needed. ``YapDatabaseViewCoordinator`` does that for any number of mappings.
///
/// They hold only counts: every look-up is arithmetic, O(sections) or better, and reads nothing.
///
/// A class, because programs of the original share one instance between a controller and its cells and change it in place.
/// All of it is in ``value``, under the names of the original where they differ.
public final class YapDatabaseViewMappings {
    /// The name under which the view is registered.
    public let view: String
    /// The mappings as a value. Copying the value copies the mappings.
    public package(set) var value: Mappings
    /// The number of the commit that the mappings reflect; nil before the first ``update(with:)``.
    public var snapshotOfLastUpdate: Int? { versionOfLastUpdate?.number }
    /// The state whose rows are shown.
    var versionOfLastUpdate: FileVersion?

    private let groupBlocks: GroupBlocks?
    /// Orders the groups where all are shown, in an order of the names alone: no two are equal in it.
    private let groupOrder: ((String, String) -> Bool)?

    struct GroupBlocks {
        let filter: YapDatabaseViewMappingGroupFilter
        let sort: YapDatabaseViewMappingGroupSort
    }

    /// Creates mappings that show these groups in this order.
    /// - Parameters:
    ///   - groups: the groups, in the order of the sections.
    ///   - view: the name under which the view is registered.
    public init(groups: [String], view: String) {
        self.view = view
        value = Mappings(groups: groups)
        (groupBlocks, groupOrder) = (nil, nil)
    }

    /// Creates mappings as a value says, such as a constant of the program: its groups with what is set for them.
    ///
    /// ```swift
    /// let mappings = YapDatabaseViewMappings(shownGroups, view: "order")
    /// ```
    ///
    /// - Parameters:
    ///   - value: the groups and their settings. Its counts are those of the next update.
    ///   - view: the name under which the view is registered.
    /// - Precondition: the groups of the value are not dynamic. For those, give the blocks that choose them.
    public init(_ value: Mappings, view: String) {
        require(
            !value.groupsAreDynamic,
            "Mappings with dynamic groups need blocks that choose them: use init(groupFilterBlock:sortBlock:view:).")
        self.view = view
        self.value = value
        (groupBlocks, groupOrder) = (nil, nil)
    }

    /// Creates mappings that show all groups of the view.
    /// - Parameter isBefore: a strict order of the names. It is not asked again about groups whose places are known.
    init(view: String, allGroupsBy isBefore: @escaping (String, String) -> Bool) {
        self.view = view
        value = .withDynamicGroups()
        (groupBlocks, groupOrder) = (nil, isBefore)
    }

    /// Creates mappings that show the view's groups that pass the filter, ordered by the sort block. The blocks are
    /// called at every update and for every change-set of a view that changed.
    ///
    /// They run on the thread that calls ``update(with:)`` or asks for the change-set, inside its transaction.
    ///
    /// ```swift
    /// let mappings = YapDatabaseViewMappings(
    ///     groupFilterBlock: { group, transaction in group != "archived" },
    ///     sortBlock: { group1, group2, transaction in group1.compare(group2) }, view: "roster")
    /// ```
    ///
    /// - Parameters:
    ///   - groupFilterBlock: returns whether a group is shown.
    ///   - sortBlock: decides which of two groups comes first.
    ///   - view: the name under which the view is registered.
    public init(
        groupFilterBlock: @escaping YapDatabaseViewMappingGroupFilter,
        sortBlock: @escaping YapDatabaseViewMappingGroupSort, view: String
    ) {
        self.view = view
        value = .withDynamicGroups()
        groupBlocks = GroupBlocks(filter: groupFilterBlock, sort: sortBlock)
        groupOrder = nil
    }

    private init(copying mappings: YapDatabaseViewMappings) {
        view = mappings.view
        value = mappings.value
        versionOfLastUpdate = mappings.versionOfLastUpdate
        (groupBlocks, groupOrder) = (mappings.groupBlocks, mappings.groupOrder)
    }

    /// Returns independent mappings with the same groups, configuration and snapshot.
    ///
    /// ```swift
    /// let next = mappings.copy()
    /// next.setIsReversed(true, forGroup: "messages")
    /// ```
    public func copy() -> YapDatabaseViewMappings { YapDatabaseViewMappings(copying: self) }

    /// Brings the mappings to the transaction's snapshot without computing what changed. O(groups).
    ///
    /// ```swift
    /// try connection.read { transaction in try mappings.update(with: transaction) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `.badExtension` when no view of that name is registered in the
    ///   transaction's snapshot, or when another program has registered another view under it.
    public func update(with transaction: YapDatabaseReadTransaction) throws {
        let view = try viewTransaction(transaction)
        defer { versionOfLastUpdate = transaction.snapshot.version }
        if let groupOrder {
            var groups: [(name: String, count: Int)] = []
            groups.reserveCapacity(view.numberOfGroups())
            view.forEachGroup { groups.append(($0, $1)) }
            groups.sort { groupOrder($0.name, $1.name) }
            value.setUp(groups.lazy.map(\.name))
            return value.update(distinctGroups: groups)
        }
        let groups = groups(in: view, transaction)
        value.update(groups: groups, counts: counts(of: groups ?? value.allGroups, in: view))
    }

    /// Determines the sections after settings were changed, for a caller who shows all rows again.
    package func showSettings() { value.showSettings() }

    /// Restores the value that mappings had at an earlier commit. The transaction must show the rows of that commit
    /// again.
    package func restore(_ earlier: Mappings, with transaction: YapDatabaseReadTransaction) {
        value = earlier
        versionOfLastUpdate = transaction.snapshot.version
    }

    /// Shows nothing until the next ``update(with:)``, because the view is no longer registered.
    func clear() {
        value.update(groups: value.groupsAreDynamic ? [] : nil, counts: ExactDictionary())
        versionOfLastUpdate = nil
    }

    func viewTransaction(_ transaction: YapDatabaseReadTransaction) throws -> YapDatabaseViewTransaction {
        guard let view = transaction.ext(view) as? YapDatabaseViewTransaction else {
            if let displaced = transaction.snapshot.displaced(self.view) { throw displaced.error }
            throw YapDatabaseError(
                .badExtension,
                """
                No view is registered as "\(view)" in snapshot \(transaction.snapshot.number). Register it first; a \
                connection in a long-lived read transaction sees it only after its next jump.
                """)
        }
        return view
    }

    /// Returns the groups that the blocks choose, or nil for a static list. New ones are set up.
    func groups(in view: YapDatabaseViewTransaction, _ transaction: YapDatabaseReadTransaction) -> [String]? {
        guard let groupBlocks else { return nil }
        let groups = view.allGroups().filter { groupBlocks.filter($0, transaction) }
            .sorted { groupBlocks.sort($0, $1, transaction) == .orderedAscending }
        value.setUp(groups)
        return groups
    }

    /// Returns the groups after a log; nil if they are the same, or of a static list. Of a list with all groups, O(k) unless the log
    /// makes or ends one. Blocks may ask for any row, so they are called for all groups.
    func groups(
        after log: OperationLog, in view: YapDatabaseViewTransaction, _ transaction: YapDatabaseReadTransaction
    ) -> [String]? {
        guard let groupOrder else { return groups(in: view, transaction) }
        let (added, ended) = namesMadeOrEnded(by: log, in: view)
        if added.isEmpty, ended.isEmpty { return nil }
        value.setUp(added)
        var groups = value.allGroups
        if !ended.isEmpty { groups.removeAll { ended.contains(ExactString($0)) } }
        for name in added { groups.insert(name, at: groups.firstIndex(after: name, by: groupOrder)) }
        return groups
    }

    private func namesMadeOrEnded(
        by log: OperationLog, in view: YapDatabaseViewTransaction
    ) -> (added: [String], ended: Set<ExactString>) {
        var (added, ended, seen): ([String], Set<ExactString>, Set<ExactString>) = ([], [], [])
        for group in log.sectionGroups where seen.insert(ExactString(group)).inserted {
            let (was, isThere) = (value.hasGroup(group), view.hasGroup(group))
            if isThere, !was { added.append(group) }
            if was, !isThere { ended.insert(ExactString(group)) }
        }
        return (added, ended)
    }

    private func counts(of groups: some Collection<String>, in view: YapDatabaseViewTransaction) -> ExactDictionary<Int>
    {
        var counts: [ExactString: Int] = [:]
        if groups.count > 1 { counts.reserveCapacity(groups.count) }
        for group in groups {
            let name = ExactString(group)
            if counts[name] == nil { counts[name] = view.numberOfItems(inGroup: group) }
        }
        return ExactDictionary(storage: counts)
    }

    /// Returns the number of rows of each group that the log names or that is new. The others have as many as before.
    /// - Parameter groups: the groups after the log; nil for a static list.
    func counts(
        after log: OperationLog, groups: [String]?, in view: YapDatabaseViewTransaction
    ) -> ExactDictionary<Int> {
        var changed = log.groups
        if let groups, !groups.hasSameBytes(as: value.allGroups) {
            changed += groups.exact.subtracting(value.allGroups.exact).map(\.text)
        }
        return counts(of: changed, in: view)
    }
}

extension [String] {
    /// The place of a name in this order. O(log n).
    fileprivate func firstIndex(after name: String, by isBefore: (String, String) -> Bool) -> Int {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if isBefore(self[middle], name) { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }
}
