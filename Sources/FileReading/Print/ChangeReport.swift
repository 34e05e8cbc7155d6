import ByteFormats
import ListChanges
import ObjectDecoding
import FileEngine

/// The changes of a list in a commit, as lines of JSON.
///
/// Each line has `snapshot`, the number of the last commit included, and `change`: `insertSection`, `deleteSection`,
/// `insert`, `delete`, `move`, `update`, or `reload` if only the new state is known. `from` and `to` are places on
/// screen as `[section, row]`, before and after. Then follows the row as it is now, or its last content if it was
/// removed; if the state in which it was there is gone, its key alone, as far as that is known. All lines of one commit
/// together lead from the list before to the list after, as a table view applies them.
package struct ChangeReport {
    private let list: BrowsedList
    private let before: ListContent
    private let mappings: Mappings
    private let decoder = RowDecoder()

    /// - Parameters:
    ///   - list: the list after the change.
    ///   - before: its content before the change.
    ///   - mappingsBefore: its mappings before the change.
    package init(_ list: BrowsedList, before: ListContent, mappingsBefore: Mappings) {
        self.list = list
        self.before = before
        mappings = mappingsBefore
    }

    /// Returns one line for each change, with its line break.
    package func lines(_ outcome: Outcome) throws -> [[UInt8]] {
        guard let changes = outcome.changeSet else {
            return [line("reload") { $0.add("count", list.mappings.numberOfItemsInAllGroups) }]
        }
        return changes.sectionChanges.map { change in
            line(change.type == .insert ? "insertSection" : "deleteSection") { json in
                json.add("section", change.index)
                json.add("group", change.group)
            }
        } + (try changes.rowChanges.map(line))
    }

    private func line(_ change: RowChange) throws -> [UInt8] {
        let row = try row(change)
        return line("\(change.type)", row) { json in
            if let path = change.before { json.add("from") { $0 += Array("[\(path.section),\(path.row)]".utf8) } }
            if let path = change.after { json.add("to") { $0 += Array("[\(path.section),\(path.row)]".utf8) } }
        }
    }

    /// Returns the row; if it was removed, its last content, if that can still be read.
    private func row(_ change: RowChange) throws -> ListedRow? {
        let isGone = change.after == nil
        let (content, mappings) = isGone ? (before, self.mappings) : (list.content, list.mappings)
        guard let path = change.after ?? change.before, let place = mappings.groupAndIndex(at: path),
            let source = content.sources[place.group]
        else { return nil }
        let isView = content.subject.isView
        func listed(_ row: BrowsedRow) -> ListedRow {
            ListedRow(row, group: isView ? place.group : nil, index: isView ? place.index : nil, decoder: decoder)
        }
        do {
            return try content.snapshot.work { store in
                try source.rowids(in: place.index..<place.index + 1, store).first.map {
                    try listed(content.row($0, valueBytes: FileSnapshot.wholeValues, store))
                }
            }
        } catch let error as YapDatabaseError where isGone && error.code == .reloadNeeded {
            return content.rememberedRow(at: place.index, inGroup: place.group).map { row in
                var row = listed(row)
                row.hasValues = false
                return row
            }
        }
    }

    private func line(_ change: String, _ row: ListedRow? = nil, _ fill: (inout JSONObject) -> Void) -> [UInt8] {
        Self.line(change, list.snapshot, row, fill)
    }

    /// Returns a line with its line break.
    static func line(
        _ change: String, _ snapshot: FileSnapshot, _ row: ListedRow?, _ fill: (inout JSONObject) -> Void = { _ in }
    ) -> [UInt8] {
        var json = JSONObject()
        if let number = snapshot.number { json.add("snapshot", number) }
        json.add("change", change)
        fill(&json)
        var output = JSONOutput(isTerminalSafe: true)
        output.append(json: json.open())
        if let row {
            output.append(",")
            row.writeMembers(to: &output)
        }
        output.append("}\n")
        return output.bytes
    }
}
