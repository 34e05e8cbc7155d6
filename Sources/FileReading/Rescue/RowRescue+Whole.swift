import FileEngine
import SQLiteBridge

/// Finds out which trees are whole, in a file in which a page may have been overwritten with another page of the file.
///
/// Such a page is sound in itself, so a walk through the pages misses nothing. The page is found because it does not fit the rowids or entries
/// before and after it, the depth of the tree, or the shape of the records. If the root was overwritten, no page leads to the former pages of the
/// tree, and the root exists twice.
extension RowRescue {
    /// Whether an index names every row of its table. Then a record that it does not name is no row.
    /// - Parameters:
    ///   - isEntry: whether a record can be one of its entries.
    ///   - isOthers: whether pages that nothing leads to may be those of another index.
    static func isComplete(
        index root: Int?, _ owners: PageOwners, _ pages: FilePages, _ reader: RecordReader, isOthers: Bool = false,
        isCancelled: () -> Bool, isEntry: @escaping (RecordReader.Head) -> Bool
    ) throws -> Bool {
        guard let root, owners.isWhole(root) else { return false }
        let isLeaf = try fits(root, pages, reader, [.indexLeaf], isEntry) != nil
        if isLeaf || isOthers, owners.hasTwin(root) { return false }
        func stop() throws {
            if isCancelled() { throw YapDatabaseError(.interrupted, "The search for rows was stopped.") }
        }
        for number in isOthers ? [] : owners.strayKeys {
            try stop()
            if try fits(number, pages, reader, [.indexLeaf, .indexInside], isEntry) == true { return false }
        }
        var order = IndexOrder(pages, reader, isEntry: isEntry)
        return try order.isKept(from: root, isCancelled: stop)
    }

    /// Whether all records of a page have a shape; nil if the page is of another kind.
    private static func fits(
        _ number: Int, _ pages: FilePages, _ reader: RecordReader, _ kinds: [TreePages.Kind],
        _ isRecord: (RecordReader.Head) -> Bool
    ) throws -> Bool? {
        pages.page(number)?.withUnsafeBytes { bytes in
            guard let page = TreePage(bytes, isFirst: number == 1, usable: pages.usable), kinds.contains(page.kind)
            else {
                return nil
            }
            let cells = page.cells
            return !cells.isEmpty && cells.allSatisfy { reader.head(page, cell: $0).map(isRecord) ?? false }
        }
    }

    /// Whether no page of a table's tree is missing, or is one of something else.
    static func isComplete(
        table root: Int?, _ owners: PageOwners, _ pages: FilePages, _ reader: RecordReader, isCancelled: () -> Bool,
        isRow: (RecordReader.Head) -> Bool
    ) throws -> Bool {
        guard let root, owners.isWhole(root) else { return false }
        for number in owners.pages(of: root) {
            if isCancelled() { throw YapDatabaseError(.interrupted, "The search for rows was stopped.") }
            if try fits(number, pages, reader, [.tableLeaf], isRow) == false, number != root || !owners.isEmpty(root) {
                return false
            }
        }
        guard owners.hasTwin(root) else { return true }
        // It was written over its tree's own root, or is the only page of it; or it was copied to some other place.
        if owners.pages(of: root) == [root] { return false }
        return try owners.strayLeaves.allSatisfy { try fits($0, pages, reader, [.tableLeaf], isRow) != true }
    }
}
