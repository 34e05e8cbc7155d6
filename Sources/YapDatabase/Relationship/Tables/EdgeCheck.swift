import FileEngine
import SQLiteBridge

/// Checks the table of a relationship: each edge has a name, leads from a row that exists, and to one that exists or to a
/// file.
struct EdgeCheck {
    let store: Store
    let name: String

    func problems() throws -> [YapDatabaseProblem] {
        guard try EdgeTable(store, extension: name).exists, try store.registeredExtension(name) != nil else {
            return []
        }
        var (notes, strays) = (ProblemNotes(), ProblemNotes())
        let table = Store.quoted("relationship_\(name)")
        let edges = try store.handle.statement(
            """
            SELECT e."rowid", e."name", e."src", CASE typeof(e."dst") WHEN 'integer' THEN e."dst" END, typeof(e."dst"), \
            EXISTS (SELECT 1 FROM "database2" WHERE "rowid" = e."src"), typeof(e."dst") != 'integer' OR \
            EXISTS (SELECT 1 FROM "database2" WHERE "rowid" = e."dst") FROM \(table) AS e ORDER BY e."rowid"
            """)
        defer { edges.reset() }
        var order = CursorOrder(.rowid)
        while try edges.step() {
            try order.advance(to: edges)
            let edge = "edge \(edges.int64(at: 0)) \"\(edges.text(at: 1) ?? "")\""
            if edges.int64(at: 5) == 0 {
                strays.add("\(edge) leads from row \(edges.int64(at: 2)), which does not exist")
            }
            if edges.int64(at: 6) == 0 {
                strays.add("\(edge) leads to row \(edges.int64(at: 3)), which does not exist")
            }
            if !["integer", "blob"].contains(edges.text(at: 4) ?? "") {
                notes.add("\(edge) leads to a value that is neither a row nor a file")
            }
        }
        return notes.all.map {
            .inExtension(name, "relationship \"\(name)\": \($0)", followsFromRows: false)
        } + strays.all.map { .strayEdge(name, "relationship \"\(name)\": \($0)") }
    }
}
