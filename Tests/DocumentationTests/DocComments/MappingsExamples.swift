import Foundation
import YapDatabase

/// The examples in the comments of the members of mappings and of what follows commits.
private struct MappingsExamples {
    let connection: YapDatabaseConnection
    let viewConnection: YapDatabaseViewConnection
    let coordinator: YapDatabaseViewCoordinator
    let mappings: YapDatabaseViewMappings

    func outcome() throws {
        let commits = try connection.jump()
        switch try viewConnection.outcome(for: commits, with: mappings) {
        case .none: break
        case .changes(let changes): print(changes.sectionChanges, changes.rowChanges)
        case .reload: print("show the list again")
        }
        _ = commits
    }

    func hasChanges() throws {
        let commits = try connection.jump()
        if viewConnection.hasChanges(for: commits) { print("the view changed") }
        _ = commits
    }

    func numberOfRawChanges() throws {
        let commits = try connection.jump()
        if viewConnection.numberOfRawChanges(for: commits) > 10_000 { print("reload instead of animating") }
        _ = commits
    }

    func unfollow() {
        coordinator.unfollow(mappings)
    }

    func setIsDynamicSectionForAllGroups() {
        mappings.setIsDynamicSectionForAllGroups(true)
        print(mappings.isDynamicSectionForAllGroups())  // true
    }

    func setRangeOptions() {
        let newest = YapDatabaseViewRangeOptions.fixedRange(withLength: 50, offset: 0, from: .end)
        mappings.setRangeOptions(newest, forGroup: "messages")
        print(mappings.rangeOptions(forGroup: "messages")?.length ?? 0)
        mappings.removeRangeOptions(forGroup: "messages")  // all rows again
        _ = newest
    }

    func setCellDrawingDependencyForNeighboringCellWithOffset() {
        // The cell of a message shows its date only if the message above is of another day.
        mappings.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: "messages")
    }

    func setCellDrawingDependencyOffsets() {
        mappings.setCellDrawingDependencyOffsets([-1, 1], forGroup: "messages")
        print(mappings.cellDrawingDependencyOffsets(forGroup: "messages").sorted())  // [-1, 1]
    }

    func setIsReversed() {
        mappings.setIsReversed(true, forGroup: "messages")  // the newest first
        print(mappings.isReversed(forGroup: "messages"), mappings.isDynamicSection(forGroup: "messages"))  // true false
    }

    func setAutoConsolidateGroupsThreshold() {
        mappings.setAutoConsolidateGroupsThreshold(10, withName: "everybody")
        print(mappings.isUsingConsolidatedGroup(), mappings.autoConsolidateGroupsThreshold())
    }

    func numberOfItems() {
        for (section, group) in mappings.visibleGroups().enumerated() {
            print(group, mappings.numberOfItems(inSection: section))
        }
        print(mappings.numberOfSections(), mappings.numberOfItemsInAllGroups(), mappings.isEmpty())
    }

    func group() {
        print(mappings.group(forSection: 0) ?? "no section", mappings.section(forGroup: "away") ?? -1)
    }

    func groupAndIndex() {
        if let (group, index) = mappings.groupAndIndex(at: RowPath(section: 1, row: 0)) { print(group, index) }
    }

    func index() {
        // The row on screen, its position in the group, and back.
        let index = mappings.index(forRow: 0, inGroup: "messages") ?? 0
        print(mappings.path(forIndex: index, inGroup: "messages") ?? RowPath(section: 0, row: 0))
        print(mappings.row(forIndex: index, inGroup: "messages") ?? -1)
        _ = index
    }

    func rangePosition() {
        let position = mappings.rangePosition(forGroup: "messages")
        if position.offsetFromBeginning > 0 { print("\(position.offsetFromBeginning) older messages") }
        _ = position
    }

    func nearestPath() {
        let selected = RowPath(section: 0, row: 4)
        let next = mappings.nearestPath(forRow: selected.row, inGroup: "messages")
        _ = (selected, next)
    }

    func makeViewMappings() {
        let mappings = YapDatabaseViewMappings(
            groupFilterBlock: { group, transaction in group != "archived" },
            sortBlock: { group1, group2, transaction in group1.compare(group2) }, view: "roster")
        _ = mappings
    }

    func copy() {
        let next = mappings.copy()
        next.setIsReversed(true, forGroup: "messages")
        _ = next
    }

    func update() throws {
        try connection.read { transaction in try mappings.update(with: transaction) }
    }

    func makeViewRangeOptions() {
        guard let range = RangeOptions.fixed(length: 50, offset: 0, from: .end) else { return }
        mappings.setRangeOptions(YapDatabaseViewRangeOptions(range), forGroup: "messages")
    }

    func flexibleRange() {
        let range = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
        range.maxLength = 300
        print(range.length, range.copy(withNewLength: 100).length)  // 50 100
        _ = range
    }
}
