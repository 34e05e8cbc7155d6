import Testing

@testable import FileEngine

/// Which tables are the library's.
@Suite struct TableOwnerTests {
    @Test(arguments: [
        ("database2", TableOwner.rows), ("yap2", .smallValues), ("yap_commits", .commitRecords),
        ("view_order_page", .extension(.view, name: "order")), ("view_order_map", .extension(.view, name: "order")),
        ("secondaryIndex_n", .extension(.secondaryIndex, name: "n")), ("fts_text", .extension(.fts, name: "text")),
        ("relationship_r", .extension(.relationship, name: "r")), ("notes", .unknown), ("view_order", .unknown),
    ])
    func aTableBelongsToWhatItsNameSays(table: String, owner: TableOwner) {
        #expect(TableOwner(table: table, among: [table]) == owner)
    }

    @Test func anExtensionMayHaveANameThatEndsLikeATableOfSQLite() {
        #expect(TableOwner(table: "fts_a_content", among: ["fts_a", "fts_a_content"]) == .extension(.fts, name: "a"))
        #expect(TableOwner(table: "fts_a_content", among: ["fts_a_content"]) == .extension(.fts, name: "a_content"))
    }
}
