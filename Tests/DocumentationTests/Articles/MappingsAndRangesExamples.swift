import Testing
import YapDatabase

@Suite struct MappingsAndRangesExamples {
    struct Message: Codable, Sendable, Identifiable {
        var id: String
        var chat: String
        var date: Double
    }

    @Test func aTypedListHasMappings() throws {
        let messages = YapCollection("messages", of: Message.self)
        let chats = YapList("chats", of: messages, groupedBy: \.chat, sortedBy: .ascending(\.date))

        let all = chats.mappings()
        let newest = chats.mappings(.last(50, groups: ["alice"]))

        var shown = YapShown(groups: ["alice", "bob"])
        shown.hidesEmptySections = false
        shown.isReversed = true
        shown.range = .flexible(length: 50, offset: 0, from: .beginning)
        shown.configure = { mappings in
            mappings.setCellDrawingDependencyForNeighboringCellWithOffset(1, forGroup: "alice")
        }
        let reversed = chats.mappings(shown)

        #expect(all.view == "chats")
        #expect(newest.rangeOptions(forGroup: "alice")?.isFixedRange == true)
        #expect(reversed.isReversed(forGroup: "bob") && !reversed.isDynamicSection(forGroup: "bob"))
    }

    @Test func aFixedRangeStays() throws {
        var mappings = Mappings(groups: ["alice"])
        mappings.setRangeOptions(.fixed(length: 3, offset: 0, from: .end), forGroup: "alice")
        mappings.update(counts: ["alice": 5])
        print(mappings.rangePosition(forGroup: "alice").offsetFromBeginning)  // 2: the rows 2, 3 and 4 are shown

        let new = RowKey(collection: "messages", key: "f")
        let (after, outcome) = try mappings.advanced(by: [.insertRow(group: "alice", index: 5, key: new)])
        print(after.rangePosition(forGroup: "alice").offsetFromBeginning)  // 3: the rows 3, 4 and 5
        print(outcome)  // row 0 is deleted, row 2 is inserted

        #expect(mappings.rangePosition(forGroup: "alice").offsetFromBeginning == 2)
        #expect(after.rangePosition(forGroup: "alice").offsetFromBeginning == 3)
        guard case .changes(let changes) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(
            changes.rowChanges.map(\.type) == [.delete, .insert]
                || changes.rowChanges.map(\.type) == [.insert, .delete])
        #expect(changes.rowChanges.compactMap(\.before) == [RowPath(section: 0, row: 0)])
        #expect(changes.rowChanges.compactMap(\.after) == [RowPath(section: 0, row: 2)])
    }

    @Test func aFlexibleRangeKeepsItsRows() throws {
        var range = RangeOptions.flexible(length: 3, offset: 0, from: .end)
        range?.maxLength = 300
        range?.minLength = 2
        var mappings = Mappings(groups: ["alice"])
        mappings.setRangeOptions(range, forGroup: "alice")
        mappings.update(counts: ["alice": 5])

        // A message arrives, another one is loaded far above.
        let new = RowKey(collection: "messages", key: "f")
        let old = RowKey(collection: "messages", key: "0")
        let (after, _) = try mappings.advanced(by: [
            .insertRow(group: "alice", index: 5, key: new), .insertRow(group: "alice", index: 0, key: old),
        ])
        print(after.numberOfItems(inGroup: "alice"))  // 4: the range has grown by the one at its pinned end
        print(after.rangePosition(forGroup: "alice").offsetFromBeginning)  // 3: it still begins with the same row

        #expect(after.numberOfItems(inGroup: "alice") == 4)
        #expect(after.rangePosition(forGroup: "alice").offsetFromBeginning == 3)
    }

    @Test func groupsAreConsolidated() {
        var mappings = Mappings(groups: ["A", "B", "C"])
        mappings.setAutoConsolidateGroupsThreshold(10, withName: "all")
        mappings.update(counts: ["A": 2, "B": 1, "C": 3])
        print(mappings.visibleGroups)  // ["all"]
        mappings.update(counts: ["A": 2, "B": 1, "C": 30])
        print(mappings.visibleGroups)  // ["A", "B", "C"]
        #expect(mappings.visibleGroups == ["A", "B", "C"])
    }

    @Test func pathsAndIndexesDiffer() {
        var mappings = Mappings(groups: ["alice", "bob"])
        mappings.setIsReversed(true, forGroup: "bob")
        mappings.update(counts: ["alice": 2, "bob": 3])
        print(mappings.groupAndIndex(at: RowPath(section: 1, row: 0)) ?? ("", 0))  // ("bob", 2)
        print(mappings.path(forIndex: 0, inGroup: "bob") ?? RowPath(section: 0, row: 0))  // [1,2]
        #expect(mappings.path(forIndex: 0, inGroup: "bob") == RowPath(section: 1, row: 2))
    }
}
