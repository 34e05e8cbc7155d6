import Foundation
import ListChanges

/// The codings of all collections: an immutable value that a transaction takes when it begins.
struct CodingTable: Sendable {
    /// One of a row's two values: its object or its metadata.
    enum Role: CaseIterable, Sendable {
        case object
        case metadata
    }

    private var objects = Codings()
    private var metadata = Codings()
    /// Counts the changes.
    private(set) var version = 0
    /// The types of the collections whose encoding a ``YapCollection`` has chosen.
    private var valueTypes: [ExactString: ObjectIdentifier] = [:]

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
        RowCoding(collection: collection, object: objects.coding(collection), metadata: metadata.coding(collection))
    }

    /// The type of a collection's objects; nil unless a ``YapCollection`` has chosen the encoding.
    func valueType(of collection: String) -> ObjectIdentifier? { valueTypes[ExactString(collection)] }

    mutating func setValueType(_ type: Any.Type, of collection: String) {
        valueTypes[ExactString(collection)] = ObjectIdentifier(type)
    }

    mutating func change(_ role: Role, _ collection: String, _ change: (inout CodingParts) -> Void) {
        version += 1
        if role == .object { valueTypes[ExactString(collection)] = nil }
        change(&self[keyPath: Self.path(role)].own[ExactString(collection), default: CodingParts()])
    }

    mutating func changeDefault(_ role: Role, _ change: (inout CodingParts) -> Void) {
        version += 1
        change(&self[keyPath: Self.path(role)].common)
    }

    private static func path(_ role: Role) -> WritableKeyPath<CodingTable, Codings> {
        role == .object ? \.objects : \.metadata
    }
}
