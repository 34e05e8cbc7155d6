/// The space on a server that a file follows, as the file itself says.
///
/// It is there whether the database was opened with the server or without: ``YapDatabase/followedSpace``.
public struct YapDatabaseFollowedSpace: Hashable, Sendable {
    /// The name of the space; empty if a newer release has written it in a form that this one does not know.
    public let name: String
    /// The server: libpq's connection string without a password. Nil if only earlier releases have followed it.
    public let address: String?
    /// The collections that the file has of the space.
    public let collections: YapDatabaseServerCollections

    /// - Parameter position: what the file has under ``SpaceValue/position``.
    init(position: String, address: String?) {
        let parts = SpaceValue.parts(of: position)
        name = parts?[6] ?? ""
        collections = parts.flatMap { YapDatabaseServerCollections(line: $0[4]) } ?? .all
        self.address = address
    }
}

/// The values of a file that say which space it follows.
package enum SpaceValue {
    /// Which commit of which space the file holds.
    package static let position = "server"
    /// The space's own id. Earlier releases, which have none, read the other value as before.
    package static let identity = "server-space"
    /// Where the server was reached last.
    package static let address = "server-address"

    /// Which mutations are pending: ``OutboxState``.
    package static let outbox = OutboxState.key
    /// The commit of the space to whose state the rows belong that pending mutations have replaced: ``base(of:)``. An earlier release, which
    /// knows no mutations, moves the position and leaves those rows as they were.
    package static let base = "server-mutations-base"

    /// The number and the id of a position's commit; nil if it is of another version or damaged.
    package static func base(of position: String) -> String? {
        parts(of: position).map { "\($0[1])\n\($0[2])" }
    }

    /// The position after a commit of this file alone, which leaves it where it is in the space. Nil if the text is of another version, or
    /// if a program has written the file that knows of no server: that is found out at the next contact.
    package static func position(_ text: String, movedFrom before: Int, to local: Int) -> String? {
        guard var parts = parts(of: text), parts[3] == "\(before)" else { return nil }
        parts[3] = "\(local)"
        return parts.joined(separator: "\n")
    }

    /// The lines of a position: version, number, commit, the file's own number, collections, the file's name and the space. Nil if it is
    /// of another version or damaged.
    package static func parts(of position: String) -> [String]? {
        // Bytes: every mutation reads it.
        let parts = position.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 6, omittingEmptySubsequences: false)
        return parts.count == 7 && parts[0].elementsEqual("1".utf8) ? parts.map { String(Substring($0)) } : nil
    }
}
