import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseAutoView``; inside a read-write transaction it keeps the view up to date.
public final class YapDatabaseAutoViewTransaction: YapDatabaseViewTransaction {
    private let view: YapDatabaseAutoView
    private var arrangement: Arrangement
    private lazy var arranger = makeArranger()

    init(
        view: YapDatabaseAutoView, name: String, transaction: YapDatabaseReadTransaction, state: ViewState?
    ) {
        self.view = view
        arrangement = view.arrangement
        super.init(view: view, name: name, transaction: transaction, state: state)
    }

    private func makeArranger() -> ViewArranger {
        let needs = arrangement.sorting.needs
        let compared = transaction.connection.caches.memory(
            ofExtension: name, if: { $0.needs == needs }, orMake: { ComparedRows(view: name, needs: needs) })
        return ViewArranger(transaction: transaction, arrangement: arrangement, pages: pages, compared: compared)
    }

    // MARK: Registering

    override func register(previous: RegisteredExtension?, progress: Progress?) throws {
        let store = transaction.store
        if view.isPersistent {
            if previous == view.registered, try store.hasViewTables(view: name) {
                pages.state = try ViewState(records: store.pageRecords(view: name), view: name)
                return
            }
            try store.dropViewTables(view: name)
            try store.createViewTables(view: name)
        }
        if !view.settings.skipInitialViewPopulation { try populate(progress) }
    }

    private func populate(_ progress: Progress? = nil) throws {
        try ViewPopulation(
            view: name, allowed: view.settings.allowedCollections, transaction: transaction, pages: pages,
            arrangement: arrangement, progress: progress
        ).run()
    }

    /// Replaces the blocks, clears the view and fills it again. O(n log n).
    ///
    /// From this commit on ``YapDatabase/registeredExtension(_:)`` returns a view with the new blocks. Other programs
    /// that use the view must register it with the new blocks and tag too.
    ///
    /// - Parameter versionTag: must differ from the present one. With an equal tag nothing happens, as with a repeated
    ///   registration.
    /// - Precondition: the transaction is a read-write transaction.
    public func setGrouping(
        _ grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String
    ) throws {
        let transaction = readWriteTransaction("setGrouping")
        guard versionTag != arrangement.versionTag else { return }
        try transaction.step {
            arrangement = Arrangement(grouping: grouping, sorting: sorting, versionTag: versionTag)
            arranger = makeArranger()
            pages.removeAll()
            try populate()
            transaction.replaceExtension(name, with: view.arranged(by: arrangement))
            if view.isPersistent {
                try transaction.store.setYapValue(.text(versionTag), extension: name, key: "versionTag")
            }
        }
    }

    /// Replaces the sorting block and sorts every group again. O(n log n).
    public func setSorting(_ sorting: YapDatabaseViewSorting, versionTag: String) throws {
        try setGrouping(arrangement.grouping, sorting: sorting, versionTag: versionTag)
    }

    public override func versionTag() -> String { arrangement.versionTag }

    // MARK: Hooks

    override func didInsert(_ row: ChangedRow) throws {
        guard isAllowed(row.key) else { return }
        let content = try RowContent(row, needs: arrangement.grouping.needs)
        guard let group = try arrangement.grouping.group(transaction, content) else { return }
        try insert(row, into: group)
    }

    override func didUpdate(_ row: ChangedRow) throws {
        guard isAllowed(row.key) else { return }
        arranger.compared.forget(row.rowid)
        let place = try pages.place(ofRowid: row.rowid)
        guard arrangement.grouping.invoke.includes(row) else {
            if let place { try update(row, at: place) }
            return
        }
        let content = try RowContent(row, needs: arrangement.grouping.needs)
        let group = try arrangement.grouping.group(transaction, content)
        switch (place, group) {
        case (nil, nil): return
        case (nil, let group?): try insert(row, into: group)
        case (let place?, nil): try pages.remove(row.rowid, key: row.key, at: place)
        case (let place?, let group?) where place.group == group: try update(row, at: place)
        case (let place?, let group?):
            try pages.remove(row.rowid, key: row.key, at: place)
            try insert(row, into: group)
        }
    }

    override func didRemove(_ rows: [RemovedRow]) throws {
        for row in rows { arranger.compared.forget(row.rowid) }
        try super.didRemove(rows)
    }

    override func didRemoveAll() throws {
        arranger.compared.forgetAll()
        try super.didRemoveAll()
    }

    private func insert(_ row: ChangedRow, into group: String) throws {
        let content = try RowContent(row, needs: arrangement.sorting.needs)
        let index = try arranger.index(for: content, inGroup: group)
        try pages.insert(row.rowid, key: row.key, inGroup: group, at: index)
        arranger.compared.remember(content)
    }

    /// Updates a row that stays in its group; it keeps its place if that is still in order.
    private func update(_ row: ChangedRow, at place: RowPlace) throws {
        if arrangement.sorting.invoke.includes(row) {
            let content = try RowContent(row, needs: arrangement.sorting.needs)
            if try !arranger.isInOrder(content, at: place) {
                try pages.remove(row.rowid, key: row.key, at: place)
                return try insert(row, into: place.group)
            }
        }
        pages.noteUpdate(key: row.key, at: place, flags: row.flags)
    }

    private func isAllowed(_ key: RowKey) -> Bool {
        view.settings.allowedCollections?.isAllowed(key.collection) ?? true
    }
}
