import FileReading
import ScreenPrograms

/// The tree in sections, with its present folding.
struct TreeSections: Sendable {
    struct Section: Hashable, Sendable {
        var title: String
        var detail: String
        var rows: [TreeRow]
    }

    private(set) var sections: [Section] = []

    static let empty = TreeSections(sections: [])

    private init(sections: [Section]) { self.sections = sections }

    /// - Parameters:
    ///   - open: The unfolded items.
    ///   - marked: The marked items.
    init(_ known: TreeKnowledge, open: Set<TreeItem>, marked: Set<TreeItem> = []) {
        let maker = TreeRowMaker(known: known, open: open, marked: marked)
        let catalog = known.catalog
        let more = catalog.hasMoreCollections ? "+" : ""
        add("Collections", detail: "\(RowCount(catalog.collections.count).description)\(more)", maker.collections)
        add("Views", count: catalog.views.count, catalog.views.flatMap(maker.rows(ofView:)))
        add("Indexes", count: catalog.indexes.count, catalog.indexes.flatMap(maker.rows(ofIndex:)))
        add("Full text", count: catalog.fullText.count, catalog.fullText.map(maker.row(ofFullText:)))
        add("Relationships", count: catalog.relationships.count, catalog.relationships.map(maker.row(ofRelationship:)))
        add("R-trees", count: catalog.rTrees.count, catalog.rTrees.flatMap(maker.rows(ofRTree:)))
        add("Tables", count: catalog.tables.count, maker.tables)
        add("Others", count: maker.others.count, maker.others)
        // After the other sections, because damage must not hide anything.
        add("Notes", detail: "", maker.notes)
        add("File", detail: "", maker.file)
    }

    private mutating func add(_ title: String, count: Int, _ rows: [TreeRow]) {
        add(title, detail: RowCount(count).description, rows)
    }

    private mutating func add(_ title: String, detail: String, _ rows: [TreeRow]) {
        if !rows.isEmpty { sections.append(Section(title: title, detail: detail, rows: rows)) }
    }
}

extension TreeSections {
    /// Returns the changes that lead to the tree after a commit. Rows are ordered by name before and after, so nothing
    /// moves. O(n).
    func changes(to after: TreeSections) -> ChangeSet {
        var changes = ChangeSet()
        let old = Dictionary(sections.enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(
            after.sections.enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, section) in sections.enumerated() where new[section.title] == nil {
            changes.sectionChanges.append(SectionChange(type: .delete, index: index, group: section.title))
        }
        for (index, section) in after.sections.enumerated() {
            if let before = old[section.title] {
                changes.rowChanges += Self.changes(sections[before].rows, before, section.rows, index)
            } else {
                changes.sectionChanges.append(SectionChange(type: .insert, index: index, group: section.title))
            }
        }
        return changes
    }

    private static func changes(_ before: [TreeRow], _ oldSection: Int, _ after: [TreeRow], _ newSection: Int)
        -> [RowChange]
    {
        func change(_ type: ChangeType, _ item: TreeItem, _ old: Int?, _ new: Int?) -> RowChange {
            RowChange(
                type: type, flags: .object, key: item.rowKey, before: old.map { RowPath(section: oldSection, row: $0) },
                after: new.map { RowPath(section: newSection, row: $0) }, originalGroup: nil, finalGroup: nil)
        }
        let difference = after.map(\.item).difference(from: before.map(\.item))
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        var changes: [RowChange] = []
        for step in difference {
            switch step {
            case .remove(let offset, let item, _):
                removed.insert(offset)
                changes.append(change(.delete, item, offset, nil))
            case .insert(let offset, let item, _):
                inserted.insert(offset)
                changes.append(change(.insert, item, nil, offset))
            }
        }
        let stayed = zip(
            before.indices.filter { !removed.contains($0) }, after.indices.filter { !inserted.contains($0) })
        for (old, new) in stayed where before[old] != after[new] {
            changes.append(change(.update, after[new].item, old, new))
        }
        return changes
    }
}

/// Gives a table the rows of the tree.
struct TreeSource: TableSource {
    let rows: TreeSections
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

extension TreeSections {
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
        case .table(let name): RowKey(collection: "table", key: name)
        case .smallValues: RowKey(collection: "yap2", key: "")
        case .fact(let name): RowKey(collection: "fact", key: name)
        case .note(let text): RowKey(collection: "note", key: text)
        }
    }
}
