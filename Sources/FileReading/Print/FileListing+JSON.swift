import FileEngine
import ListChanges

extension FileListing {
    /// The listing as one JSON object in one line.
    package var json: [UInt8] {
        var json = JSONObject()
        json.add("collections", collections) { collection, json in
            json.add("name", collection.name)
            if let count = collection.count { json.add("count", count) }
            if let bytes = space?.collections[collection.name]?.bytes { json.add("bytes", bytes) }
        }
        json.add("views", views) { view, json in view.fill(&json, bytes: bytes(.view, view.view.name)) }
        json.add("indexes", catalog.indexes) { fill(index: $0, .secondaryIndex, &$1) }
        json.add("fullText", catalog.fullText) { index, json in
            json.add("name", index.name)
            json.add("version", index.version)
            json.add("versionTag", index.versionTag)
            json.add("columns", index.columns)
            if let count = rows[index.table] { json.add("count", count) }
            if let bytes = bytes(.fts, index.name) { json.add("bytes", bytes) }
        }
        json.add("relationships", catalog.relationships) { relationship, json in
            json.add("name", relationship.name)
            json.add("versionTag", relationship.versionTag)
            if let count = rows[relationship.table] { json.add("count", count) }
            if let bytes = bytes(.relationship, relationship.name) { json.add("bytes", bytes) }
        }
        json.add("rTrees", catalog.rTrees) { fill(index: $0, .rTreeIndex, &$1) }
        json.add("others", catalog.others.sorted { $0.key < $1.key }) { other, json in
            json.add("name", other.key)
            json.add("class", other.value)
        }
        json.add("tables", catalog.tables) { table, json in
            json.add("name", table.name)
            json.add("columns", table.columns)
            json.add("hasRowids", table.hasRowid)
            if let count = rows[table.name] { json.add("count", count) }
            if let bytes = space?.bytes[.table(ExactString(table.name))] { json.add("bytes", bytes) }
        }
        json.add("sqlViews", catalog.sqlViews)
        json.add("yap2", catalog.smallValues)
        var file = JSONObject()
        fill(file: &file)
        json.add("file") { $0 += file.closed() }
        if !notes.isEmpty { json.add("notes", notes) }
        return TerminalSafe.json(json.closed())
    }

    private func fill(index: Catalog.Index, _ kind: TableOwner.Kind, _ json: inout JSONObject) {
        json.add("name", index.name)
        json.add("versionTag", index.versionTag)
        json.add("columns", index.columns)
        if let count = rows[index.table] { json.add("count", count) }
        if let bytes = bytes(kind, index.name) { json.add("bytes", bytes) }
    }

    private func fill(file json: inout JSONObject) {
        let facts = catalog.facts
        json.add("path", path)
        json.add("size", facts.size)
        json.add("walSize", facts.logSize)
        json.add("pageSize", facts.pageSize)
        json.add("pages", facts.pages)
        json.add("freePages", facts.freePages)
        if let snapshot = facts.snapshot { json.add("snapshot", snapshot) }
        json.add("userVersion", facts.userVersion)
        json.add("applicationID", facts.applicationID)
        json.add("encoding", facts.encoding)
        if let space {
            json.add("rowBytes", space.bytes[.rows] ?? 0)
            json.add("keyBytes", space.bytes[.keys] ?? 0)
            json.add("yap2Bytes", space.bytes[.smallValues] ?? 0)
            json.add("schemaBytes", space.bytes[.schema] ?? 0)
            json.add("freeBytes", space.free)
            json.add("otherBytes", space.rest)
        }
        if let followed = facts.followed {
            json.add("follows", followed.name)
            json.add("followsCommit", followed.number)
        }
    }
}

extension FileListing.View {
    fileprivate func fill(_ json: inout JSONObject, bytes: Int?) {
        json.add("name", view.name)
        if let bytes { json.add("bytes", bytes) }
        json.add("class", view.className)
        json.add("versionTag", view.versionTag)
        json.add("groups", groups) { group, json in
            json.add("name", group.name)
            json.add("count", group.count)
        }
        json.add("damaged", !damage.isEmpty)
        if !damage.isEmpty { json.add("damage", damage) }
    }
}
