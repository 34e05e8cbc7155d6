import FileEngine
import ListChanges

/// Derives a row for each group of a row that stands in several.
struct EachGroupDerivation<Row: Codable & Sendable, Group: Codable & Sendable>: RowwiseDerivation {
    let list: String
    let source: String
    /// The groups of a row, by their names; each once.
    let groups: @Sendable (Row) -> [(name: String, group: Group)]
    let versionTag: String

    var isPartOfList: Bool { true }

    /// The place has the names of all groups.
    func entry(of row: RowContent, in transaction: YapDatabaseReadTransaction) throws -> DerivedEntry? {
        let names = groups(try row.place(of: Row.self).pointee).map { $0.name }
        return names.isEmpty ? nil : DerivedEntry(key: row.key.key, place: GroupNames(names).stored, values: [])
    }

    func derived(
        from row: Row, key: String, _ reader: SourceReader
    ) throws -> [(key: String, value: YapPlacedRow<Row, Group>)] {
        groups(row).map { (Self.key($0.name, key), YapPlacedRow(group: $0.group, row: row)) }
    }

    func derivedKeys(of entry: DerivedEntry) -> [String] {
        GroupNames(stored: entry.place).names.map { Self.key($0, entry.key) }
    }

    private static func key(_ group: String, _ key: String) -> String {
        YapPlacedKey<String>(group: group, key: key).storedKey
    }
}

/// Names of groups as one text: each after the number of its bytes.
struct GroupNames {
    let names: [String]

    init(_ names: [String]) { self.names = names }

    /// - Parameter stored: of a file, so of any form: what cannot be read ends it.
    init(stored: String) {
        var (names, rest): ([String], Substring.UTF8View) = ([], Substring(stored).utf8)
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")), let count = Int(Substring(rest[..<colon])) {
            let start = rest.index(after: colon)
            // A number that is too large would overflow before it is found to lead beyond the end.
            guard 0...stored.utf8.count ~= count,
                let end = rest.index(start, offsetBy: count, limitedBy: rest.endIndex),
                let name = String(rest[start..<end])
            else { break }
            names.append(name)
            rest = rest[end...]
        }
        self.names = names
    }

    var stored: String { names.map { "\($0.utf8.count):\($0)" }.joined() }
}
