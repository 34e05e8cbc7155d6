/// The content of a list in one snapshot: its sections, each with the keys of its rows in order.
public struct ListSnapshot: Hashable, Sendable {
    public struct Section: Hashable, Sendable {
        public var group: String
        public var rows: [RowKey]

        public init(group: String, rows: [RowKey]) {
            self.group = group
            self.rows = rows
        }
    }

    public var sections: [Section]

    public init(sections: [Section] = []) {
        self.sections = sections
    }

    /// The row at `path`; nil if there is none.
    public subscript(path: RowPath) -> RowKey? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }
}

extension ListSnapshot {
    /// Creates the content that mappings show of a view. `key` returns the row at a group and index.
    public init(_ mappings: Mappings, key: (_ group: String, _ index: Int) throws -> RowKey) rethrows {
        self.init()
        for (section, group) in mappings.visibleGroups.enumerated() {
            let rows = try (0..<mappings.numberOfItems(inSection: section)).map { row in
                guard let found = mappings.groupAndIndex(at: RowPath(section: section, row: row)) else {
                    fatalError("Mappings count a row that they cannot place: \(section), \(row).")
                }
                return try key(found.group, found.index)
            }
            sections.append(Section(group: group, rows: rows))
        }
    }
}
