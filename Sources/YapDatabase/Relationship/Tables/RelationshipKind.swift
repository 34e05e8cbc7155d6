import FileEngine
import SQLiteBridge

/// The tables of relationships.
struct RelationshipKind: ExtensionKind {
    var classNames: Set<String> { TableOwner.Kind.relationship.classes }

    /// The next registration asks the objects for their edges again, and keeps those that were added by hand.
    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        let edges = EdgeTable(store, extension: name)
        // A row of any collection may be the destination that an object waits for.
        if try !store.excludes(collection, extension: name) || edges.lacksEdges {
            try store.markStale(extension: name)
        }
        return try edges.exists ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try EdgeTable(store, extension: name).dropEdges(of: rows)
    }

    func removeAllRows(of name: String, _ store: Store) throws { try EdgeTable(store, extension: name).removeAll() }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        try check.checkRegistration(.relationship, &report)
        for name in try check.store.names(.relationship) {
            check.progress("the relationship \"\(name)\"")
            try check.checking("relationship", name, &report) { store, report in
                report.problems += try EdgeCheck(store: store, name: name).problems()
            }
        }
    }
}

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

/// A file that a commit promised to delete: until that is done, `yap2` has it under the name of the relationship whose rule says so.
///
///     key     removal:URL
///     value   device and inode of the file, in decimal
///
/// The file at the URL is deleted only while it is that one: what a program puts in its place is another.
struct PendingFile: Hashable, Sendable {
    let url: String
    let identity: String

    init(url: String, identity: String) { (self.url, self.identity) = (url, identity) }
}

extension Store {
    private static let removalKey = "removal:"

    /// The files that are still to be deleted.
    func pendingFiles(extension name: String) throws -> [PendingFile] {
        try all(
            #"SELECT "key", "data" FROM "yap2" WHERE "extension" = ? AND "key" > 'removal:' AND "key" < 'removal;'"#,
            bind: { try $0.bind(name, at: 1) }
        ) {
            PendingFile(
                url: String(($0.text(at: 0) ?? "").dropFirst(Self.removalKey.count)), identity: $0.text(at: 1) ?? "")
        }
    }

    func addPendingFile(_ file: PendingFile, extension name: String) throws {
        try setYapValue(.text(file.identity), extension: name, key: Self.removalKey + file.url)
    }

    func removePendingFile(_ file: PendingFile, extension name: String) throws {
        guard try yapText(extension: name, key: Self.removalKey + file.url) == file.identity else { return }
        try removeYapValue(extension: name, key: Self.removalKey + file.url)
    }
}

extension YapDatabaseProblem {
    /// An edge at a row that does not exist. Whether that row is lost, the check of the rows says.
    fileprivate static func strayEdge(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, kind: .rebuildable,
            remedy: """
                No row is lost by it. The edges of a node are made again when its row is written or "\(name)" is registered with another \
                version tag; an edge that was added by hand leads nowhere, and can be removed.
                """)
    }
}
