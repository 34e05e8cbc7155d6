import SQLiteBridge
import FileEngine

/// Finds out which rows a damaged file has lost, as an export would: reads every row, and then all pages.
package enum RowCheck {
    package struct Result: Sendable {
        /// Where rows are that SQLite does not reach, in sentences.
        package var sentences: [String]
        /// The rows that are known to be lost.
        package var lost: [LostRow]
        /// Whether these are all.
        package var isExact: Bool
    }

    /// - Returns: nil if the file cannot be opened, or has no table of the rows.
    package static func run(_ path: String) throws -> Result? {
        guard let file = try? BrowsedFile(path: path), let table = file.snapshot.schema.rows else { return nil }
        let snapshot = file.snapshot
        return try snapshot.work { store in
            try snapshot.withWholeValues(store) {
                let columns = table.columns.map { ", \($0.quotedSQL)" }.joined()
                var (walk, read) = (TableWalk(), RowidRanges())
                while !walk.isOver {
                    try walk.visit(10_000, of: table.name.quotedSQL, columns, store) { read.append($0.int64(at: 0)) }
                }
                guard let pages = FilePages(store, maxFrames: snapshot.log?.frames) else { return nil }
                let rescue = try RowRescue(pages, roots: RowRescue.roots(store), isCancelled: { false })
                let found = try rescue.run(besides: read) { _ in }
                return Result(
                    sentences: found.sentences, lost: found.lost,
                    isExact: found.isExact || walk.damage == nil && rescue.hasWholeTable)
            }
        }
    }
}
