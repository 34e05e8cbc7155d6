import FileEngine
import Foundation

/// Which commit of its space a file has. It is one value of the file, written in the transaction that writes the commit's rows.
struct SpacePosition: Hashable, Sendable {
    /// The number of the last commit; 0 if the file has none.
    var number: Int
    /// The id of that commit. A server that has another id for the number has lost commits.
    var commit: UUID?
    /// The number of the file's own commit. If the file has another one, a program without a server has written it.
    var local: Int
    /// The collections of the space that the file has; ``YapDatabaseServerCollections/line``.
    var collections: String
    /// A name of the file for `yap server status`.
    var file = UUID.random()
    /// The space's name.
    var space: String
    /// The space's own id, which tells it from another space of the same name. Nil if the file does not know it yet: it then takes the id that
    /// the server gives.
    var identity: UUID?
}

/// A state of a space: its last commit, and which space it is.
struct SpaceState: Hashable, Sendable {
    var number: Int
    var commit: UUID?
    var identity: UUID?
}

extension SpacePosition {
    /// The form in which the file stores it: one part a line.
    var text: String {
        ["1", "\(number)", commit?.uuidString ?? "", "\(local)", collections, file.uuidString, space].joined(
            separator: "\n")
    }

    /// No space reaches a larger number by commits. With a larger one, which is damage, the next one could overflow.
    private static let largestNumber = 1 << 52

    /// Nil if the text is damaged or of another version: the file is then compared with the whole space.
    init?(_ text: String) {
        guard let parts = SpaceValue.parts(of: text), let number = Int(parts[1]), 0...Self.largestNumber ~= number,
            let local = Int(parts[3]), let file = UUID(uuidString: parts[5])
        else { return nil }
        self.init(
            number: number, commit: UUID(uuidString: parts[2]), local: local, collections: parts[4], file: file,
            space: parts[6])
    }
}

extension SpacePosition {
    /// The position of a file that takes all rows of the server in the place of its own, after it was compared with the whole space.
    /// - Parameter state: what the space must have or continue, else the file would lose what it has; nil for any state.
    func givingWay(to state: SpaceState? = nil) -> SpacePosition {
        var position = self
        (position.number, position.commit) = (state?.number ?? 0, state?.commit)
        (position.local, position.identity) = (-1, state?.identity)
        return position
    }

    var givesWay: Bool { local < 0 }

    /// The last commit whose rows the file has; 0 for none.
    var reached: Int { givesWay ? 0 : number }
}

extension YapDatabaseReadTransaction {
    /// Returns which commit of which space the file has; nil if it follows no space, or if another release has written the position.
    ///
    /// A release that knows no mutations may have moved the position while mutations were pending. Then the kept rows that these replaced are older
    /// than the position, and the rows that they changed may be the server's again. Such a file counts as one that others have written: it is
    /// compared with the whole space, and the mutations are applied again on the result.
    func position() throws -> SpacePosition? {
        guard let text = try fileValue(SpaceValue.position), var position = SpacePosition(text) else { return nil }
        position.identity = try fileValue(SpaceValue.identity).flatMap(UUID.init(uuidString:))
        if !position.givesWay, try outbox()?.mayHavePending == true, let base = try fileValue(SpaceValue.base),
            base != SpaceValue.base(of: text)
        {
            position.local = .max
        }
        return position
    }
}

extension YapDatabaseReadWriteTransaction {
    func setPosition(_ position: SpacePosition, replacing present: SpacePosition?) throws {
        try setFileValue(position.text, SpaceValue.position)
        if try outbox()?.mayHavePending == true { try noteBaseOfReplacedRows() }
        guard position.identity != present?.identity else { return }
        try setFileValue(position.identity?.uuidString ?? "", SpaceValue.identity)
    }
}
