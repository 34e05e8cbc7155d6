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
        attempt { try view?.rowKey(at: path, with: list.mappings) } ?? RowKey(collection: "", key: "\(path)")
    }

    func path(of key: RowKey) -> RowPath? {
        attempt { try view?.path(of: key, with: list.mappings) }
    }

    func cell(at path: RowPath, width: Int) -> RowCell {
        guard let view, let place = list.mappings.value.groupAndIndex(at: path) else { return RowCell([]) }
        do {
            return try list.cell(
                RowContext(
                    transaction: transaction, view: view, key: key(at: path), path: path, group: place.group,
                    index: place.index, width: width, theme: theme,
                    isReversed: list.mappings.isReversed(forGroup: place.group)))
        } catch {
            // One row that cannot be decoded must not hide the others.
            return RowCell([Line(text: "\(error)", theme.wrong)])
        }
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
