import Foundation
import ListChanges

/// The codings of all collections: an immutable value that a transaction takes when it begins.
struct CodingTable: Sendable {
    /// One of a row's two values: its object or its metadata.
    enum Role: CaseIterable, Sendable {
        case object
        case metadata
    }

    private struct Contents: Sendable {
        var objects = Codings()
        var metadata = Codings()
        /// The types, and their formats, of the collections whose encoding a ``YapCollection`` has chosen.
        var declared: [ExactString: DeclaredCoding] = [:]
        /// The collections that registered lists and indexes read.
        var readByExtensions: Set<ExactString> = []
    }

    /// One object, because each transaction takes a copy.
    private final class Shared: Sendable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }

    private var shared = Shared(Contents())
    /// Counts the changes.
    private(set) var version = 0

    private struct Codings: Sendable {
        var common = CodingParts()
        /// The codings registered for single collections.
        var own: [ExactString: CodingParts] = [:]

        func coding(_ collection: String) -> ValueCoding {
            var coding = ValueCoding.keyedArchive
            common.apply(to: &coding)
            own[ExactString(collection)]?.apply(to: &coding)
            return coding
        }
    }

    /// Returns the codings of a collection.
    func row(_ collection: String) -> RowCoding {
        RowCoding(
            collection: collection, object: shared.contents.objects.coding(collection),
            metadata: shared.contents.metadata.coding(collection))
    }

    /// How a ``YapCollection`` has chosen to encode the objects of its collection; nil if none has.
    func declaredCoding(of collection: String) -> DeclaredCoding? {
        shared.contents.declared[ExactString(collection)]
    }

    /// The format of a collection's objects, if a ``YapCollection`` has chosen to encode them as values of that type.
    func format<Value>(of type: Value.Type, in collection: String) -> YapDatabaseCodableFormat? {
        declaredCoding(of: collection).flatMap { $0.type == ObjectIdentifier(type) ? $0.format : nil }
    }

    /// Makes `Codable` the encoding of a collection's objects.
    mutating func declare<Value: Codable & SendableMetatype>(
        _ type: Value.Type, _ format: YapDatabaseCodableFormat, in collection: String
    ) {
        change(.object, collection) { $0.setCodable(type, format) }
        change { $0.declared[ExactString(collection)] = DeclaredCoding(collection, ObjectIdentifier(type), format) }
    }

    /// Keeps the encoding of a collection as the one by which registered lists and indexes read it.
    mutating func keepForExtensions(_ collection: String) {
        if !isReadByExtensions(collection) { change { $0.readByExtensions.insert(ExactString(collection)) } }
    }

    func isReadByExtensions(_ collection: String) -> Bool {
        shared.contents.readByExtensions.contains(ExactString(collection))
    }

    /// Gives the table a version that no table of a database has: it is the table of one transaction alone.
    mutating func leaveDatabase() { if version >= 0 { version -= 1 << 48 } }

    mutating func change(_ role: Role, _ collection: String, _ change: (inout CodingParts) -> Void) {
        version += 1
        self.change {
            if role == .object { $0.declared[ExactString(collection)] = nil }
            change(&$0[keyPath: Self.path(role)].own[ExactString(collection), default: CodingParts()])
        }
    }

    mutating func changeDefault(_ role: Role, _ change: (inout CodingParts) -> Void) {
        version += 1
        self.change { change(&$0[keyPath: Self.path(role)].common) }
    }

    private mutating func change(_ change: (inout Contents) -> Void) {
        var contents = shared.contents
        change(&contents)
        shared = Shared(contents)
    }

    private static func path(_ role: Role) -> WritableKeyPath<Contents, Codings> {
        role == .object ? \.objects : \.metadata
    }
}

/// How the objects of a collection are encoded that is declared as a ``YapCollection``.
final class DeclaredCoding: Sendable {
    let collection: String
    let type: ObjectIdentifier
    let format: YapDatabaseCodableFormat

    init(_ collection: String, _ type: ObjectIdentifier, _ format: YapDatabaseCodableFormat) {
        (self.collection, self.type, self.format) = (collection, type, format)
    }
}
