import Foundation

/// One who takes part: everyone who has run the chat on this file, and everyone who was written to. The name is the
/// identity, on every machine.
struct Person: Codable, Hashable, Sendable {
    let name: String
    /// When the chat was first run under this name; nil for one who was only written to.
    var joined: Date?
    var standing = Standing.offline
    /// What `/away` said; nil for one who is not away on purpose.
    var away: String?
    /// When the person was last online.
    var lastSeen: Date?
    /// Whether a script speaks for the person.
    var isSimulated = false

    /// What the person does while away.
    var status: String { standing == .offline ? "" : away ?? (standing == .away ? "idle" : "") }
}

extension String {
    /// The form of names, and of the ids that are made of them.
    var inOneForm: String { precomposedStringWithCanonicalMapping }

    var isInOneForm: Bool { utf8.allSatisfy { $0 < 0x80 } || utf8.elementsEqual(inOneForm.utf8) }
}

/// The sections of the roster, in the order of the screen: rooms, and people by their presence.
enum Standing: String, Codable, CaseIterable, Sendable {
    case rooms
    case available
    case away
    case offline
}

extension Person {
    static let longestName = 24

    /// Whether a text that another program or release wrote can be the name of a person: keys and ids of conversations are made of it.
    static func mayBeName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 256 && !text.hasPrefix("#")
            && !text.utf8.contains { "/&\0".utf8.contains($0) }
    }

    /// Returns the name without blanks at its ends, and in one form: keyboards and file systems write é as one character or as two, and keys
    /// differ if their bytes do.
    /// - Throws: ``BadName`` for one that could not be told from a command, a room or a part of a sentence.
    static func checked(_ text: some StringProtocol) throws(BadName) -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).inOneForm
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "._-'".unicodeScalars.contains(scalar)
                || scalar.properties.generalCategory == .nonspacingMark
        }
        guard !name.isEmpty, name.count <= longestName, isPlain else { throw BadName(name: name, isRoom: false) }
        return name
    }
}

/// A name that nothing in the chat can have.
public struct BadName: Error, CustomStringConvertible {
    let name: String
    let isRoom: Bool

    public var description: String {
        let what = isRoom ? "a room" : "a person"
        return
            "\"\(name)\" cannot be the name of \(what): letters, digits, . _ - and ', at most \(Person.longestName) of them."
    }
}
