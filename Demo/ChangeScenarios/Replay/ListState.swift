import YapDatabase

/// The state of mappings at one snapshot.
package struct ListState: Hashable, Sendable {
    package let mappings: Mappings
    package let shown: ListSnapshot

    package init(mappings: Mappings, shown: ListSnapshot) {
        self.mappings = mappings
        self.shown = shown
    }
}

extension ListState {
    package var json: JSON { .object(members) }

    package var members: [JSON.Member] {
        let sections = shown.sections.map { section -> JSON in
            ["group": section.group.json, "rows": section.rows.map(\.scenarioName).json]
        }
        let counts = mappings.allGroups.map { JSON.Member($0, mappings.fullCount(inGroup: $0).json) }
        return [
            JSON.Member("sections", .array(sections)), JSON.Member("groups", mappings.allGroups.json),
            JSON.Member("counts", .object(counts)), JSON.Member("ranges", mappings.rangesJSON),
        ] + mappings.consolidationMembers
    }
}

extension Mappings {
    /// The ranges of the groups that have one.
    var rangesJSON: JSON {
        .object(
            allGroups.compactMap { group in
                rangeOptions(forGroup: group).map { range in
                    JSON.Member(
                        group,
                        [
                            "length": range.length.json, "offset": range.offset.json,
                            "from": range.pin == .beginning ? "beginning" : "end",
                        ])
                }
            })
    }

    /// Whether the groups are consolidated; empty if they never are.
    var consolidationMembers: [JSON.Member] {
        autoConsolidateGroupsThreshold > 0 ? [JSON.Member("consolidated", isUsingConsolidatedGroup.json)] : []
    }
}
