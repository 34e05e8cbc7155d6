import FileReading
import Foundation
import YapDatabaseServer

/// The output of `yap server status FILE`: which space a file follows, and which of its mutations wait or were rejected.
struct FileStatus {
    private let path: String
    private let space: YapDatabaseFollowedSpace?
    private let pending: [YapMutationRecord]
    private let rejected: [YapMutationRecord]

    /// Mutations that are shown as text.
    private static let shown = 20

    init(_ path: String, _ database: YapDatabase) throws {
        self.path = path
        space = try database.followedSpace
        (pending, rejected) = try database.newConnection().read {
            (try $0.pendingMutations(), try $0.rejectedMutations())
        }
    }

    var text: String {
        var text =
            space.map { "\(TerminalSafe.line(path)) follows \(TerminalSafe.line($0.title)).\n" }
            ?? "\(TerminalSafe.line(path)) follows no server.\n"
        text += Self.list(
            one: "waits for the server", several: "wait for the server", none: "wait for the server", pending)
        text += Self.list(
            one: "was rejected, and is kept", several: "were rejected, and are kept", none: "were rejected", rejected)
        return text
    }

    private static func list(one: String, several: String, none: String, _ records: [YapMutationRecord]) -> String {
        if records.isEmpty { return "No mutations \(none).\n" }
        let lines = records.prefix(shown).map { "  \(TerminalSafe.line("\($0.date.ISO8601Format()) \($0)"))\n" }
        let rest = records.count - lines.count
        return "\(RowCount(records.count)) mutation\(records.count == 1 ? " \(one)" : "s \(several)"):\n"
            + lines.joined()
            + (rest > 0 ? "  and \(RowCount(rest)) more\n" : "")
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let answer = Answer(space: space?.name, server: space?.address, pending: pending, rejected: rejected)
        return String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n"
    }

    private struct Answer: Encodable {
        let space: String?
        let server: String?
        let pending: [YapMutationRecord]
        let rejected: [YapMutationRecord]
    }
}
