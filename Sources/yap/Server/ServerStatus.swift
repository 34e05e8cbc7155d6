import FileReading
import Foundation
import YapDatabaseServer

/// The output of `yap server status`.
func statusText(_ spaces: [YapDatabaseServerSpace], asJSON: Bool) throws -> String {
    if asJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try spaces.map { String(decoding: try encoder.encode(SpaceJSON($0)), as: UTF8.self) + "\n" }.joined()
    }
    guard !spaces.isEmpty else { return "There is no space here that this role may read.\n" }
    return spaces.map(lines).joined(separator: "\n")
}

private func lines(_ space: YapDatabaseServerSpace) -> String {
    var text =
        "\(TerminalSafe.line(space.name)): commit \(space.number), \(RowCount(space.rows)) rows, \(RowCount(space.bytes)) bytes, "
        + "\(RowCount(space.removedRows)) removed rows since commit \(space.floor)\n"
    for right in space.rights {
        let what = right.collection.map { "\"\(TerminalSafe.line($0))\"" } ?? "everything"
        text += "  \(TerminalSafe.line(right.role)) may \(right.canWrite ? "write" : "read") \(what)\n"
    }
    for name in space.names { text += "  \(TerminalSafe.line(name.role)) writes as \(TerminalSafe.line(name.name))\n" }
    if !space.ruledCollections.isEmpty {
        let collections = space.ruledCollections.map { "\"\(TerminalSafe.line($0))\"" }.joined(separator: ", ")
        text += "  each row is checked in \(collections)\n"
    }
    for follower in space.followers {
        text += "  a file of \(TerminalSafe.line(follower.role)): commit \(follower.number), \(age(follower.age))\n"
    }
    return text
}

private func age(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: "seen just now"
    case ..<7_200: "seen \(seconds / 60) minutes ago"
    case ..<172_800: "seen \(seconds / 3_600) hours ago"
    default: "seen \(seconds / 86_400) days ago"
    }
}

private struct SpaceJSON: Encodable {
    struct Right: Encodable {
        let role: String
        let collection: String?
        let canWrite: Bool
    }
    struct Follower: Encodable {
        let role: String
        let commit: Int
        let secondsAgo: Int
    }

    let space: String
    let commit: Int
    let floor: Int
    let rows: Int
    let removedRows: Int
    let bytes: Int
    let rights: [Right]
    let followers: [Follower]
    let names: [String: String]
    let ruledCollections: [String]

    init(_ one: YapDatabaseServerSpace) {
        (space, commit, floor, rows) = (one.name, one.number, one.floor, one.rows)
        (removedRows, bytes) = (one.removedRows, one.bytes)
        rights = one.rights.map { Right(role: $0.role, collection: $0.collection, canWrite: $0.canWrite) }
        followers = one.followers.map { Follower(role: $0.role, commit: $0.number, secondsAgo: $0.age) }
        names = Dictionary(one.names.map { ($0.name, $0.role) }) { $1 }
        ruledCollections = one.ruledCollections
    }
}
