import FileEngine

/// The space on a server that a file follows, as the file says it: the value `server` of `yap2`, which
/// `YapDatabaseServer` writes.
package struct FollowedSpace: Hashable, Sendable {
    package var name: String
    /// The last commit of the space that the file has.
    package var number: Int
    /// How many mutations the server does not have yet, and how many were rejected.
    package var pending = 0
    package var rejected = 0

    /// Nil if the file follows none, or its value is damaged.
    init?(_ store: Store) {
        guard let text = try? store.yapText(extension: "", key: "server") else { return nil }
        let parts = text.split(separator: "\n", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count == 7, parts[0] == "1", let number = Int(parts[1]) else { return nil }
        self.name = String(parts[6])
        self.number = number
        countMutations(store)
    }

    /// One that cannot be read counts for none; the check tells of it.
    private mutating func countMutations(_ store: Store) {
        let text = "CAST(\"data\" AS TEXT)"
        let sql = """
            SELECT CASE WHEN json_valid(\(text)) THEN json_extract(\(text), '$.state') END, count(*)
            FROM "yap_derived" WHERE "collection" = '\(RowTable.mutations)' GROUP BY 1
            """
        let counts = (try? store.all(sql) { ($0.text(at: 0) ?? "", Int($0.int64(at: 1))) }) ?? []
        for (state, count) in counts {
            if ["pending", "sent", "waiting"].contains(state) { pending += count }
            if state == "rejected" { rejected += count }
        }
    }
}
