import Testing

@testable import FileReading

@Suite struct CatalogTests {
    @Test(arguments: originalFiles) func catalogHasTheRowsOfTheTables(name: String) throws {
        try withFile(name) { path in
            let catalog = try BrowsedFile(path: path).snapshot.catalog()
            let collections = try query(path, "SELECT DISTINCT collection FROM database2 ORDER BY collection")
            #expect(catalog.collections.map(\.text) == collections.map { $0[0] })
            let views = try query(
                path,
                """
                SELECT v.extension, v.data, t.data FROM yap2 AS v JOIN yap2 AS t USING (extension) WHERE v.key = 'class' \
                AND v.data IN ('YapDatabaseAutoView', 'YapDatabaseManualView', 'YapDatabaseFilteredView', \
                'YapDatabaseView') AND t.key = 'versionTag' ORDER BY 1
                """)
            #expect(catalog.views.map { [$0.name, $0.className ?? "", $0.versionTag ?? ""] } == views)
            #expect(try [[String(catalog.smallValues)]] == query(path, "SELECT count(*) FROM yap2"))
            #expect(catalog.views.flatMap(\.damage) == [])
            #expect(catalog.damage == [])
        }
    }

    @Test func indexesAndFullTextAreNamedWithTheirColumns() throws {
        try withFile("json") { path in
            let catalog = try BrowsedFile(path: path).snapshot.catalog()
            #expect(catalog.indexes.count == 1)
            #expect(catalog.fullText.map(\.version) == ["fts4"])
            for index in catalog.indexes {
                let columns = try query(
                    path, "SELECT name FROM pragma_table_info('\(index.table)') WHERE name != 'rowid'")
                #expect(index.columns == columns.map { $0[0] })
            }
        }
    }
}
