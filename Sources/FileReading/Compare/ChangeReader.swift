import FileEngine
import ObjectDecoding

/// Reads what changed again, in both files. Safe on any thread.
package struct ChangeReader: Sendable {
    package let first: FileSnapshot
    package let second: FileSnapshot
    private let decoder = RowDecoder()

    package init(_ first: FileSnapshot, _ second: FileSnapshot) { (self.first, self.second) = (first, second) }

    /// Returns the values of a change in both files. Costs two lookups and the decoding of two rows.
    /// - Parameter valueBytes: the most bytes of a value that are read.
    package func details(of change: FileChange, valueBytes: Int = FileSnapshot.valueBytes) throws -> ChangeDetails {
        guard let address = change.address else { return ChangeDetails(change: change) }
        let before = try Self.row(address, first, valueBytes)
        let after = try Self.row(address, second, valueBytes)
        var details = ChangeDetails(change: change, before: before, after: after)
        details.object = differences(before, after, \.object)
        details.metadata = differences(before, after, \.metadata)
        details.values = (
            before.flatMap { decoder.object(of: $0)?.value }, after.flatMap { decoder.object(of: $0)?.value }
        )
        return details
    }

    private static func row(
        _ address: BrowsedRow.Address, _ snapshot: FileSnapshot, _ valueBytes: Int
    ) throws -> BrowsedRow? {
        try snapshot.rowid(address.collection, address.key).map { try snapshot.row($0, valueBytes: valueBytes) }
    }

    private func differences(
        _ before: BrowsedRow?, _ after: BrowsedRow?, _ part: KeyPath<BrowsedRow, StoredValue?>
    ) -> [FieldDifference] {
        let (old, new) = (before.flatMap { $0[keyPath: part] }, after.flatMap { $0[keyPath: part] })
        return decoder.differences(old, of: before, new, of: after)
    }
}

/// The values of a change in both files.
package struct ChangeDetails: Sendable {
    package let change: FileChange
    /// Nil where the file does not have the row.
    package var before: BrowsedRow?
    package var after: BrowsedRow?
    package var object: [FieldDifference] = []
    package var metadata: [FieldDifference] = []
    /// The decoded objects.
    package var values: (before: DecodedValue?, after: DecodedValue?) = (nil, nil)

    /// The fields that both objects have alike, in their order.
    package var equalFields: [DecodedField] {
        guard let old = values.before?.fields, let new = values.after?.fields else { return [] }
        let other = Dictionary(new.compactMap { field in field.name.map { ($0, field.value) } }) { first, _ in first }
        return old.filter { field in field.name.map { other[$0] == field.value } ?? false }
    }

    /// The fields that differ, in one line: `price 20 → 25, title "Dune" → nothing`; of a row of one file alone its content.
    package func summary(limit: Int = 200) -> String {
        switch change {
        case .row(_, .inserted): return values.after?.summary(limit: limit) ?? ""
        case .row(_, .deleted): return values.before?.summary(limit: limit) ?? ""
        case .row:
            let fields = object.prefix(8).map { $0.text } + metadata.prefix(8).map { "metadata " + $0.text }
            return fields.joined(separator: ", ")
        default: return ""
        }
    }
}

extension FieldDifference {
    /// The place without the `$` of the whole value, and both sides.
    fileprivate var text: String {
        let name = path.description.hasPrefix("$.") ? String(path.description.dropFirst(2)) : path.description
        return "\(name) \(Self.text(before)) → \(Self.text(after))"
    }

    private static func text(_ value: DecodedValue?) -> String { value?.summary(limit: 40) ?? "nothing" }
}
