import FileReading

/// The tree in sections, with its present folding.
struct TreeRows: Sendable {
    struct Section: Hashable, Sendable {
        var title: String
        var detail: String
        var rows: [TreeRow]
    }

    private(set) var sections: [Section] = []

    static let empty = TreeRows(sections: [])

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
        add("Others", count: catalog.others.count, maker.others)
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
