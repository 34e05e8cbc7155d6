import FileEngine
import ListChanges

/// Derives a row for each row of a collection that has, or may lack, the row of another one whose key it names.
///
/// - Parameters:
///   - Named: the type of the rows that are named.
///   - Other: the same, or an optional in a join whose rows may lack it.
struct JoinDerivation<Row: Codable & Sendable, Named: Codable & Sendable, Other: Codable & Sendable>: RowwiseDerivation
{
    typealias Joined = YapJoinedRow<Row, Other>

    let list: String
    let source: String
    /// The collection of the rows that are named.
    let others: String
    /// The key that a row names, as it is stored; nil for none.
    let reference: @Sendable (Row) -> String?
    /// Nil for a row that is in no list without the other one.
    let join: @Sendable (Row, Named?) -> Joined?
    let versionTag: String

    var joined: String? { others }

    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        // A row that names none has an entry too: a joined row may need none.
        DerivedEntry(key: row.key.key, place: reference(try row.place(of: Row.self).pointee) ?? "", values: [])
    }

    /// What cannot be decoded counts as missing.
    func derived(from row: Row, key: String, _ reader: SourceReader) throws -> [(key: String, value: Joined)] {
        let other = try reference(row).flatMap { named in
            try reader.value(of: Named.self, ofRow: RowKey(collection: others, key: named))
        }
        return join(row, other).map { [(key, $0)] } ?? []
    }

    func copyToReplace(
        _ key: RowKey, _ transaction: YapDatabaseReadWriteTransaction
    ) throws -> PartToReplace<SourceCopy<Row>>? {
        try transaction.partToReplace(key) { (joined: Joined) in SourceCopy(row: joined.row) }
    }
}
