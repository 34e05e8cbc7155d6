import FileEngine
import Foundation

/// A mutation as the file keeps it: what is to be done, and how far it is.
///
/// Records are rows of a collection of their own, ``all``, so lists, change-sets and models of them are those of any collection:
///
/// ```swift
/// let waiting = YapList("waiting", of: YapMutationRecord.all, sortedBy: .ascending(\.number), where: \.isSettled == false)
/// ```
///
/// A record of an accepted mutation stays until a hundred more are accepted, that of a rejected one until the program has dealt with it, by
/// ``YapDatabaseConnection/forgetMutation(_:)`` or ``YapDatabaseConnection/repeatMutation(_:)``.
public struct YapMutationRecord: Codable, Hashable, Sendable, Identifiable {
    /// How far a mutation is.
    public enum State: String, Codable, Sendable {
        /// It is applied in this file, and certainly not stored by the server.
        case pending
        /// It was sent, and no answer came: the server may have it. It is sent again, and stored once.
        case sent
        /// It is applied as before, and waits for a program that knows it: ``YapMutationRecord/reason``.
        case waiting
        /// The server has it: ``YapMutationRecord/commit``.
        case accepted
        /// It cannot be applied any more, or the server refuses it: ``YapMutationRecord/reason``. Nothing of it is left in the rows.
        case rejected
    }

    /// A row as a rejected mutation had it.
    public struct Change: Codable, Hashable, Sendable {
        /// The collection of the row.
        public let collection: String
        /// The key of the row.
        public let key: String
        /// The stored bytes of the object; nil if the mutation removed the row, or if they are more than ``changeLimit``.
        public let object: Data?
        /// The stored bytes of the metadata; nil if it has none.
        public let metadata: Data?

        /// Bytes of a row that are kept.
        public static let changeLimit = 64 << 10

        package init(_ key: RowKey, _ bytes: StoredBytes?) {
            (collection, self.key) = (key.collection, key.key)
            object = bytes.flatMap { $0.object.count <= Self.changeLimit ? $0.object : nil }
            metadata = bytes?.metadata.flatMap { $0.count <= Self.changeLimit ? $0 : nil }
        }
    }

    /// The mutation's own id, under which the server stores it once.
    public let id: UUID
    /// Its place among the mutations of the file.
    public let number: Int
    /// ``YapMutation/mutationName``
    public let name: String
    /// ``YapMutation/mutationVersion`` of the program that made it.
    public let version: Int
    /// Its properties, as JSON.
    public let arguments: String
    /// When it was made, by this machine's clock.
    public let date: Date
    /// How far it is.
    public package(set) var state: State
    /// Whether nothing more happens to it: it is accepted or rejected. It follows from the state, and is stored so that a list can have it as
    /// its condition.
    public private(set) var isSettled: Bool
    /// The commit of the space that has it, of an accepted one.
    public package(set) var commit: Int?
    /// Why it waits or was rejected, in whole sentences.
    public package(set) var reason: String?
    /// What a rejected one had changed in the file, at most ``rowLimit`` rows.
    public package(set) var changes: [Change]?

    /// Rows of a rejected mutation that are kept.
    public static let rowLimit = 1_000

    init(_ mutation: some YapMutation, number: Int) throws {
        let bytes = try YapDatabaseCodableFormat.json.encode(mutation)
        (id, self.number, date) = (.random(), number, Date())
        let type = type(of: mutation)
        (name, version) = (type.mutationName, type.mutationVersion)
        arguments = String(decoding: bytes, as: UTF8.self)
        (state, isSettled) = (.pending, false)
    }

    /// The records of a file.
    public static let all = YapCollection(RowTable.mutations, of: YapMutationRecord.self, as: .json, key: \.key)

    /// Keys have the order of the numbers.
    var key: String { Self.key(number) }

    static func key(_ number: Int) -> String {
        let digits = String(max(0, number), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Changes the state of the mutation. It is settled if it was accepted or rejected.
    package mutating func setState(_ state: State, reason: String? = nil, commit: Int? = nil) {
        (self.state, self.reason, self.commit) = (state, reason, commit)
        isSettled = state == .accepted || state == .rejected
    }

    /// Bytes that count for the limit of all that wait.
    package var size: Int { arguments.utf8.count + name.utf8.count + OutboxState.sizeOfRecord }
}

extension YapMutationRecord: CustomStringConvertible {
    /// One line.
    public var description: String {
        "mutation \(number), \"\(name)\": \(state.rawValue)" + (commit.map { " as commit \($0)" } ?? "")
            + (reason.map { ". \($0)" } ?? "")
    }
}
