import ListChanges
import FileEngine

/// A list on screen: the sections and rows that it shows of a file. Used on one thread.
///
/// Change `mappings` (ranges, reversal) at any time and call `refresh()`, which applies them and the counts known by
/// then.
package final class BrowsedList {
    package private(set) var content: ListContent
    /// The part of each group that is shown, and its direction.
    package var mappings = Mappings.withDynamicGroups()
    /// Cached rowids, by group and block.
    private var blocks: [Block: [Int64]] = [:]

    private struct Block: Hashable {
        var group: String
        var number: Int
    }

    /// A screen asks for neighbouring rows, and finding a thousand costs hardly more than finding one.
    private static let blockRows = 128
    private static let blockLimit = 64

    package init(_ content: ListContent) {
        self.content = content
        refresh()
    }

    package var snapshot: FileSnapshot { content.snapshot }
    package var subject: ListSubject { content.subject }

    /// Returns the number of rows in the group, shown or not, as far as it is known.
    package func count(inGroup group: String) -> RowCount { content.sources[group]?.count ?? RowCount(0) }

    /// Applies the mappings and the counts known by now. The table must be reloaded afterwards.
    package func refresh() {
        blocks = [:]
        mappings.update(groups: content.groups, counts: content.counts)
    }

    /// Returns the rowid at a path; nil if there is no row.
    package func rowid(at path: RowPath) throws -> Int64? {
        guard let (group, index) = mappings.groupAndIndex(at: path) else { return nil }
        return try rowid(at: index, inGroup: group)
    }

    /// Returns the rowid at a place in the whole group, shown or not.
    package func rowid(at index: Int, inGroup group: String) throws -> Int64? {
        let block = Block(group: group, number: index / Self.blockRows)
        let offset = index % Self.blockRows
        if let known = blocks[block], offset < known.count { return known[offset] }
        guard let source = content.sources[group] else { return nil }
        let start = index - offset
        let rowids = try snapshot.read { try source.rowids(in: start..<start + Self.blockRows, $0) }
        if blocks.count >= Self.blockLimit { blocks = [:] }
        blocks[block] = rowids
        return offset < rowids.count ? rowids[offset] : nil
    }

    /// Returns the row's identity in tables and change-sets: its rowid. The row at the path must exist.
    package func rowKey(at path: RowPath) throws -> RowKey {
        guard let rowid = try rowid(at: path) else { return RowKey(collection: "no row", key: "\(path)") }
        return .of(rowid: rowid)
    }

    /// Returns the path at which a row is shown; nil if it is not shown.
    package func path(of key: RowKey) throws -> RowPath? { try key.rowid.flatMap { try path(ofRowid: $0) } }

    package func path(ofRowid rowid: Int64) throws -> RowPath? {
        for group in content.groups {
            guard let source = content.sources[group] else { continue }
            if let place = try snapshot.read({ try source.place(of: rowid, $0) }) {
                return mappings.path(forIndex: place, inGroup: group)
            }
        }
        return nil
    }

    /// Returns the row at a path with its values; nil if there is none.
    package func row(at path: RowPath) throws -> BrowsedRow? {
        guard let rowid = try rowid(at: path) else { return nil }
        return try snapshot.read { try content.row(rowid, valueBytes: FileSnapshot.valueBytes, $0) }
    }

    /// Takes over the content of a newer state; the mappings are still those of the state before.
    func replace(_ content: ListContent) {
        self.content = content
        blocks = [:]
    }
}
