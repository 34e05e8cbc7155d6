import ListChanges

/// The examples in the comments of the members of mappings and lists as values.
private struct MappingsValueExamples {

    func makeListSnapshot() {
        let before = ListSnapshot(sections: [.init(group: "A", rows: [RowKey(collection: "books", key: "dune")])])
        print(before[RowPath(section: 0, row: 0)]?.key ?? "none")  // dune
        _ = before
    }

    func setRangeOptions(_ mappings: inout Mappings) {
        mappings.setRangeOptions(.flexible(length: 50, offset: 0, from: .end), forGroup: "messages")
        print(mappings.rangeOptions(forGroup: "messages")?.length ?? 0, mappings.rangePosition(forGroup: "messages"))
        mappings.removeRangeOptions(forGroup: "messages")  // all rows again
    }

    func groupAndIndex(_ mappings: inout Mappings) {
        if let (group, index) = mappings.groupAndIndex(at: RowPath(section: 0, row: 2)) {
            print(group, index, mappings.path(forIndex: index, inGroup: group) == RowPath(section: 0, row: 2))  // true
        }
    }

    func nearestPath(_ mappings: inout Mappings) {
        let selected = RowPath(section: 0, row: 4)
        let next = mappings.nearestPath(forRow: selected.row, inGroup: "messages")
        _ = (selected, next)
    }

    func numberOfItems(_ mappings: inout Mappings) {
        for (section, group) in mappings.visibleGroups.enumerated() {
            print(group, mappings.numberOfItems(inSection: section), mappings.fullCount(inGroup: group))
        }
    }

    func group(_ mappings: inout Mappings) {
        print(mappings.group(forSection: 0) ?? "no section", mappings.section(forGroup: "away") ?? -1)
    }

    func setIsDynamicSectionForAllGroups(_ mappings: inout Mappings) {
        mappings.setIsDynamicSectionForAllGroups(true)
    }

    func setIsReversed(_ mappings: inout Mappings) {
        mappings.setIsReversed(true, forGroup: "messages")  // the newest first
        print(mappings.isReversed(forGroup: "messages"), mappings.isDynamicSection(forGroup: "messages"))  // true false
    }

    func setCellDrawingDependencyOffsets(_ mappings: inout Mappings) {
        mappings.setCellDrawingDependencyOffsets([-1, 1], forGroup: "messages")
        print(mappings.cellDrawingDependencyOffsets(forGroup: "messages").sorted())  // [-1, 1]
    }

    func setAutoConsolidateGroupsThreshold(_ mappings: inout Mappings) {
        mappings.setAutoConsolidateGroupsThreshold(10, withName: "everybody")
        print(mappings.isUsingConsolidatedGroup, mappings.autoConsolidateGroupsThreshold)
    }

    func withDynamicGroups() {
        var mappings = Mappings.withDynamicGroups()
        mappings.update(groups: ["away", "available"], counts: ["away": 2, "available": 1])
        print(mappings.allGroups)  // ["away", "available"]
        _ = mappings
    }
}
