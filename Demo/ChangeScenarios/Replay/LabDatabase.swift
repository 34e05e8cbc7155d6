import Foundation
import YapDatabase

/// A database whose view orders the rows by their own group and sort value, for every database scenario.
///
/// One connection writes; another stays on a snapshot, like an interface, until it is told to jump.
package final class LabDatabase: Sendable {
    static let viewName = "view"

    package let database: YapDatabase
    package let reader: YapDatabaseConnection
    private let writer: YapDatabaseConnection
    /// Not the main queue: it may be drawing, which must not count as a commit's time.
    private let completions = DispatchQueue(label: "lab commits", qos: .userInitiated)

    /// Creates a throwaway file, with the view in it or in memory only.
    package convenience init(url: URL, isPersistent: Bool) throws {
        try self.init(YapDatabase(url: url, options: .throwaway), isPersistent: isPersistent)
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
        try self.init(database, isPersistent: true)
    }

    private init(_ database: YapDatabase, isPersistent: Bool) throws {
        self.database = database
        database.registerLabRows()
        try database.register(Self.view(isPersistent: isPersistent), withName: Self.viewName)
        writer = try database.newConnection()
        reader = try database.newConnection()
    }

    /// Commits the operations as one transaction.
    package func commit(_ operations: [RowOperation]) throws {
        try writer.readWrite { transaction in
            for operation in operations { try operation.perform(in: transaction) }
        }
    }

    /// Commits the operations in the background, and calls back on the main queue with the elapsed time.
    package func commit(
        _ operations: [RowOperation], then: @escaping @MainActor @Sendable (Result<Duration, any Error>) -> Void
    ) {
        let start = ContinuousClock.now
        writer.asyncReadWrite(
            { transaction in
                for operation in operations { try operation.perform(in: transaction) }
            }, completionQueue: completions
        ) { result in
            let result = result.map { ContinuousClock.now - start }
            DispatchQueue.main.async { MainActor.assumeIsolated { then(result) } }
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
        try transaction.iterateRowsInAllCollections { (collection, key, row: LabRow, metadata: Any?, _) in
            contents[RowKey(collection: collection, key: key)] = LabRows.Content(
                row: row, metadata: metadata as? String)
        }
        return contents
    }

    package func close() throws { try database.close() }
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
    package func perform(in transaction: YapDatabaseReadWriteTransaction) throws {
        switch self {
        case .set(let key, let row, let metadata):
            try transaction.setObject(
                row, forKey: key.key, inCollection: key.collection, withMetadata: metadata)
        case .replaceObject(let key, let row):
            try transaction.replace(row, forKey: key.key, inCollection: key.collection)
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
        }
    }
}
