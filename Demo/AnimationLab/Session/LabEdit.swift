import LiveTable

/// A user's edit of rows with one key, in the order of the screen.
enum LabEdit: Hashable, Sendable {
    /// Inserts above the row; without one, at the beginning of the first group.
    case insertBefore(RowKey?)
    case insertAfter(RowKey?)
    case insertAtRandom
    case delete(RowKey)
    case deleteAll
    case moveUp(RowKey)
    case moveDown(RowKey)
    /// Moves to the group a number of places further down.
    case moveToGroup(RowKey, by: Int)
    case changeText(RowKey)
    case setText(RowKey, String)
    case changeMetadata(RowKey)
    case touch(RowKey)
    case storm(count: Int, seed: UInt64)
}

/// Turns edits into the operations of a transaction.
struct LabEditor {
    let rows: LabRows
    /// The groups that rows can be put into, in the order of the screen.
    let groups: [String]
    let isReversed: (String) -> Bool

    /// Returns the operations of an edit.
    /// - Throws: `LabRefusal` if the edit is impossible, such as moving the first row up.
    func operations(
        for edit: LabEdit, using random: inout some RandomNumberGenerator
    ) throws(LabRefusal) -> [RowOperation] {
        switch edit {
        case .insertBefore(let key): return try insert(beside: key, isBelow: false)
        case .insertAfter(let key): return try insert(beside: key, isBelow: true)
        case .insertAtRandom:
            guard let group = groups.randomElement(using: &random) else { throw Self.noGroups }
            let index = Int.random(in: 0...rows.keys(inGroup: group).count, using: &random)
            return insert(at: index, inGroup: group)
        case .delete(let key): return [.remove(key)]
        case .deleteAll: return [.removeAll]
        case .moveUp(let key): return try move(key, down: false)
        case .moveDown(let key): return try move(key, down: true)
        case .moveToGroup(let key, let distance): return try move(key, byGroups: distance)
        case .changeText(let key):
            var row = try content(key).row
            row.text = LabNames.next(after: row.text)
            return [.replaceObject(key, row)]
        case .setText(let key, let text):
            var row = try content(key).row
            row.text = text
            return [.replaceObject(key, row)]
        case .changeMetadata(let key):
            return [.replaceMetadata(key, LabNames.next(after: try content(key).metadata ?? "m"))]
        case .touch(let key): return [.touch(key)]
        case .storm(let count, let seed): return try storm(count, seed)
        }
    }

    func content(_ key: RowKey) throws(LabRefusal) -> LabRows.Content {
        guard let content = rows[key] else {
            throw LabRefusal("\(key.scenarioName) was deleted in an edit that the list does not show yet.")
        }
        return content
    }

    static let noGroups = LabRefusal("The mappings show no group to put a row into.")
}
