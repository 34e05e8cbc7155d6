import FileEngine
import Foundation
import PostgreSQLBridge

/// What an answer says of the space itself.
struct SpaceHead: Hashable {
    /// The space's last commit.
    var number: Int
    var commit: UUID?
    /// The space's own id; nil of a server that no `yap server init` of this release has brought up to date.
    var identity: UUID?
    /// Removals up to this commit are forgotten.
    var floor: Int
    /// Rows that follow.
    var total: Int
    /// The commit that changed this role's rights last.
    var rightsAt: Int
    /// The id of the commit that was asked about.
    var base: UUID?
    /// What a purge has left of that id; nil if it was not asked for, or is not known.
    var past: Data?

    /// Columns as in ``SpaceSQL/fetch``.
    init(_ row: PostgreSQLRow) throws {
        number = try row.int(1)
        floor = try row.int(2)
        total = try row.int(3)
        rightsAt = try row.int(4)
        commit = row.isNull(5) ? nil : try row.uuid(5)
        base = row.isNull(6) ? nil : try row.uuid(6)
        identity = row.isNull(8) ? nil : try row.uuid(8)
        guard (0...Self.largestNumber).contains(number) else {
            throw PostgreSQLError(.unexpectedAnswer, "The server's space has an impossible number.")
        }
    }

    /// No space reaches it by commits.
    private static let largestNumber = 1 << 52

    /// Why the file has to be compared with all rows; nil if the changes since the position suffice.
    func comparison(since position: SpacePosition) -> YapDatabaseServerComparison? {
        if brokenHistory(since: position) != nil { return .historyLost }
        if position.number < floor { return .purged }
        return rightsAt > position.number ? .rightsChanged : nil
    }

    /// Why the space is no continuation of what the file has; nil if it is one. Then what the server lacks was removed
    /// there.
    ///
    /// A purge beyond the file's commit leaves the end of its id. Where an earlier release has purged, it left nothing: there the
    /// space's identity and number have to do.
    func brokenHistory(since position: SpacePosition) -> BrokenHistory? {
        if let known = position.identity, known != identity { return .otherSpace }
        guard position.number > 0 else { return nil }
        guard position.number <= number else { return .lostCommits }
        guard isPurged(position) else { return position.commit == base ? nil : .lostCommits }
        guard let past, let commit = position.commit else { return nil }
        return withUnsafeBytes(of: commit.uuid) { Data($0.suffix(past.count)) } == past ? nil : .lostCommits
    }

    /// Whether the file's commit is one of those that were purged.
    func isPurged(_ position: SpacePosition) -> Bool { position.number > 0 && position.number < floor }
}

/// Why a space is no continuation of what a file has of it.
enum BrokenHistory: Hashable {
    /// It is another space of the same name.
    case otherSpace
    /// It does not have the commit that the file has: an older state of it was restored, or a standby took over that lacked
    /// commits.
    case lostCommits
}
