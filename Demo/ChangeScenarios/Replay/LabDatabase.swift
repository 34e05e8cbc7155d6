import Foundation
import YapDatabase

/// A database whose view orders the rows by their own group and sort value, or a list over related rows.
///
/// One connection writes; another stays on a snapshot, like an interface, until it is told to jump.
package final class LabDatabase: Sendable {
    /// The name of the list that is shown.
    let viewName: String
    package let database: YapDatabase
    /// The names of what is declared for a list over related rows; empty for a view.
    private let declared: [String]
    private let clock: YapManualClock
    package let reader: YapDatabaseConnection
    private let writer: YapDatabaseConnection
    /// Not the main queue: it may be drawing, which must not count as a commit's time.
    private let completions = DispatchQueue(label: "lab commits", qos: .userInitiated)

    /// Creates a throwaway file with the list of a scenario.
    package convenience init(url: URL, for scenario: DatabaseScenario) throws {
        let clock = YapManualClock(LabTime.date(0))
        var options = YapDatabaseOptions.throwaway
        options.clock = clock
        try self.init(
            YapDatabase(url: url, options: options), clock, list: scenario.list, isPersistent: scenario.isPersistent)
    }

    /// Opens or creates a file that keeps its rows.
    ///
    /// - Throws: if the file is not the lab's; it is then unchanged.
    package convenience init(keeping url: URL) throws {
        let database = try YapDatabase(url: url)
        database.registerLabRows()
        do {
            _ = try database.newConnection().read(Self.rows)
        } catch {
            try database.close()
            throw NotOfTheLab(url: url, reason: error)
        }
        try self.init(database, YapManualClock(LabTime.date(0)), list: [], isPersistent: true)
    }

    private init(_ database: YapDatabase, _ clock: YapManualClock, list: [ListStage], isPersistent: Bool) throws {
        (self.database, self.clock) = (database, clock)
        database.registerLabRows()
        if list.isEmpty {
            (viewName, declared) = ("view", [])
            try database.register(Self.view(isPersistent: isPersistent), withName: viewName)
        } else {
            let lists = LabLists(list)
            (viewName, declared) = (lists.view, lists.declarations.map(\.name))
            LabLists.useSources(in: database)
            for declaration in lists.declarations { try database.register(declaration) }
        }
        writer = try database.newConnection()
        reader = try database.newConnection()
    }

    /// Commits the operations as one transaction.
    package func commit(_ operations: [RowOperation]) throws {
        try writer.readWrite { try self.perform(operations, in: $0) }
    }

    /// Commits the operations in the background, and calls back on the main queue with the elapsed time.
    package func commit(
        _ operations: [RowOperation], then: @escaping @MainActor @Sendable (Result<Duration, any Error>) -> Void
    ) {
        let start = ContinuousClock.now
        writer.asyncReadWrite({ try self.perform(operations, in: $0) }, completionQueue: completions) { result in
            let result = result.map { ContinuousClock.now - start }
            DispatchQueue.main.async { MainActor.assumeIsolated { then(result) } }
        }
    }

    private func perform(_ operations: [RowOperation], in transaction: YapDatabaseReadWriteTransaction) throws {
        let before = clock.now
        do {
            // All of a transaction is of one time, the last of it.
            let hours = operations.compactMap { if case .clock(let hour) = $0 { hour } else { nil } }
            if let hour = hours.last { clock.set(to: LabTime.date(hour)) }
            for operation in operations { try operation.perform(in: transaction, isKeyed: !declared.isEmpty) }
            if !hours.isEmpty {
                for name in declared {
                    try (transaction.ext(name) as? YapDatabaseDerivedRowsTransaction)?.followClock()
                }
            }
        } catch {
            clock.set(to: before)
            throw error
        }
    }

    /// Moves the reader to the newest snapshot.
    ///
    /// - Returns: the commits in between.
    @discardableResult
    package func jump() throws -> [YapDatabaseCommit] { try reader.jump() }

    /// Returns every row of the file, in the view or not.
    package func allRows() throws -> [RowKey: LabRows.Content] { try writer.read(Self.rows) }

    /// Returns every row of the state that the reader is in.
    package func rowsOfReader() throws -> [RowKey: LabRows.Content] { try reader.read(Self.rows) }

    private static func rows(_ transaction: YapDatabaseReadTransaction) throws -> [RowKey: LabRows.Content] {
        var contents: [RowKey: LabRows.Content] = [:]
        try transaction.iterateRowsInAllCollections { (collection, key, object: Any, metadata: Any?, _) in
            guard let row = (object as? KeyedRow)?.row ?? object as? LabRow else { throw NotARow() }
            contents[RowKey(collection: collection, key: key)] = LabRows.Content(
                row: row, metadata: metadata as? String)
        }
        return contents
    }

    package func close() throws { try database.close() }
}

private struct NotARow: Error, CustomStringConvertible {
    let description = "A row is none of the lab's."
}

private struct NotOfTheLab: Error, CustomStringConvertible {
    let url: URL
    let reason: any Error

    var description: String {
        """
        \(url.path) holds rows that are not the lab's, and the lab writes to its file. Name a new file, or one that the \
        lab made. (\(reason))
        """
    }
}

extension LabDatabase {
    private static func view(isPersistent: Bool) -> YapDatabaseAutoView {
        let grouping = YapDatabaseViewGrouping.withObjectBlock { _, _, _, object in (object as! LabRow).group }
        let sorting = YapDatabaseViewSorting.withObjectBlock {
            _, _, collection1, key1, object1, collection2, key2, object2 in
            let row1 = ((object1 as! LabRow).sort, key1, collection1)
            let row2 = ((object2 as! LabRow).sort, key2, collection2)
            return row1 < row2 ? .orderedAscending : row2 < row1 ? .orderedDescending : .orderedSame
        }
        let options = YapDatabaseViewOptions()
        options.isPersistent = isPersistent
        return YapDatabaseAutoView(grouping: grouping, sorting: sorting, options: options)
    }
}

extension YapDatabaseOptions {
    /// Options for a small file that may be lost in a power failure: small pages make writes cheaper.
    fileprivate static var throwaway: YapDatabaseOptions {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .off
        options.pragmaPageSize = 1024
        return options
    }
}

extension RowOperation {
    /// Performs the operation. Does nothing for a missing row.
    ///
    /// - Parameter isKeyed: whether the rows from which lists follow are stored with their keys.
    fileprivate func perform(in transaction: YapDatabaseReadWriteTransaction, isKeyed: Bool) throws {
        func object(_ row: LabRow, _ key: RowKey) -> any Sendable {
            let isSource = [RowKey.defaultCollection, RowKey.othersCollection].contains(key.collection)
            return isKeyed && isSource ? KeyedRow(id: key.key, row: row) : row
        }
        switch self {
        case .set(let key, let row, let metadata):
            try transaction.setObject(
                object(row, key), forKey: key.key, inCollection: key.collection, withMetadata: metadata)
        case .replaceObject(let key, let row):
            try transaction.replace(object(row, key), forKey: key.key, inCollection: key.collection)
        case .replaceMetadata(let key, let metadata):
            try transaction.replaceMetadata(metadata, forKey: key.key, inCollection: key.collection)
        case .remove(let key): try transaction.removeObject(forKey: key.key, inCollection: key.collection)
        case .removeMany(let keys, let collection):
            try transaction.removeObjects(forKeys: keys, inCollection: collection)
        case .removeCollection(let collection): try transaction.removeAllObjects(inCollection: collection)
        case .removeAll: try transaction.removeAllObjectsInAllCollections()
        case .touch(let key): try transaction.touchObject(forKey: key.key, inCollection: key.collection)
        case .touchMetadata(let key): try transaction.touchMetadata(forKey: key.key, inCollection: key.collection)
        case .touchRow(let key): try transaction.touchRow(forKey: key.key, inCollection: key.collection)
        // The whole transaction follows it.
        case .clock: break
        }
    }
}
