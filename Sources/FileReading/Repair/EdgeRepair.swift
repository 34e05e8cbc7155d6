import FileEngine
import SQLiteBridge

/// Removes edges from and to rows that are lost, and has those that follow from rows made again when the relationship is registered.
struct EdgeRepair {
    private let store: Store
    private let name: String
    private static let (className, classVersion) = ("YapDatabaseRelationship", 4)

    init(_ store: Store, _ name: String) { (self.store, self.name) = (store, name) }

    /// - Returns: the edges that were removed, in words.
    func run() throws -> [String] {
        if try store.registeredExtension(name) == nil {
            let entry = RegisteredExtension(
                className: Self.className, classVersion: Self.classVersion, versionTag: "")
            try store.setRegisteredExtension(entry, name: name)
        }
        let removed = try store.remove(
            from: "relationship_\(name)",
            where: """
                "src" NOT IN (SELECT "rowid" FROM "database2") OR CASE typeof("dst") WHEN 'integer' THEN \
                "dst" NOT IN (SELECT "rowid" FROM "database2") WHEN 'blob' THEN 0 ELSE 1 END
                """,
            saying: """
                'edge ' || "rowid" || ' "' || "name" || '" from row ' || "src" || ' to ' || \
                CASE typeof("dst") WHEN 'integer' THEN 'row ' || "dst" WHEN 'blob' THEN 'a file' ELSE 'nothing' END
                """)
        try store.endLeavingOutRows(extension: name)
        try store.markStale(extension: name)
        return removed
    }
}
