import Foundation
import LiveTable

/// Writes everything that the people of a chat share: people, rooms, messages with reactions, replies and edits, and how far each person has
/// read. What belongs to one person on this machine, such as drafts, is not written.
///
/// - Parameter print: gets the lines, a JSON value each; ``importChat(_:nextLine:)`` reads them.
/// - Returns: a sentence about the rows that are left out because they cannot be decoded; nil if there are none.
/// - Throws: ``YapDatabase/YapDatabaseError`` if the file cannot be read.
@discardableResult
public func exportWholeChat(_ options: ChatOptions, print: (String) throws -> Void) throws -> String? {
    let chat = try openedForExport(options)
    defer { try? chat.close() }
    return try chat.database.newConnection().read { transaction in
        var (lines, leftOut) = (0, LeftOutOfExport())
        func add(_ line: ArchiveLine) throws {
            lines += 1
            try print(line.text)
        }
        func values<Value>(_ collection: YapCollection<Value, String, Never>) throws -> [Value] {
            let found = try transaction[collection].decodableValues()
            leftOut.add(found.problems)
            return found.values
        }
        try add(ArchiveLine(version: ArchiveLine.version))
        for person in try values(Chat.people) { try add(ArchiveLine(person: person)) }
        for room in try values(Chat.rooms) { try add(ArchiveLine(room: room)) }
        let list = try transaction[Chat.conversations]
        for group in list.groups {
            for index in 0..<list.count(in: group) {
                if let message = try leftOut.readable({ try list.value(at: index, in: group) }) {
                    try add(ArchiveLine(message: message))
                }
            }
        }
        leftOut.add(try list.problems)
        for seat in try values(Chat.seats) { try add(ArchiveLine(seat: seat)) }
        try print(ArchiveLine(end: lines).text)
        return leftOut.sentence
    }
}

/// The rows that an export leaves out because they cannot be decoded.
struct LeftOutOfExport {
    private var count = 0
    private var first: String?

    mutating func add(_ rows: [YapDatabaseUndecodableRow]) {
        count += rows.count
        first = first ?? rows.first.map { "\($0.key) in \($0.collection): \($0.cause)" }
    }

    /// Returns the value that the body reads; nil, and counts it, if it cannot be decoded.
    mutating func readable<Value>(_ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            count += 1
            first = first ?? error.message
            return nil
        }
    }

    var sentence: String? {
        first.map {
            "\(count) row\(count == 1 ? " is" : "s are") left out, because this version cannot read \(count == 1 ? "it" : "them"). The first: \($0)"
        }
    }
}

/// Reads what ``exportWholeChat(_:print:)`` wrote into a file, or into the space that it follows. What is there stays as it is, so that the
/// same lines may be read again, after an interruption for example.
///
/// - Parameter nextLine: returns the next line, and nil at their end. It is given the most bytes that it may return: of a longer line, which is
///   refused, the beginning.
/// - Returns: the messages that were not there before.
/// - Throws: an error with the number of the line that is none of an export, after what was read before it is stored; an error that says so
///   if there is no line at all.
public func importChat(_ options: ChatOptions, nextLine: (_ limit: Int) throws -> [UInt8]?) throws -> Int {
    // Before the database is opened, which makes a file where there is none.
    guard let head = try nextLine(ArchiveLine.maxBytes + 1) else { throw NoArchive() }
    guard head.count <= ArchiveLine.maxBytes, let version = ArchiveLine(head)?.version,
        1...ArchiveLine.version ~= version
    else { throw BadArchive(line: 1) }
    let chat = try ChatDatabase(
        url: options.url, as: options.name, joins: false, open: options.open, serverDelay: options.serverDelay,
        serverTime: options.serverTime)
    defer { try? chat.close() }
    if let needsServer = chat.needsServer { throw needsServer }
    var (lines, number, read, added, size): ([ArchiveLine], Int, Int, Int, Int) = ([], 1, 1, 0, 0)
    var hasEnd = false
    func store() throws {
        let block = lines
        added += try chat.writer.readWrite { try $0.add(block) }
        (lines, size) = ([], 0)
    }
    /// What stands before it is stored.
    func refuse() throws -> Never {
        try store()
        throw BadArchive(line: number)
    }
    // One byte more than a line may have tells that it is too long.
    while let bytes = try nextLine(ArchiveLine.maxBytes + 1) {
        number += 1
        if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
        guard !hasEnd, bytes.count <= ArchiveLine.maxBytes, let line = ArchiveLine(bytes) else { try refuse() }
        if let end = line.end {
            guard end == read else { try refuse() }
            hasEnd = true
        } else {
            lines.append(line)
            size += bytes.count
        }
        read += 1
        if lines.count == ArchiveLine.perTransaction || size >= ArchiveLine.maxBytes { try store() }
    }
    try store()
    // The first version had no end.
    if version > 1, !hasEnd { throw CutArchive() }
    return added
}

/// A line of an export of everything.
struct ArchiveLine: Codable, Hashable, Sendable {
    /// The first had no last line.
    static let version = 2
    /// A transaction that a server confirms has at most 64 MB.
    static let perTransaction = 500
    static let maxBytes = Sending.maxBytes

    /// In the first line only.
    var version: Int?
    // Each other line has one of the next four.
    var person: Person?
    var room: Room?
    var message: Message?
    var seat: Seat?
    /// In the last line only: the number of lines before it.
    var end: Int?

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
        let parts: [Any?] = [line.version, line.person, line.room, line.message, line.seat, line.end]
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

/// An input without a line, which an export that failed leaves behind.
struct NoArchive: Error, CustomStringConvertible {
    var description: String { "There is no archive in it: it is empty. Did `yap chat export` fail?" }
}

/// That an export of everything lacks its last line.
struct CutArchive: Error, CustomStringConvertible {
    var description: String {
        "The end is missing: the export was cut off. What stands in it was imported; the same lines may be imported again."
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
