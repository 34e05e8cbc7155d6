import FileEngine
import Foundation
import PostgreSQLBridge

/// How a file differs from the space that it follows, as of the commit that it holds.
public struct YapDatabaseServerDifference: Hashable, Sendable {
    /// The space's name.
    public let space: String
    /// The commit of the space that the file holds.
    public let number: Int
    /// Rows that are equal, byte by byte.
    public private(set) var equal = 0
    /// Rows that differ, or that only the file or only the space has.
    public private(set) var different = 0
    /// Rows that the server has changed since that commit, and that are not compared.
    public private(set) var changedLater = 0
    /// Mutations that wait. Rows are compared as they are without these.
    public private(set) var pending = 0
    /// The first rows that differ.
    public private(set) var examples: [RowKey] = []
    /// Rows of the space that no file can take. They are not compared.
    public private(set) var unusable = 0
    /// The first of them.
    public private(set) var unusableRows: [YapDatabaseServerUnusableRow] = []

    /// Whether the space continues what the file has. Otherwise it is another one of the same name, or has lost commits, and the file
    /// does not follow it where it would lose rows.
    public let continuesFile: Bool

    /// The role with which the file follows the space, if the address of the comparison names another role. Rows that only one of the two roles may
    /// read count as different then. Nil if it is the same role, or not known.
    public let fileRole: String?

    /// Whether no row differs.
    public var isEqual: Bool { different == 0 }

    /// Compares a database that follows a space; it may have been opened without it. O(rows), in one read transaction.
    /// - Parameters:
    ///   - database: the database that follows a space.
    ///   - address: libpq's connection string.
    ///   - timeout: the longest time to wait for the server.
    /// - Throws: ``YapDatabaseServerError`` with `badSpace` if the file follows none, and as an opening does.
    public init(_ database: YapDatabase, address: String, timeout: Duration = .seconds(10)) throws {
        let connection = try database.newConnection()
        try connection.jump()
        defer { try? connection.endLongLivedReadTransaction() }
        guard let position = try connection.read({ try $0.position() }) else {
            throw YapDatabaseServerError(.badSpace, "\(database.path) follows no server.")
        }
        (space, number) = (position.space, position.number)
        let collections = YapDatabaseServerCollections(line: position.collections) ?? .all
        let (fetched, head) = try translating {
            let session = try ServerSession(
                ServerAddress(address).patient, space: position.space, deadline: .now + timeout, wakeUp: WakeUp())
            let fetch = Fetch(space: session.space, collections: collections, file: database.path)
            return (
                try fetch.everySeenRow(over: session.connection),
                try fetch.head(since: position, over: session.connection)
            )
        }
        let role = try translating { try ServerAddress(address).role }
        let followed = try connection.read { try $0.fileValue(SpaceValue.address) }.flatMap { try? ServerAddress($0) }
        fileRole = followed.flatMap { $0.role.hasSameBytes(as: role) ? nil : $0.role }
        continuesFile = head.brokenHistory(since: position) == nil
        (unusable, unusableRows) = (fetched.unusable.count, fetched.unusable.examples)
        try connection.read { try compare($0, fetched.rows, collections) }
    }

    private static let exampleLimit = 20

    private mutating func compare(
        _ transaction: YapDatabaseReadTransaction, _ rows: RowSpool, _ collections: YapDatabaseServerCollections
    ) throws {
        let known = try KeySet(rows)
        try rows.forEach { row in
            guard !row.isUnusable else { return }
            guard row.changed <= number else { return changedLater += 1 }
            // What is pending is not on the server yet.
            let stored = try transaction.confirmedBytes(row.key)
            if row.isGone {
                if stored != nil { note(row.key) }
            } else if stored?.object == row.object, stored?.metadata == row.metadata {
                equal += 1
            } else {
                note(row.key)
            }
        }
        try transaction.forEachStoredKey { key in
            if collections.contains(key.collection), !known.contains(key), try transaction.confirmedBytes(key) != nil {
                note(key)
            }
        }
        pending = try transaction.pendingMutations().count
    }

    private mutating func note(_ key: RowKey) {
        different += 1
        if examples.count < Self.exampleLimit { examples.append(key) }
    }
}
