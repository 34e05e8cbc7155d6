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
    var file = UUID()
    /// The space's name.
    var space: String
    /// The space's own id, by which another space of the same name is found out. Nil if the file has not seen it: it is then what
    /// the server says.
    var identity: UUID?
}

extension Position {
    /// The value's name in the file.
    static let name = "server"
    /// The name of the value that holds the identity. Earlier releases, which have none, read the other value as before.
    static let identityName = "server-space"

    /// One part a line.
    var text: String {
        ["1", "\(number)", commit?.uuidString ?? "", "\(local)", collections, file.uuidString, space].joined(
            separator: "\n")
    }

    /// Nil if the text is of another version or damaged: the file is then compared.
    init?(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 7, parts[0] == "1", let number = Int(parts[1]), number >= 0, let local = Int(parts[3]),
            let file = UUID(uuidString: parts[5])
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
        guard var position = try fileValue(Position.name).flatMap(Position.init) else { return nil }
        position.identity = try fileValue(Position.identityName).flatMap(UUID.init(uuidString:))
        return position
    }
}

extension YapDatabaseReadWriteTransaction {
    func setPosition(_ position: Position, replacing present: Position?) throws {
        try setFileValue(position.text, Position.name)
        guard position.identity != present?.identity else { return }
        try setFileValue(position.identity?.uuidString ?? "", Position.identityName)
    }
}

extension YapDatabaseServerCollections {
    /// A line that tells one choice from every other.
    var line: String {
        func list(_ names: Set<String>) -> String {
            names.sorted().map { Data($0.utf8).base64EncodedString() }.joined(separator: ",")
        }
        return switch self {
        case .all: "all"
        case .only(let names): "only " + list(names)
        case .allExcept(let names): "except " + list(names)
        }
    }

    init?(line: String) {
        guard line != "all" else {
            self = .all
            return
        }
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var names: Set<String> = []
        for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            guard let data = Data(base64Encoded: String(part)), let name = String(validating: data, as: UTF8.self)
            else {
                return nil
            }
            names.insert(name)
        }
        switch parts[0] {
        case "only": self = .only(names)
        case "except": self = .allExcept(names)
        default: return nil
        }
    }

    /// 0 for all, 1 for these, 2 for all but these, as the server's queries take it.
    var choice: Int64 {
        switch self {
        case .all: 0
        case .only: 1
        case .allExcept: 2
        }
    }

    var names: [Data] {
        switch self {
        case .all: []
        case .only(let names), .allExcept(let names): names.map { Data($0.utf8) }
        }
    }
}
