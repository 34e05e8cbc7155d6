import FileReading
import Foundation
import YapDatabaseServer

/// `yap server protect`: sets the rules of a space.
func protect(_ space: String, _ server: YapDatabaseServerAdministration, _ options: ParsedOptions) throws {
    let rules = options["off"] != nil ? [] : try rules(options)
    let hidden = try server.setRules(rules, space: space)
    let name = TerminalSafe.line(space)
    guard !rules.isEmpty else { return try printText("The space \"\(name)\" has no rules for single rows.\n") }
    let collections = rules.map { TerminalSafe.line($0.collection) }.joined(separator: ", ")
    try printText("Each row is checked in the space \"\(name)\": \(collections).\n")
    if hidden > 0 {
        printError(
            "\(RowCount(hidden)) row\(hidden == 1 ? " says" : "s say") of no one who may read, and no role sees them.")
    }
    for role in try server.rolesWithoutName(space: space) {
        let role = TerminalSafe.line(role)
        printError(
            "\(role) has no name: yap server grant --space \(name.shellWord) --role \(role.shellWord) --write --as NAME"
        )
    }
}

private func rules(_ options: ParsedOptions) throws -> [YapDatabaseServerRule] {
    guard let path = options["rules"] else { return chatRules }
    let text: String
    do { text = try SmallFile.text(path, limit: 1 << 20, kind: "list of rules") } catch let error as POSIXError {
        throw Failure("\(path) cannot be read: \(sentence(error)).")
    }
    do {
        try refuseUnknownNames(Data(text.utf8))
        return try JSONDecoder().decode([YapDatabaseServerRule].self, from: Data(text.utf8))
    } catch {
        throw Failure("\(path) is no list of rules as docs/server.md describes it: \(error)")
    }
}

/// A misspelt name would protect nothing.
private func refuseUnknownNames(_ data: Data) throws {
    let known = YapDatabaseServerRule.names
    for case let rule as [String: Any] in try JSONSerialization.jsonObject(with: data) as? [Any] ?? [] {
        if let name = rule.keys.sorted().first(where: { !known.contains($0) }) {
            throw Failure("a rule has no \"\(name)\", but \(known.joined(separator: ", ")).")
        }
    }
}

/// The rules of the chat's rows, as ChatRoster stores them.
let chatRules: [YapDatabaseServerRule] = {
    var messages = YapDatabaseServerRule(collection: "chat")
    (messages.owner, messages.readers) = (.field("author"), .field("conversation"))
    (messages.signed, messages.acknowledged) = (["reactions"], ["unseenDeletion"])
    messages.removal = .whenLast(inField: "unseenDeletion")
    // Who writes puts the conversation on the rosters of the others.
    var seats = YapDatabaseServerRule(collection: "seats")
    (seats.owner, seats.readers) = (.key, .key)
    (seats.othersInsert, seats.removal) = (true, .ifForEveryone)
    // Who notices that a chat has ended says so.
    var people = YapDatabaseServerRule(collection: "people")
    (people.owner, people.shared, people.othersInsert) = (.key, ["standing", "lastSeen"], true)
    var presence = YapDatabaseServerRule(collection: "presence")
    (presence.owner, presence.removal) = (.key, .always)
    return [messages, seats, people, presence]
}()
