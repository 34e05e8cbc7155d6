import FileEngine

/// What a derived row follows from: the rows that a join brings together, the row that stands in several groups, or the group that it is about.
package enum RowOrigin: Hashable, Sendable {
    /// A row, and the field of the derived row that has a copy of it: `row`, `other`, and `row.other` in a join of joined rows.
    case row(Int64, BrowsedRow.Address, field: String)
    /// A group of the view with this name.
    case group(view: String, name: String)
}

extension FileSnapshot {
    /// How often rows may be derived from derived rows that are in no list.
    private static let maxDepth = 4

    /// Returns what a derived row follows from, as far as the file says it; nothing for a row that a program wrote. A derived row that no list has is
    /// replaced by what it follows from. A few searches for each row.
    package func origins(of address: BrowsedRow.Address, in catalog: Catalog) throws -> [RowOrigin] {
        try origins(of: address, in: catalog, within: "", depth: 0)
    }

    private func origins(
        of address: BrowsedRow.Address, in catalog: Catalog, within field: String, depth: Int
    ) throws -> [RowOrigin] {
        guard depth < Self.maxDepth, let name = address.collection.derivingExtension,
            let derivation = catalog.derivations[name]
        else { return [] }
        let origins = try rowOrigins(of: address.key, name, derivation)
        if origins.isEmpty, let view = derivation.groupedView(among: catalog.views) {
            return [.group(view: view, name: address.key.text)]
        }
        return try origins.flatMap { origin -> [RowOrigin] in
            let path = field.isEmpty ? origin.field : "\(field).\(origin.field)"
            let shown = RowOrigin.row(origin.rowid, origin.address, field: path)
            guard RowTable.isDerived(origin.rowid), try derivedPlace(of: origin.rowid, in: catalog) == nil else {
                return [shown]
            }
            let before = try self.origins(of: origin.address, in: catalog, within: path, depth: depth + 1)
            return before.isEmpty ? [shown] : before
        }
    }

    /// Returns the first place of a derived row, which is in no collection that could be shown; nil for a row that a program wrote.
    package func derivedPlace(of rowid: Int64, in catalog: Catalog) throws -> ViewPlace? {
        RowTable.isDerived(rowid) ? try places(of: rowid, in: catalog).first : nil
    }

    private typealias Found = (rowid: Int64, address: BrowsedRow.Address, field: String)

    /// Returns the source row of a derived row, and the row that it names. The entry of the source row says that it is the one.
    private func rowOrigins(
        of key: StoredText, _ name: String, _ derivation: Catalog.Derivation
    ) throws -> [Found] {
        let table = TableOwner.Kind.derived.rawValue + "_" + name
        guard schema.tables[table]?.has("key", "place") == true else { return [] }
        for source in derivation.sources {
            // The key of a row in several groups begins with that of the source row.
            for wanted in [key, key.beginning].compactMap(\.self) {
                guard let rowid = try rowid(source, wanted) else { continue }
                let entry = try read { store in
                    try store.first(
                        #"SELECT "key", "place" FROM \#(table.quotedSQL) WHERE rowid = ?"#,
                        bind: { try $0.bind(rowid, at: 1) }
                    ) { (StoredText($0, at: 0), StoredText($0, at: 1)) }
                }
                guard let (known, place) = entry, known == wanted else { continue }
                let row = Found(rowid, .init(collection: source, key: wanted), "row")
                return [row] + (try named(place, by: source, derivation).map { [$0] } ?? [])
            }
        }
        return []
    }

    /// Returns the row of another collection that a source row names by its key; a collection may be joined with itself.
    private func named(
        _ key: StoredText, by source: StoredText, _ derivation: Catalog.Derivation
    ) throws -> Found? {
        guard !key.bytes.isEmpty else { return nil }
        let others = derivation.sources.count > 1 ? derivation.sources.filter { $0 != source } : [source]
        for other in others {
            if let rowid = try rowid(other, key) {
                return (rowid, .init(collection: other, key: key), "other")
            }
        }
        return nil
    }
}

extension StoredText {
    /// What a key begins with behind the number of its bytes, as in `9:#lunch-11Bob`; nil if it does not begin so.
    fileprivate var beginning: StoredText? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(String(decoding: bytes[..<colon], as: UTF8.self)), count >= 0,
            count <= bytes.count - colon - 1
        else { return nil }
        return StoredText(Array(bytes[(colon + 1)..<(colon + 1 + count)]), isBlob: isBlob)
    }
}
