import FileEngine
import Foundation

/// The commit of a space that a file holds: one value of the file, written in the transaction that writes the commit's
/// rows.
struct Position: Hashable, Sendable {
    /// The number of the last commit; 0 of none.
    var number: Int
    /// The id of that commit, by which a server that lost commits is found out.
    var commit: UUID?
    /// The number of the file's own state. Another one means that a program wrote the file that knows of no server.
    var local: Int
    /// Which collections the file has; ``YapDatabaseServerCollections/line``.
    var collections: String
    /// A name of the file for `yap server status`.
    var file = UUID.random()
    /// The space's name.
    var space: String
    /// The space's own id, by which another space of the same name is found out. Nil if the file has not seen it: it is then what
    /// the server says.
    var identity: UUID?
}

extension Position {
    /// One part a line.
    var text: String {
        ["1", "\(number)", commit?.uuidString ?? "", "\(local)", collections, file.uuidString, space].joined(
            separator: "\n")
    }

    /// Nil if the text is of another version or damaged: the file is then compared.
    init?(_ text: String) {
        guard let parts = SpaceValue.parts(of: text), let number = Int(parts[1]), number >= 0,
            let local = Int(parts[3]), let file = UUID(uuidString: parts[5])
        else { return nil }
        self.init(
            number: number, commit: UUID(uuidString: parts[2]), local: local, collections: parts[4], file: file,
            space: parts[6])
    }
}

extension Position {
    /// The position of a file that takes whatever the server has, whatever it had before: the file is compared, and gives way.
    func givingWay(toIdentity identity: UUID? = nil) -> Position {
        var position = self
        (position.number, position.commit, position.local, position.identity) = (0, nil, -1, identity)
        return position
    }

    var givesWay: Bool { local < 0 }
}

extension YapDatabaseReadTransaction {
    /// Which commit of which space the file holds; nil if it follows none, or another release has written it.
    func position() throws -> Position? {
        guard var position = try fileValue(SpaceValue.position).flatMap(Position.init) else { return nil }
        position.identity = try fileValue(SpaceValue.identity).flatMap(UUID.init(uuidString:))
        return position
    }
}

extension YapDatabaseReadWriteTransaction {
    func setPosition(_ position: Position, replacing present: Position?) throws {
        try setFileValue(position.text, SpaceValue.position)
        guard position.identity != present?.identity else { return }
        try setFileValue(position.identity?.uuidString ?? "", SpaceValue.identity)
    }
}
