import Foundation
import ListChanges

/// A jump as a log scenario, one line of JSON that `yap lab --replay` understands.
func logScenario(_ mappings: Mappings, _ course: Course) -> String {
    let groups = mappings.allGroups
    var setup: [String: Any] = [
        "groups": groups, "config": groups.flatMap { calls(mappings, $0) } + consolidation(mappings),
    ]
    if mappings.groupsAreDynamic { setup["dynamicGroups"] = true }
    let scenario: [String: Any] = [
        "id": "law", "mappings": setup, "log": course.log.map(line), "counts": counts(course.rows),
        "finalCounts": counts(course.newRows),
    ]
    let data = try? JSONSerialization.data(withJSONObject: scenario, options: [.sortedKeys])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(scenario)"
}

private func counts(_ rows: [[Int]]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: rows.indices.map { (ModelList.names[$0], rows[$0].count) })
}

/// Returns calls that configure a group as it is now; an empty flexible range cannot be expressed and shows one row
/// instead.
private func calls(_ mappings: Mappings, _ group: String) -> [[String: Any]] {
    var calls: [[String: Any]] = [["do": "reverse", "group": group, "value": mappings.isReversed(forGroup: group)]]
    let isDynamic = mappings.isDynamicSectionForAllGroups || mappings.isDynamicSection(forGroup: group)
    calls.append(["do": "dynamicSection", "group": group, "value": isDynamic])
    let offsets = mappings.cellDrawingDependencyOffsets(forGroup: group).sorted()
    if !offsets.isEmpty { calls.append(["do": "dependencies", "group": group, "offsets": offsets]) }
    guard let range = mappings.rangeOptions(forGroup: group) else { return calls }
    var call: [String: Any] = [
        "do": "range", "group": group, "kind": range.isFixedRange ? "fixed" : "flexible", "offset": range.offset,
        "length": range.isFixedRange ? range.maxLength : max(range.length, 1), "from": "\(range.pin)",
    ]
    if range.isFlexibleRange {
        if range.maxLength < .max { call["max"] = range.maxLength }
        if range.minLength > 0 { call["min"] = range.minLength }
        call["grow"] = ["inrange", "pin", "nonpin", "both"][range.growOptions.rawValue]
    }
    return calls + [call]
}

private func consolidation(_ mappings: Mappings) -> [[String: Any]] {
    guard let name = mappings.consolidatedGroupName else { return [] }
    return [["do": "consolidate", "threshold": mappings.autoConsolidateGroupsThreshold, "name": name]]
}

private func line(_ edit: Edit) -> [String: Any] {
    let group = ModelList.names[edit.group]
    let key = ModelList.keys[edit.key].key
    switch edit.kind {
    case .insert: return ["op": "insertRow", "group": group, "index": edit.index, "key": key]
    case .delete: return ["op": "deleteRow", "group": group, "index": edit.index, "key": key]
    case .update:
        let changes = edit.flags.description.components(separatedBy: ", ")
        return ["op": "updateRow", "group": group, "index": edit.index, "key": key, "changes": changes]
    case .reset: return ["op": "resetSection", "group": group]
    case .open: return ["op": "insertSection", "group": group]
    case .close: return ["op": "deleteSection", "group": group]
    }
}
