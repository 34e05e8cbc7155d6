import FileReading
import LiveTable

/// Gives a table the rows of the tree.
struct TreeSource: TableSource {
    let rows: TreeRows
    let theme: Theme

    var numberOfSections: Int { rows.sections.count }
    func numberOfRows(in section: Int) -> Int { rows.sections[section].rows.count }

    func header(of section: Int) -> SectionHeader? {
        SectionHeader(rows.sections[section].title, detail: rows.sections[section].detail)
    }

    func key(at path: RowPath) -> RowKey { rows[path].item.rowKey }
    func path(of key: RowKey) -> RowPath? { rows.path { $0.item.rowKey == key } }
    func cell(at path: RowPath, width: Int) -> RowCell { rows[path].cell(width: width, theme: theme) }
}

extension TreeRows {
    subscript(path: RowPath) -> TreeRow { sections[path.section].rows[path.row] }

    func row(at path: RowPath?) -> TreeRow? {
        guard let path, sections.indices.contains(path.section), sections[path.section].rows.indices.contains(path.row)
        else { return nil }
        return self[path]
    }

    func path(of item: TreeItem) -> RowPath? { path { $0.item == item } }

    func path(where isWanted: (TreeRow) -> Bool) -> RowPath? {
        for (index, section) in sections.enumerated() {
            if let row = section.rows.firstIndex(where: isWanted) { return RowPath(section: index, row: row) }
        }
        return nil
    }
}

extension TreeItem {
    /// The identity in the table.
    var rowKey: RowKey {
        switch self {
        case .collection(let name): RowKey(collection: name.isBlob ? "collection blob" : "collection", key: name.text)
        case .view(let name): RowKey(collection: "view", key: name)
        case .group(let view, let name): RowKey(collection: "group of \(view)", key: name)
        case .index(let name): RowKey(collection: "index", key: name)
        case .column(let index, let name): RowKey(collection: "column of \(index)", key: name)
        case .fullText(let name): RowKey(collection: "full text", key: name)
        case .relationship(let name): RowKey(collection: "relationship", key: name)
        case .rTree(let name): RowKey(collection: "R-tree", key: name)
        case .bound(let rTree, let name): RowKey(collection: "bound of \(rTree)", key: name)
        case .other(let name): RowKey(collection: "other", key: name)
        case .smallValues: RowKey(collection: "yap2", key: "")
        case .fact(let name): RowKey(collection: "fact", key: name)
        case .note(let text): RowKey(collection: "note", key: text)
        }
    }
}
