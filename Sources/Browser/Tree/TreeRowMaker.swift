import FileReading
import ListChanges

/// Makes the lines of the tree's parts.
struct TreeRowMaker {
    let known: TreeKnowledge
    let open: Set<TreeItem>
    let marked: Set<TreeItem>

    private var catalog: Catalog { known.catalog }

    /// What exists but is not in the tree.
    private var hidden: [String] {
        guard catalog.hasMoreCollections, catalog.collections.count >= FileSnapshot.collectionLimit else { return [] }
        return [
            "Only the first \(RowCount(FileSnapshot.collectionLimit)) collections are in this list. Rows of any other are "
                + "shown by: yap browse --collection NAME FILE"
        ]
    }

    var notes: [TreeRow] {
        (known.notes + catalog.damage + hidden).map { TreeRow(item: .note($0), title: $0) }
    }

    var collections: [TreeRow] {
        catalog.collections.map { name in
            let item = TreeItem.collection(name)
            return TreeRow(
                item: item, title: name.bytes.isEmpty ? "(no name)" : name.text,
                detail: known.showsSpace
                    ? known.space.map { FileFacts.bytes($0.collections[name]?.bytes ?? 0) } ?? "…"
                    : known.counts[name]?.description ?? "", isDamaged: known.uncounted.contains(name),
                isMarked: marked.contains(item))
        }
    }

    func rows(ofView view: Catalog.View) -> [TreeRow] {
        let item = TreeItem.view(view.name)
        let damage = known.damage(ofView: view.name)
        let kind = view.className.map { $0.replacing("YapDatabase", with: "") } ?? ""
        let tag = view.versionTag.map { $0.isEmpty ? "" : "\"\($0)\"" } ?? ""
        let head = TreeRow(
            item: item, fold: fold(item), title: view.name,
            detail: bytes(.extension(.view, view.name)) ?? [kind, tag].filter { !$0.isEmpty }.joined(separator: " "),
            isDamaged: !damage.isEmpty)
        guard open.contains(item) else { return [head] }
        let sentences = damage.map { TreeRow(item: .note($0), depth: 3, title: $0, isDamaged: true) }
        return [head] + sentences + groups(ofView: view.name)
    }

    func rows(ofIndex index: Catalog.Index) -> [TreeRow] {
        let item = TreeItem.index(index.name)
        let head = TreeRow(
            item: item, fold: fold(item), title: index.name,
            detail: bytes(.extension(.secondaryIndex, index.name)) ?? tag(index.versionTag))
        guard open.contains(item) else { return [head] }
        return [head]
            + index.columns.map {
                TreeRow(item: .column(index: index.name, name: $0), depth: 3, title: "by \($0)")
            }
    }

    func row(ofFullText index: Catalog.FullText) -> TreeRow {
        TreeRow(
            item: .fullText(index.name), title: index.name,
            detail: bytes(.extension(.fts, index.name)) ?? index.version ?? tag(index.versionTag))
    }

    func row(ofRelationship relationship: Catalog.Relationship) -> TreeRow {
        TreeRow(
            item: .relationship(relationship.name), title: relationship.name,
            detail: bytes(.extension(.relationship, relationship.name)) ?? tag(relationship.versionTag))
    }

    func rows(ofRTree index: Catalog.Index) -> [TreeRow] {
        let item = TreeItem.rTree(index.name)
        let head = TreeRow(
            item: item, fold: fold(item), title: index.name,
            detail: bytes(.extension(.rTreeIndex, index.name)) ?? tag(index.versionTag))
        guard open.contains(item) else { return [head] }
        return [head]
            + index.columns.filter { $0 != "rowid" }.map {
                TreeRow(item: .bound(rTree: index.name, name: $0), depth: 3, title: $0)
            }
    }

    var others: [TreeRow] {
        catalog.others.sorted { $0.key < $1.key }.map { name, className in
            TreeRow(item: .other(name), title: name, detail: className.replacing("YapDatabase", with: ""))
        } + catalog.sqlViews.map { TreeRow(item: .other($0), title: $0, detail: "SQL view, not run") }
    }

    var tables: [TreeRow] {
        catalog.tables.map { table in
            let columns = table.columns.count == 1 ? "1 column" : "\(table.columns.count) columns"
            let detail = table.columns.isEmpty ? "no module here" : columns
            return TreeRow(
                item: .table(table.name), title: table.name, detail: bytes(.table(ExactString(table.name))) ?? detail)
        }
    }

    /// The bytes that something takes, if they are shown.
    func bytes(_ owner: FileSpace.Owner) -> String? {
        guard known.showsSpace else { return nil }
        return known.space.map { FileFacts.bytes($0.bytes[owner] ?? 0) } ?? "…"
    }

    var file: [TreeRow] {
        let values = TreeRow(
            item: .smallValues, title: "yap2",
            detail: bytes(.smallValues) ?? RowCount(catalog.smallValues).description)
        return (catalog.smallValues > 0 ? [values] : [])
            + (catalog.facts.named + spaceFacts).map { TreeRow(item: .fact($0.name), title: $0.name, detail: $0.value) }
    }

    private var spaceFacts: [(name: String, value: String)] {
        guard known.showsSpace, let space = known.space else { return [] }
        return [
            ("all rows", space.bytes[.rows] ?? 0), ("index of the keys", space.bytes[.keys] ?? 0),
            ("schema", space.bytes[.schema] ?? 0), ("other pages", space.rest),
        ].map { ($0.0, FileFacts.bytes($0.1)) }
    }

    private func groups(ofView name: String) -> [TreeRow] {
        guard let pages = known.pages[name] else {
            return known.failures[name] == nil
                ? [TreeRow(item: .note("reading \(name)…"), depth: 3, title: "reading…")] : []
        }
        return pages.groups.map { group in
            let item = TreeItem.group(view: name, name: group.name)
            return TreeRow(
                item: item, depth: 3, title: group.name.isEmpty ? "(no name)" : group.name,
                detail: RowCount(group.count).description, isMarked: marked.contains(item))
        }
    }

    private func fold(_ item: TreeItem) -> TreeRow.Fold { open.contains(item) ? .open : .closed }

    private func tag(_ versionTag: String?) -> String {
        versionTag.map { $0.isEmpty ? "" : "\"\($0)\"" } ?? ""
    }
}
