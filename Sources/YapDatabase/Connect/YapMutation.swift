import Foundation

/// A change with a name, which a file that follows a server makes at once, and whose server gets it when it can be reached.
///
/// ```swift
/// struct Say: YapMutation {
///     static let mutationName = "say"
///     var id: String
///     var text: String
///
///     func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
///         try transaction[messages].save(Message(id: id, text: text))
///     }
/// }
/// ```
///
/// `YapDatabaseConnection.mutate` makes it. See <doc:WritingOffline>.
///
/// ``apply(_:)`` runs at once, and again on the newest state whenever commits of other hosts arrive before the server has the mutation.
/// So it must follow from its properties and from the rows that it reads: identifiers, dates and random numbers are properties. Program and
/// server agree about it by its name, so the name never changes.
///
/// Rows of collections that stay in the file are changed by the first run alone.
public protocol YapMutation: Codable, Sendable {
    /// The name under which it is stored. It stays the same in all versions of the program.
    static var mutationName: String { get }
    /// Which version of its properties this program writes. One that is newer than the program knows waits. Initially 1.
    static var mutationVersion: Int { get }
    /// Whether what it writes depends on nothing but its properties and the rows that it writes. Then commits of other hosts that change
    /// other rows do not make it run again. Initially false.
    static var dependsOnlyOnItsRows: Bool { get }

    /// Makes the change.
    ///
    /// Runs in a write transaction, possibly several times, on the thread that writes.
    ///
    /// - Throws: an error if the change cannot be made in this state. The first time, `YapDatabaseConnection.mutate` throws it and
    ///   nothing is stored; later, the mutation is rejected: ``YapMutationRecord``.
    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws
}

extension YapMutation {
    /// 1
    public static var mutationVersion: Int { 1 }
    /// False
    public static var dependsOnlyOnItsRows: Bool { false }
}

/// The mutations that a program knows, by name.
package final class MutationTypes: Sendable {
    private let types = Locked<[String: any YapMutation.Type]>([:])

    /// What can be done with the arguments of a stored mutation.
    package enum Decoded {
        case known(any YapMutation)
        /// The reason why it waits for a program that knows it.
        case unknown(String)
    }

    /// - Returns: whether it was not known before.
    func add(_ type: any YapMutation.Type) -> Bool {
        types.withLock { types in
            let before = types.updateValue(type, forKey: type.mutationName)
            require(
                before == nil || before == type,
                "Two mutations have the name \"\(type.mutationName)\": \(before.map { "\($0)" } ?? "") and \(type).")
            return before == nil
        }
    }

    package func knows(_ name: String, version: Int) -> Bool {
        types.withLock { $0[name].map { version <= $0.mutationVersion } ?? false }
    }

    /// Whether a mutation reads nothing but the rows that it writes; false for an unknown one.
    package func dependsOnlyOnItsRows(_ name: String) -> Bool {
        types.withLock { $0[name]?.dependsOnlyOnItsRows ?? false }
    }

    /// - Throws: what decoding throws, if the arguments are not those of the type.
    package func decoded(_ name: String, version: Int, _ arguments: String) throws -> Decoded {
        guard let type = types.withLock({ $0[name] }) else {
            return .unknown("This program does not know the mutation \"\(name)\".")
        }
        guard version <= type.mutationVersion else {
            return .unknown(
                "The mutation \"\(name)\" has version \(version), and this program knows \(type.mutationVersion).")
        }
        return .known(try Self.decode(type, arguments))
    }

    private static func decode<Mutation: YapMutation>(_ type: Mutation.Type, _ arguments: String) throws -> Mutation {
        var arguments = arguments
        return try arguments.withUTF8 { bytes in
            try YapDatabaseCodableFormat.json.decode(type, UnsafeRawBufferPointer(bytes))
        }
    }
}

extension YapDatabase {
    /// Makes types of mutations known by their names, so that this program can run stored mutations again, also those of its earlier runs.
    ///
    /// Call it after opening, when the lists and indexes that mutations read are registered. A stored mutation whose type is not known, or that reads
    /// an extension that is not registered, stays as it was applied. It is sent when the type and the extension are there.
    ///
    /// ```swift
    /// database.registerMutations(Say.self, Edit.self)
    /// ```
    public func registerMutations(_ types: any YapMutation.Type...) {
        var isNew = false
        for type in types where mutationTypes.add(type) { isNew = true }
        if isNew { authority?.mutationsChanged() }
    }
}

/// What a mutation changes is kept as it was.
package struct ReplacedRowRecording {
    /// The number of the mutation.
    let mutation: Int
    let collections: YapDatabaseServerCollections
    /// Called with each row of another collection before it changes; nil in the first run of a mutation, which alone changes these for good.
    let willReplaceOther: ((RowKey) throws -> Void)?

    package init(
        mutation: Int, collections: YapDatabaseServerCollections, willReplaceOther: ((RowKey) throws -> Void)? = nil
    ) {
        (self.mutation, self.collections, self.willReplaceOther) = (mutation, collections, willReplaceOther)
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Called before a row is inserted, changed or removed.
    @inline(__always) func willReplace(_ key: RowKey) throws {
        if let recording { try note(key, recording) }
    }

    /// Called before all rows of a collection are removed; nil for all collections.
    func willReplaceAll(inCollection collection: String?) throws {
        guard let recording else { return }
        guard let collection else {
            throw YapDatabaseError(
                .badOperation,
                "A mutation cannot remove all rows of all collections. Remove them collection by collection.")
        }
        if recording.collections.contains(collection) {
            try store.noteReplaced(collection: collection, by: recording.mutation)
        } else if recording.willReplaceOther != nil {
            for key in try allKeys(inCollection: collection) {
                try note(RowKey(collection: collection, key: key), recording)
            }
        }
    }

    private func note(_ key: RowKey, _ recording: ReplacedRowRecording) throws {
        if recording.collections.contains(key.collection) {
            try store.noteReplaced(key, by: recording.mutation)
        } else {
            try recording.willReplaceOther?(key)
        }
    }
}
