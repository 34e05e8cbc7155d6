import Foundation
import LiveTable

/// Writes a conversation, from its first message on, as lines of text or of JSON.
///
/// - Parameter print: gets the lines, one message each; a text of several lines goes on below, indented.
/// - Returns: a sentence about the messages that are left out because they cannot be decoded; nil if there are none.
/// - Throws: ``YapDatabase/YapDatabaseError`` if the file cannot be read, and an error that lists the conversations if none
///   is named or there is no such one.
@discardableResult
public func exportChat(_ options: ChatOptions, asJSON: Bool, print: (String) throws -> Void) throws -> String? {
    let chat = try openedForExport(options)
    defer { try? chat.close() }
    return try chat.database.newConnection().read { transaction in
        var leftOut = LeftOutOfExport()
        let list = try transaction[Chat.conversations]
        let open = try transaction.roster(of: chat.me).filter { list.count(in: $0.conversation) > 0 }
        let wanted = try options.other.map { try transaction.conversation(named: $0, by: chat.me).id }
        guard let wanted, list.count(in: wanted) > 0 else { throw NoConversation(titles: open.map(\.title)) }
        for index in 0..<list.count(in: wanted) {
            guard var message = try leftOut.readable({ try list.value(at: index, in: wanted) }) else { continue }
            let quoted = try message.reply.map { try transaction.quoted($0.id) ?? "" }
            if let quoted { message.reply?.text = quoted }
            try print(asJSON ? try message.json : message.exported)
        }
        leftOut.add(try list.problems)
        return leftOut.sentence
    }
}

extension Message {
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    fileprivate var exported: String {
        let day = "\(ChatDates.typed.string(from: time)) \(ChatDates.time.string(from: time))"
        var said = isDeleted ? "(deleted)" : text + (edited == nil ? "" : " (edited)")
        if let reply { said = "↳ \(reply.author): \(reply.text.isEmpty ? "(deleted)" : reply.text)\n" + said }
        for (emoji, names) in (reactions ?? [:]).sorted(by: { $0.key < $1.key }) {
            said += "\n\(emoji) \(names.joined(separator: ", "))"
        }
        let line =
            kind == .notice
            ? isDeleted ? said : signedNotice : kind == .action ? "* \(author) \(said)" : "\(author): \(said)"
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
        // What a text contains must not reach a terminal as a command.
        let measure = TextMeasure(.full)
        return day + "  " + lines.map { measure.safe(String($0)) }.joined(separator: "\n                  ")
    }
}

/// Opens a chat that is there: opening an empty file would make one of it.
func openedForExport(_ options: ChatOptions) throws -> ChatDatabase {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: options.url.resolvingSymlinksInPath().path),
        facts[.size] as? Int != 0
    else { throw NoChat(url: options.url) }
    return try ChatDatabase(url: options.url, as: options.name, joins: false)
}

struct NoChat: Error, CustomStringConvertible {
    let url: URL
    var description: String { "There is no chat at \(url.path)." }
}

struct NoConversation: Error, CustomStringConvertible {
    let titles: [String]

    var description: String {
        let known = titles.isEmpty ? "There are no messages yet." : "There are: \(titles.joined(separator: ", "))."
        return "Which conversation? --with names it. \(known)"
    }
}
