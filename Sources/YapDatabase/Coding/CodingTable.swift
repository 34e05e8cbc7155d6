import Foundation
import ListChanges

/// The codings of all collections: an immutable value that a transaction takes when it begins.
struct CodingTable: Sendable {
    /// Which of a row's two values.
    enum Role: CaseIterable, Sendable {
        case object
        case metadata
    }

    private var objects = Codings()
    private var metadata = Codings()

    private struct Codings: Sendable {
        var common = ValueCoding.keyedArchive
        /// Where a collection's coding differs from the common one.
        var own: [String: ValueCoding] = [:]
    }

    /// The codings of one collection.
    func row(_ collection: String) -> RowCoding {
        RowCoding(
            collection: collection, object: objects.own[collection] ?? objects.common,
            metadata: metadata.own[collection] ?? metadata.common)
    }

    mutating func change(_ role: Role, _ collection: String, _ change: (inout ValueCoding) -> Void) {
        var coding = role == .object ? row(collection).object : row(collection).metadata
        change(&coding)
        self[keyPath: Self.path(role)].own[collection] = coding
    }

    mutating func changeDefault(_ role: Role, _ change: (inout ValueCoding) -> Void) {
        change(&self[keyPath: Self.path(role)].common)
    }

    private static func path(_ role: Role) -> WritableKeyPath<CodingTable, Codings> {
        role == .object ? \.objects : \.metadata
    }
}
