import Testing

@testable import YapDatabase

/// Programs of the original pass nil for options of every kind.
@Suite struct NilOptionsTests {
    @Test func everyExtensionTakesNilForItsOptions() throws {
        let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, _ in "g" }
        let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, a, _, b in a.compare(b) }
        let columns = YapDatabaseSecondaryIndexSetup()
        columns.addColumn("length", with: .integer)
        let box = YapDatabaseRTreeIndexSetup()
        box.setColumns(["least", "greatest"])
        try withTemporaryDatabase { database throws in
            try database.register(
                YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "1", options: nil),
                withName: "view")
            try database.register(
                YapDatabaseFilteredView(
                    parentViewName: "view", filtering: .withKeyBlock { _, _, _, _ in true }, versionTag: "1",
                    options: nil),
                withName: "filtered")
            try database.register(YapDatabaseManualView(versionTag: "1", options: nil), withName: "manual")
            try database.register(
                YapDatabaseSecondaryIndex(
                    setup: columns, handler: .withKeyBlock { _, values, _, key in values["length"] = key.count },
                    versionTag: "1", options: nil), withName: "index")
            try database.register(
                YapDatabaseFullTextSearch(
                    columnNames: ["key"], options: nil,
                    handler: .withKeyBlock { _, texts, _, key in texts["key"] = key },
                    versionTag: "1"), withName: "search")
            try database.register(
                YapDatabaseSearchResultsView(
                    fullTextSearchName: "search", parentViewName: "view", versionTag: "1", options: nil),
                withName: "results")
            try database.register(
                YapDatabaseRTreeIndex(
                    setup: box,
                    handler: .withKeyBlock { values, _, key in
                        (values["least"], values["greatest"]) = (0, Double(key.count))
                    }, versionTag: "1", options: nil), withName: "box")
            try database.register(YapDatabaseRelationship(versionTag: "1", options: nil), withName: "graph")
            try database.newConnection().readWrite { transaction throws in
                try transaction.setObject("x", forKey: "k", inCollection: "c")
                let view = try #require(transaction.ext("filtered") as? YapDatabaseViewTransaction)
                #expect(view.numberOfItems(inGroup: "g") == 1)
            }
        }
    }
}
