import ListChanges
import TableModel
import YapDatabase

/// Gives a table its rows, in one transaction.
///
/// An error cannot interrupt a layout. `error` keeps the first failure to find a row, and the caller throws it
/// afterwards.
final class ViewSource: TableSource {
    private let list: LiveTable
    private let transaction: YapDatabaseReadTransaction
    private let view: YapDatabaseViewTransaction?
    private let theme: Theme
    private(set) var error: (any Error)?
    /// A table asks for a row's key and then for its cell, so the row is looked up once for both.
    private var latest: (path: RowPath, row: ViewRow)?
    /// The number of rows looked up by path.
    private(set) var lookups = 0

    init(_ list: LiveTable, transaction: YapDatabaseReadTransaction) {
        self.list = list
        self.transaction = transaction
        theme = list.table.options.theme
        view = transaction.ext(list.mappings.view) as? YapDatabaseViewTransaction
    }

    var numberOfSections: Int { view == nil ? 0 : list.mappings.numberOfSections() }

    func numberOfRows(in section: Int) -> Int { list.mappings.numberOfItems(inSection: section) }

    func header(of section: Int) -> SectionHeader? {
        list.mappings.group(forSection: section).flatMap { list.header($0, numberOfRows(in: section)) }
    }

    func key(at path: RowPath) -> RowKey {
        attempt { try row(at: path)?.key } ?? RowKey(collection: "", key: "\(path)")
    }

    func keys(of rows: Range<Int>, inSection section: Int) -> [RowKey] {
        attempt { try view?.keys(of: rows, inSection: section, with: list.mappings) } ?? []
    }

    func path(of key: RowKey) -> RowPath? {
        attempt { try view?.path(of: key, with: list.mappings) }
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        do {
            guard let view, let row = try row(at: path) else { return RowCell([]) }
            return try list.cell(
                RowContext(
                    transaction: transaction, view: view, path: path, width: width, theme: theme, row: row,
                    isReversed: list.mappings.isReversed(forGroup: row.group)))
        } catch {
            // One row that cannot be decoded must not hide the others.
            return RowCell([Line(text: "\(error)", theme.wrong)])
        }
    }

    private func row(at path: RowPath) throws -> ViewRow? {
        if let latest, latest.path == path { return latest.row }
        guard let row = try view?.row(at: path, with: list.mappings) else { return nil }
        lookups += 1
        latest = (path, row)
        return row
    }

    var rangePosition: RangePosition? {
        guard list.mappings.numberOfSections() == 1, let group = list.mappings.group(forSection: 0) else { return nil }
        return list.mappings.rangePosition(forGroup: group)
    }

    private func attempt<T>(_ read: () throws -> T?) -> T? {
        do {
            return try read()
        } catch {
            self.error = self.error ?? error
            return nil
        }
    }
}
