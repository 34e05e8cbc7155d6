/// The content of a list in one snapshot: its sections, each with the keys of its rows in order.
public struct ListSnapshot: Hashable, Sendable {
    /// A section of the list: its group and the keys of its rows.
    public struct Section: Hashable, Sendable {
        /// The name of the group that the section shows.
        public var group: String
        /// The keys of the rows, from the first to the last.
        public var rows: [RowKey]

        /// Creates a section of rows in their order.
        /// - Parameters:
        ///   - group: the name of the group.
        ///   - rows: the keys of the rows, from the first to the last.
        public init(group: String, rows: [RowKey]) {
            self.group = group
            self.rows = rows
        }
    }

    /// The sections, from the first to the last.
    public var sections: [Section]

    /// Creates a list of the given sections; an empty one by default.
    ///
    /// ```swift
    /// let before = ListSnapshot(sections: [.init(group: "A", rows: [RowKey(collection: "books", key: "dune")])])
    /// print(before[RowPath(section: 0, row: 0)]?.key ?? "none")   // dune
    /// ```
    public init(sections: [Section] = []) {
        self.sections = sections
    }

    /// The row at `path`; nil if there is none.
    ///
    /// Example: ``init(sections:)``.
    public subscript(path: RowPath) -> RowKey? {
        guard sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].rows[path.row]
    }
}

extension ListSnapshot {
    /// Creates the content that mappings show of a view. `key` returns the row at a group and index.
    ///
    /// O(rows shown).
    ///
    /// - Parameters:
    ///   - mappings: what is shown.
    ///   - key: returns the row at a position of a group; called on the calling thread, once for each row that is shown.
    /// - Throws: what `key` throws.
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
