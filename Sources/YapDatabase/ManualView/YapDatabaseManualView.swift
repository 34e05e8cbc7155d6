import Foundation
import ListChanges

/// A view whose rows, groups and order the app decides, call by call.
///
/// ```swift
/// try database.register(YapDatabaseManualView(versionTag: "1"), withName: "playlist")
/// try connection.readWrite { transaction in
///     let playlist = transaction.ext("playlist") as? YapDatabaseManualViewTransaction
///     try playlist?.addKey("song-7", inCollection: "songs", toGroup: "evening")
/// }
/// ```
///
/// A row that is removed from the database leaves the view. A view with another `versionTag` than in the file starts empty, and so
/// does a view in memory at each launch and after each commit of another process.
///
/// Apps may subclass it, for initializers of their own.
open class YapDatabaseManualView: YapDatabaseView, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// Creates a view without rows.
    ///
    /// - Parameter versionTag: another one than in the file empties the view when it is registered.
    public init(versionTag: String = "", options: YapDatabaseViewOptions? = nil) {
        super.init(
            className: "YapDatabaseManualView", versionTag: versionTag, options: options?.value ?? YapViewOptions())
    }

    /// Creates a view without rows, with options that are a value, such as a constant of the program.
    ///
    /// - Parameters:
    ///   - versionTag: another one than in the file empties the view when it is registered.
    ///   - options: which rows the view may have, and whether it is stored.
    public convenience init(versionTag: String = "", options: YapViewOptions) {
        self.init(versionTag: versionTag, options: YapDatabaseViewOptions(options))
    }

    package var changesByItself: Bool { true }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseManualViewTransaction(view: self, name: name, transaction: transaction, state: state)
    }
}

/// A transaction's access to a ``YapDatabaseManualView``. The methods that change the view need a read-write transaction.
public final class YapDatabaseManualViewTransaction: YapDatabaseViewTransaction, TransactionHooks {
    private let view: YapDatabaseManualView

    init(
        view: YapDatabaseManualView, name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) {
        self.view = view
        super.init(view: view, name: name, transaction: transaction, state: state)
    }

    /// Appends a row to a group.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try playlist.addKey("song-7", inCollection: "songs", toGroup: "evening")
    /// try playlist.insertKey("song-1", inCollection: "songs", at: 0, inGroup: "evening")
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - group: the name of the group; it comes to be with its first row.
    /// - Returns: false if there is no such row, or if it is in the view already.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    @discardableResult
    public func addKey(_ key: String, inCollection collection: String?, toGroup group: String) throws -> Bool {
        try insertKey(key, inCollection: collection, at: numberOfItems(inGroup: group), inGroup: group)
    }

    /// Inserts a row at a position of a group.
    ///
    /// O(log n).
    ///
    /// Example: ``addKey(_:inCollection:toGroup:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - index: the position in the group, counted from 0.
    ///   - group: the name of the group; it comes to be with its first row.
    /// - Returns: false if there is no such row, if it is in the view already, or if the group is shorter than the position.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    @discardableResult
    public func insertKey(
        _ key: String, inCollection collection: String?, at index: Int, inGroup group: String
    ) throws -> Bool {
        let transaction = readWriteTransaction("insertKey")
        let key = RowKey(collection: collection ?? "", key: key)
        return try transaction.step {
            guard 0...numberOfItems(inGroup: group) ~= index, isAllowed(key),
                let rowid = try transaction.rowid(forKey: key), try settledPages().place(ofRowid: rowid) == nil
            else { return false }
            try settledPages().insert(rowid, key: key, inGroup: group, at: index)
            let row = ChangedRow(
                rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false, given: (nil, nil), size: 0,
                transaction: transaction)
            try notifyFollowers(.placed(row, from: nil))
            return true
        }
    }

    /// Removes the row at a position of a group from the view. The row stays in the database.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// try playlist.removeItem(at: 0, inGroup: "evening")
    /// try playlist.removeKey("song-7", inCollection: "songs", fromGroup: "evening")
    /// try playlist.removeAllItems(inGroup: "evening")
    /// ```
    ///
    /// - Parameters:
    ///   - index: the position in the group, counted from 0.
    ///   - group: the name of the group.
    /// - Returns: false if there is none.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    @discardableResult
    public func removeItem(at index: Int, inGroup group: String) throws -> Bool {
        try readWriteTransaction("removeItem").step {
            guard let row = try row(at: index, inGroup: group), let place = try settledPages().place(ofRowid: row.rowid)
            else {
                return false
            }
            try remove(row.rowid, row.key, at: place)
            return true
        }
    }

    /// Removes a row from the view. The row stays in the database.
    ///
    /// O(log n).
    ///
    /// Example: ``removeItem(at:inGroup:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - group: the name of the group.
    /// - Returns: false if the group does not hold it.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    @discardableResult
    public func removeKey(_ key: String, inCollection collection: String?, fromGroup group: String) throws -> Bool {
        try readWriteTransaction("removeKey").step {
            let key = RowKey(collection: collection ?? "", key: key)
            guard let rowid = try transaction.rowid(forKey: key), let place = try settledPages().place(ofRowid: rowid),
                place.group.hasSameBytes(as: group)
            else { return false }
            try remove(rowid, key, at: place)
            return true
        }
    }

    /// Removes all rows of a group from the view. O(rows of the group).
    ///
    /// Example: ``removeItem(at:inGroup:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    public func removeAllItems(inGroup group: String) throws {
        while try removeItem(at: numberOfItems(inGroup: group) - 1, inGroup: group) {}
    }

    private func isAllowed(_ key: RowKey) -> Bool {
        view.settings.allowedCollections?.isAllowed(key.collection) ?? true
    }

    // MARK: Hooks

    package func register(previous: RegisteredExtension?, progress: Progress?) throws {
        guard view.isPersistent, let previous, previous.isStale, previous.withoutStaleMark == view.registered,
            try transaction.store.hasViewTables(view: name)
        else {
            _ = try prepareTables(previous)
            return
        }
        // Rows were removed while no program updated the view.
        try loadPages()
        try leaveMissingRows()
    }

    private func leaveMissingRows() throws {
        let groups = try allGroups().map { group in
            ArrangedGroup(
                name: group,
                rows: try settledPages().rowids(inGroup: group).filter { try transaction.key(forRowid: $0) != nil })
        }
        try settledPages().rearrange(to: groups) {
            try transaction.key(forRowid: $0) ?? RowKey(collection: "", key: "")
        }
        try notifyFollowers(.rearranged(.rows), isNews: false)
    }

    package override func didUpdate(_ row: ChangedRow) throws {
        if let place = try settledPages().place(ofRowid: row.rowid) { try noteUpdate(row, at: place) }
    }
}
