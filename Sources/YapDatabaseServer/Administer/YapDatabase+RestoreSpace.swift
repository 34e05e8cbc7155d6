import FileEngine
import Foundation
import PostgreSQLBridge

/// What `YapDatabase.restoreSpace(_:address:replacing:timeout:)` gave to a space.
public struct YapDatabaseServerRestoration: Hashable, Sendable {
    /// The space's name.
    public var space: String
    /// Rows that the space did not have.
    public internal(set) var given = 0
    /// Rows that the space had otherwise, and that were replaced.
    public internal(set) var replaced = 0
    /// Rows that the space has otherwise, and that stay there as they are.
    public internal(set) var different = 0
    /// Rows that are too large for a space, or whose names are, or have a NUL character.
    public internal(set) var tooLarge = 0

    /// Whether the space has all that the file has.
    public var isComplete: Bool { different == 0 && tooLarge == 0 }
}

extension YapDatabase {
    /// Gives a space the rows of this file that it lacks, after a server has lost them. May be repeated.
    ///
    /// The rows are written in several transactions that need the right to write, while hosts may use the space. When the space has
    /// all that the file has, the file follows it again; other files that lose nothing by it do so by themselves.
    ///
    /// ```swift
    /// let restoration = try database.restoreSpace(address: "postgres://alice@db.example.com/team")
    /// print(restoration.isComplete)
    /// ```
    ///
    /// - Parameters:
    ///   - space: the space's name; nil for the one that the file follows.
    ///   - address: libpq's connection string.
    ///   - replacing: whether rows of the space that differ from the file's are replaced by these. The space's may be newer.
    ///   - timeout: the longest time to wait for an answer of the server.
    /// - Throws: `YapDatabaseServerError` with `badSpace` if no space is named and the file follows none, and as writing does.
    public func restoreSpace(
        _ space: String? = nil, address: String, replacing: Bool = false, timeout: Duration = .seconds(60)
    ) throws -> YapDatabaseServerRestoration {
        let connection = try newConnection()
        try connection.jump()
        defer { try? connection.endLongLivedReadTransaction() }
        let position = try connection.read { try $0.position() }
        guard let name = space ?? position?.space else { throw followsNone }
        return try translating {
            var giving = Giving(
                name, try ServerAddress(address).patient,
                position.flatMap { YapDatabaseServerCollections(line: $0.collections) } ?? .all,
                replacing: replacing, timeout: timeout)
            for _ in 0..<Giving.attemptLimit {
                guard try connection.read({ try giving.run($0) }) else { continue }
                if giving.result.isComplete, position?.space.hasSameBytes(as: name) == true {
                    try giveWay(to: giving.reached)
                }
                return giving.result
            }
            throw YapDatabaseServerError(
                .overtaken,
                "Hosts changed the same rows each time that they were to be given. Try again when they rest.")
        }
    }
}

/// Writes rows of a file to a space, some at a time.
private struct Giving {
    var result: YapDatabaseServerRestoration
    private let pusher: Pusher
    private let collections: YapDatabaseServerCollections
    private let replacing: Bool
    private let timeout: Duration
    /// The state of the space that has all that was given: a server that is put back to an earlier one has lost it again.
    private(set) var reached: SpaceState?
    private var base: SpacePosition?
    private var outgoing = Outgoing()
    /// How many rows of those are new, and how many replace others.
    private var pending = (given: 0, replaced: 0)

    static let attemptLimit = 5
    /// What is sent at once.
    private static let step = (rows: 5_000, bytes: 8 << 20)

    init(
        _ space: String, _ address: ServerAddress, _ collections: YapDatabaseServerCollections, replacing: Bool,
        timeout: Duration
    ) {
        result = YapDatabaseServerRestoration(space: space)
        pusher = Pusher(address, space: space)
        (self.collections, self.replacing, self.timeout) = (collections, replacing, timeout)
    }

    private struct Overtaken: Error {}

    /// - Returns: false if a host changed a row meanwhile.
    mutating func run(_ transaction: YapDatabaseReadTransaction) throws -> Bool {
        (result.different, result.tooLarge, outgoing, pending) = (0, 0, Outgoing(), (0, 0))
        let session = try pusher.connect(until: .now + timeout)
        let file = transaction.connection.database.path
        let fetched = try Fetch(space: session.space, collections: collections, file: file).run(
            since: nil, comparison: nil, over: session.connection)
        reached = SpaceState(
            number: fetched.number, commit: fetched.head.commit, identity: fetched.head.identity)
        base = SpacePosition(
            number: fetched.number, commit: fetched.head.commit, local: 0, collections: "", space: result.space)
        do {
            try replaceOrCount(fetched.rows, transaction)
            let known = try KeySet(fetched.rows)
            try transaction.forEachStoredKey { key in
                guard collections.contains(key.collection), !known.contains(key) else { return }
                if try give(key, [.new, .object, .metadata], transaction) { pending.given += 1 }
            }
            try flush()
            return true
        } catch is Overtaken {
            return false
        }
    }

    private mutating func replaceOrCount(_ rows: RowSpool, _ transaction: YapDatabaseReadTransaction) throws {
        try rows.forEach { row in
            guard collections.contains(row.key.collection), let stored = try transaction.confirmedBytes(row.key)
            else { return }
            guard stored.object != row.object || stored.metadata != row.metadata else { return }
            if !replacing {
                result.different += 1
            } else if try give(row.key, [.object, .metadata], transaction) {
                pending.replaced += 1
            }
        }
    }

    /// - Returns: whether it is on its way; false if it is too large.
    private mutating func give(_ key: RowKey, _ kind: PushKind, _ transaction: YapDatabaseReadTransaction) throws
        -> Bool
    {
        // Without what is pending, which is sent by itself.
        guard let stored = try transaction.confirmedBytes(key) else { return false }
        var one = Outgoing()
        do {
            try one.append(key.collection, key.key, kind, object: stored.object, metadata: stored.metadata)
        } catch let error as YapDatabaseServerError where error.code == .tooLarge {
            result.tooLarge += 1
            return false
        }
        if outgoing.kinds.count >= Self.step.rows || outgoing.bytes + one.bytes > Self.step.bytes { try flush() }
        outgoing.append(one)
        return true
    }

    private mutating func flush() throws {
        guard !outgoing.isEmpty else { return }
        // Only a change of the same rows is in the way.
        let id = UUID.random()
        let answer = try pusher.push(outgoing, base: base, id: id, mode: .rows, until: .now + timeout)
        guard case .accepted(let number) = answer else { throw Overtaken() }
        reached = SpaceState(number: number, commit: id, identity: reached?.identity)
        result.given += pending.given
        result.replaced += pending.replaced
        (outgoing, pending) = (Outgoing(), (0, 0))
    }
}

extension YapDatabase {
    /// Lets a file that was refused with `YapDatabaseServerError.Code.wouldLoseRows` take what the server has, after a copy of the
    /// file was made: at the next contact it becomes equal to the space, and loses what the space does not have.
    ///
    /// The database may be open with its server or without it.
    ///
    /// ```swift
    /// try database.takeServerState(copyingTo: copy)
    /// ```
    ///
    /// - Parameter copy: where the copy goes, which is a database of its own; nothing may be there.
    /// - Throws: `YapDatabaseServerError` with `badSpace` if the file follows no space, and ``YapDatabaseError`` if the copy
    ///   cannot be made.
    public func takeServerState(copyingTo copy: URL) throws {
        let connection = try newConnection()
        guard try connection.read({ try $0.position() }) != nil else { throw followsNone }
        try takeName(copy)
        do { try connection.backup(toPath: copy.path) } catch {
            unlink(copy.path)
            throw error
        }
        try giveWay()
    }

    /// Makes an empty file, so that no other process makes its copy under the same name.
    private func takeName(_ copy: URL) throws {
        let descriptor = Foundation.open(copy.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let text = String(cString: strerror(errno))
            throw YapDatabaseError(
                .cannotOpen,
                errno == EEXIST
                    ? "\(copy.path) is there already. A copy is made under a new name."
                    : "The copy \(copy.path) cannot be made: \(text). Name another place.")
        }
        Foundation.close(descriptor)
    }

    /// Makes the file equal to the space at the next contact, whatever it loses.
    /// - Parameter state: what the space must have or continue, else the file keeps its rows; nil for any space of the name.
    func giveWay(to state: SpaceState? = nil) throws {
        try newConnection().writePastAuthority { transaction in
            guard let position = try transaction.position() else { throw followsNone }
            try transaction.setPosition(position.givingWay(to: state), replacing: position)
        } confirming: { _ in
        }
        server?.refresh()
    }

    var followsNone: YapDatabaseServerError {
        YapDatabaseServerError(.badSpace, "\(path) follows no server.")
    }
}
