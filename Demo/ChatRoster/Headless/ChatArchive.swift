import Foundation
import LiveTable

/// Writes everything that the chats of a file share: people, rooms, messages with reactions, replies and edits, and how far each one has
/// read. What is one person's alone on this machine, such as drafts, stays.
///
/// - Parameter print: gets the lines, a JSON value each; ``importChat(_:lines:)`` reads them.
/// - Throws: ``YapDatabase/YapDatabaseError`` if the file cannot be read.
public func exportWholeChat(_ options: ChatOptions, print: (String) throws -> Void) throws {
    guard FileManager.default.fileExists(atPath: options.url.path) else { throw NoChat(url: options.url) }
    let chat = try ChatDatabase(url: options.url, as: options.name, joins: false)
    defer { try? chat.close() }
    try chat.database.newConnection().read { transaction in
        try print(ArchiveLine(version: ArchiveLine.version).text)
        for person in try transaction[Chat.people].readableValues() { try print(ArchiveLine(person: person).text) }
        for room in try transaction[Chat.rooms].readableValues() { try print(ArchiveLine(room: room).text) }
        let list = try transaction[Chat.conversations]
        for group in list.groups {
            for index in 0..<list.count(in: group) {
                guard let message = try list.value(at: index, in: group) else { continue }
                try print(ArchiveLine(message: message).text)
            }
        }
        for seat in try transaction[Chat.seats].readableValues() { try print(ArchiveLine(seat: seat).text) }
    }
}

/// Reads what ``exportWholeChat(_:print:)`` wrote into a file, or into the space that it follows. What is there stays as it is, so that the
/// same lines may be read again, after an interruption for example.
///
/// - Parameter nextLine: returns the lines, and nil at their end.
/// - Returns: the messages that were not there before.
/// - Throws: an error with the number of the line that is none of an export; what was read before it is stored.
public func importChat(_ options: ChatOptions, nextLine: () throws -> [UInt8]?) throws -> Int {
    let chat = try ChatDatabase(
        url: options.url, as: options.name, joins: false, open: options.open, serverDelay: options.serverDelay,
        serverTime: options.serverTime)
    defer { try? chat.close() }
    if let needsServer = chat.needsServer { throw needsServer }
    var (lines, number, added): ([ArchiveLine], Int, Int) = ([], 0, 0)
    func store() throws {
        let block = lines
        added += try chat.writer.readWrite { try $0.add(block) }
        lines = []
    }
    while let bytes = try nextLine() {
        number += 1
        guard bytes.count <= ArchiveLine.maxBytes, let line = ArchiveLine(bytes) else { throw BadArchive(line: number) }
        if number == 1 {
            guard line.version == ArchiveLine.version else { throw BadArchive(line: number) }
        } else {
            lines.append(line)
        }
        if lines.count == ArchiveLine.perTransaction { try store() }
    }
    try store()
    return added
}

/// A line of an export of everything.
struct ArchiveLine: Codable, Hashable, Sendable {
    static let version = 1
    /// A transaction that a server confirms has at most 64 MB.
    static let perTransaction = 500
    static let maxBytes = 1 << 20

    /// In the first line.
    var version: Int?
    /// One of these in each other line.
    var person: Person?
    var room: Room?
    var message: Message?
    var seat: Seat?

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension ArchiveLine {
    /// Nil for a line of something else, or of a later version.
    init?(_ bytes: [UInt8]) {
        guard let line = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        let parts: [Any?] = [line.version, line.person, line.room, line.message, line.seat]
        guard parts.count(where: { $0 != nil }) == 1 else { return nil }
        self = line
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Adds what is not there.
    /// - Returns: how many messages were added.
    fileprivate func add(_ lines: [ArchiveLine]) throws -> Int {
        var added = 0
        for line in lines {
            if var person = line.person {
                // Who is here now is for the chats that run to say.
                person.standing = .offline
                let people = self[Chat.people]
                if try people.readable(person.name)?.joined == nil, try people.mayReplace(person.name) {
                    try people.save(person)
                }
            } else if let room = line.room {
                try add(room)
            } else if let message = line.message, try !self[Chat.messages].contains(message.id) {
                try self[Chat.messages].save(message)
                added += 1
            } else if let seat = line.seat, try !self[Chat.seats].contains(seat.key) {
                try self[Chat.seats].save(seat)
            }
        }
        return added
    }

    private func add(_ room: Room) throws {
        guard try self[Chat.rooms].mayReplace(room.id) else { return }
        guard var here = try self[Chat.rooms].readable(room.id) else { return try self[Chat.rooms].save(room) }
        here.members += room.members.filter { !here.members.contains($0) }
        if here.topic.isEmpty { here.topic = room.topic }
        try self[Chat.rooms].save(here)
    }
}

/// A line that is none of an export of everything.
struct BadArchive: Error, CustomStringConvertible {
    let line: Int

    var description: String {
        line == 1
            ? "This is not the output of `yap chat export` without --with, or it is of a later version."
            : "Line \(line) is damaged, or of a later version. What stands before it was imported; the same lines may be imported again."
    }
}
