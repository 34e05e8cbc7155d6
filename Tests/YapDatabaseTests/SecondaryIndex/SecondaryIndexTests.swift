import Foundation
import SQLiteBridge
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct SecondaryIndexTests {
    private func withItems(_ count: Int = 12, _ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.index(), withName: "idx")
            try database.writeItems(0..<count)
            try body(database)
        }
    }

    @Test func queriesFindRowsInTheirOrder() throws {
        try withItems { database throws in
            try database.newConnection().read { transaction throws in
                let index = try transaction.index()
                #expect(try index.keys("WHERE sort >= ? ORDER BY sort DESC", 7) == ["k11", "k10", "k8", "k7"])
                #expect(try index.keys("WHERE grp = ? AND sort < ?", "B", 6) == ["k2", "k5"])
                #expect(try index.keys("WHERE sort IN (?) AND grp = ?", [1, 2, 4], "A") == ["k1", "k4"])
                #expect(try index.keys("WHERE sort IN (?)", [Int]()) == [])
                #expect(try index.keys("ORDER BY sort LIMIT 2 OFFSET 1") == ["k2", "k4"])
                #expect(try index.numberOfRows(matching: .matchingAll()) == 8)
                #expect(try index.numberOfRows(matching: YapDatabaseQuery(string: "ORDER BY sort LIMIT 3")) == 3)
                var keys: [String] = []
                try index.iterateRows(matching: .matchingAll()) { collection, key, object, metadata, stop in
                    #expect(collection == "c" && (object as? Item)?.text == "hello number \(key.dropFirst())")
                    #expect(metadata == nil)
                    keys.append(key)
                    stop = keys.count == 2
                }
                #expect(keys == ["k1", "k2"])
                let rowids = try index.rowids(forKeys: ["k1", "k4", "missing"], inCollection: "c")
                #expect(Set(rowids.keys) == ["k1", "k4"])
                #expect(try index.keys("WHERE rowid IN (?)", Array(rowids.values).sorted()) == ["k1", "k4"])
            }
        }
    }

    /// Only a `?` that SQLite takes for a parameter is replaced.
    @Test(arguments: [
        ("a IN (?) AND b = ?", "a IN (?, ?, ?) AND b = ?"),
        ("'?' || \"?\" || `?` || [?] = ? AND b IN (?)", "'?' || \"?\" || `?` || [?] = ?, ?, ? AND b IN (?)"),
        ("'it''s ?' = ?", "'it''s ?' = ?, ?, ?"),
        // A mark behind a quotation mark is one character with it, and of SQLite the next one.
        ("'\u{301}' IN (?)", "'\u{301}' IN (?, ?, ?)"), ("'a'\u{301} IN (?)", "'a'\u{301} IN (?, ?, ?)"),
        ("[\u{308}]\u{301} = ?\u{301}", "[\u{308}]\u{301} = ?, ?, ?\u{301}"),
        ("a -- isn't it?\n IN (?)", "a -- isn't it?\n IN (?, ?, ?)"),
        ("a /* isn't ? */ IN (?)", "a /* isn't ? */ IN (?, ?, ?)"),
        ("a - - ? / * ?", "a - - ?, ?, ? / * ?"), ("'--' = ? -- ?", "'--' = ?, ?, ? -- ?"),
        ("/*/ ? */ ?", "/*/ ? */ ?, ?, ?"),
        ("'never ended ?", "'never ended ?"), ("/* never ended ?", "/* never ended ?"), ("", ""),
    ]) func listsAreExpandedWhereSQLiteHasAParameter(text: String, expanded: String) {
        let query = YapDatabaseQuery(string: text, parameters: [[1, 2, 3], 4])
        #expect(Array(query.queryString.utf8) == Array(expanded.utf8), "\(query.queryString)")
    }

    /// As the Swift value: as -1 it would find the rows with -1.
    @Test func aNumberThatIsTooLargeIsRefused() throws {
        try withItems { database throws in
            try database.newConnection().read { transaction throws in
                for value in [NSNumber(value: UInt64.max) as Any, UInt64.max] {
                    expectError(.badQuery, mentioning: "Parameter 1") {
                        _ = try transaction.index().keys("WHERE sort = ?", value)
                    }
                }
                #expect(try transaction.index().keys("WHERE sort = ?", NSNumber(value: UInt64(4))) == ["k4"])
            }
        }
    }

    @Test func aggregatesAndIndexedValuesReadNoRow() throws {
        try withItems { database throws in
            try database.newConnection().read { transaction throws in
                let index = try transaction.index()
                func aggregate(_ function: String, _ query: String) throws -> Any? {
                    try index.performAggregateQuery(
                        YapDatabaseQuery(aggregateFunction: function, string: query))
                }
                #expect(try aggregate("max(sort)", "") as? Int == 11)
                #expect(try aggregate("avg(sort)", "WHERE grp = 'A'") as? Double == 5.5)
                #expect(try aggregate("group_concat(DISTINCT grp)", "") as? String == "A,B")
                #expect(try aggregate("max(sort)", "WHERE sort > 99") == nil)
                expectError(.badQuery, mentioning: "no aggregate function") {
                    _ = try index.performAggregateQuery(.matchingAll())
                }
                var values: [Int] = []
                try index.iterateIndexedValues(
                    inColumn: "sort", matching: YapDatabaseQuery(string: "WHERE grp = 'B' ORDER BY sort DESC")
                ) { value, _ in values.append(try #require(value as? Int)) }
                #expect(values == [11, 8, 5, 2])
                expectError(.badQuery, mentioning: "no column \"age\"", "sort, grp") {
                    try index.iterateIndexedValues(inColumn: "age", matching: .matchingAll()) { _, _ in }
                }
            }
        }
    }

    @Test func theErrorOfABadQueryNamesThePlace() throws {
        try withItems { database throws in
            try database.newConnection().readWrite { transaction throws in
                let index = try transaction.index()
                func expectBad(_ query: String, _ words: String..., parameters: [Any] = []) {
                    for word in words {
                        expectError(.badQuery, mentioning: "\"idx\"", word) {
                            try index.iterateKeys(matching: YapDatabaseQuery(string: query, parameters: parameters)) {
                                _, _, _ in
                            }
                        }
                    }
                }
                expectBad("WHERE agee > 5", "no such column: agee", "at character 7, before \"agee > 5\"")
                expectBad("WHRE sort > 5", "syntax error", "before \"sort > 5\"")
                expectBad("WHERE sort >", "incomplete input", "at its end")
                expectBad("WHERE ü.x = 'é' AND sort = nope", "at character 7")
                expectBad("WHERE sort > 1; DROP TABLE \"database2\"", "after the end of the statement", "DROP TABLE")
                expectBad("WHERE sort = load_extension('x')", "load_extension")
                expectBad("WHERE sort IN (DELETE FROM \"database2\")", "near \"DELETE\"")
                expectBad("WHERE sort = (SELECT file FROM pragma_wal_checkpoint)", "pragma_wal_checkpoint")
                expectBad("WHERE sort = ?", "has 1 parameters, and there are 0 values")
                expectBad("WHERE sort = 1", "has 0 parameters, and there are 1 values", parameters: [1])
                expectBad("WHERE sort = ?", "Parameter 1 of the query", parameters: [Item(sort: 1, text: "")])
                expectBad("WHERE sort = 1\0 OR 1", "NUL")
                expectBad("WHERE sort = abs(-9223372036854775807 - 1)", "integer overflow")
                expectError(.badQuery, mentioning: "aggregate function", "no such function: mux", "character 1") {
                    _ = try index.performAggregateQuery(YapDatabaseQuery(aggregateFunction: "mux(sort)", string: ""))
                }
                expectError(.badQuery, mentioning: "The query", "no such column: nope", "character 7") {
                    _ = try index.numberOfRows(matching: YapDatabaseQuery(string: "WHERE nope"))
                }
                // The transaction goes on.
                #expect(try index.keys("WHERE sort > 1;").count == 7)
                try transaction.removeObject(forKey: "k1", inCollection: "c")
                #expect(try index.keys("").count == 7)
            }
        }
    }

    @Test func explainShowsWhichIndexIsUsed() throws {
        try withItems { database throws in
            try database.newConnection().read { transaction throws in
                let index = try transaction.index()
                let search = try index.explain(matching: YapDatabaseQuery(string: "WHERE sort > 5"))
                #expect(search == ["SEARCH secondaryIndex_idx USING COVERING INDEX sort (sort>?)"])
                let scan = try index.explain(matching: YapDatabaseQuery(string: "WHERE sort + 1 > ?", parameters: [5]))
                #expect(scan.count == 1 && scan[0].hasPrefix("SCAN secondaryIndex_idx"))
            }
        }
    }

    @Test func aSecondIndexWithTheSameColumnHasItsOwnIndex() throws {
        try withItems { database throws in
            try database.register(Item.index(), withName: "other")
            let setup = YapDatabaseSecondaryIndexSetup()
            setup.addColumn("database2", with: .text)
            setup.addColumn("Sort", with: .real)
            setup.addColumn("sqlite_a", with: .blob)
            setup.addColumn("a \"quoted\" one", with: .numeric)
            let handler = YapDatabaseSecondaryIndexHandler.withKeyBlock { _, dict, _, key in
                dict["a \"quoted\" one"] = key
            }
            try database.register(YapDatabaseSecondaryIndex(setup: setup, handler: handler), withName: "odd \"name")
            let program = try foreignProgram(database.databaseURL)
            let statement = try program.statement(
                "SELECT tbl_name || ': ' || name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1"
            )
            defer { statement.reset() }
            var lines: [String] = []
            while try statement.step() { lines.append(statement.text(at: 0) ?? "") }
            #expect(
                lines == [
                    "database2: true_primary_key", "secondaryIndex_idx: grp", "secondaryIndex_idx: sort",
                    "secondaryIndex_odd \"name: a \"quoted\" one",
                    "secondaryIndex_odd \"name: secondaryIndex_odd \"name_Sort",
                    "secondaryIndex_odd \"name: secondaryIndex_odd \"name_database2",
                    "secondaryIndex_odd \"name: secondaryIndex_odd \"name_sqlite_a",
                    "secondaryIndex_other: secondaryIndex_other_grp", "secondaryIndex_other: secondaryIndex_other_sort",
                ])
            try database.newConnection().read { transaction throws in
                let plan = try transaction.index("other").explain(matching: YapDatabaseQuery(string: "WHERE sort > 5"))
                #expect(plan[0].contains("USING COVERING INDEX secondaryIndex_other_sort"))
                #expect(try transaction.index("odd \"name").keys(#"WHERE "a ""quoted"" one" = ?"#, "k3") == ["k3"])
            }
        }
    }

    @Test func valuesOfEveryKindAreStoredAndFound() throws {
        let setup = YapDatabaseSecondaryIndexSetup()
        for (name, type) in [
            ("i", YapDatabaseSecondaryIndexType.integer), ("r", .real), ("n", .numeric), ("t", .text), ("b", .blob),
        ] { setup.addColumn(name, with: type) }
        #expect(setup.columnNames() == ["i", "r", "n", "t", "b"] && setup.column(at: 1)?.type == .real)
        #expect(setup.count == 5 && setup.column(at: 5) == nil)
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let handler = YapDatabaseSecondaryIndexHandler.withRowBlock { _, dict, _, key, object, metadata in
            dict["i"] = key == "yes" ? true : UInt8(7)
            dict["r"] = date
            dict["n"] = NSNumber(value: 3)
            dict["t"] = metadata as? String
            dict["b"] = Data([1, 2])
            if object as? String == "optional" { dict["t"] = String?.none as Any }
        }
        try withTemporaryDatabase { database throws in
            try database.register(YapDatabaseSecondaryIndex(setup: setup, handler: handler), withName: "idx")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                try transaction.setObject("a", forKey: "yes", withMetadata: "meta")
                try transaction.setObject("optional", forKey: "no", withMetadata: "meta")
            }
            try connection.read { transaction throws in
                let index = try transaction.index()
                #expect(try index.keys("WHERE i = ?", true) == ["yes"])
                #expect(try index.keys("WHERE r = ? AND n = ? AND b = ?", date, 3, Data([1, 2])) == ["yes", "no"])
                #expect(try index.keys("WHERE t = ?", "meta") == ["yes"])
                #expect(try index.keys("WHERE t IS NULL AND b IN (?)", [Data([1, 2]), Data()]) == ["no"])
                var times: [Double] = []
                try index.iterateIndexedValues(inColumn: "r", matching: .matchingAll()) { value, _ in
                    times.append(try #require(value as? Double))
                }
                #expect(times == [12.5, 12.5])
            }
        }
    }

    @Test func aHandlerThatSetsWhatTheIndexCannotHoldFailsTheTransaction() throws {
        let setup = YapDatabaseSecondaryIndexSetup()
        setup.addColumn("a", with: .text)
        let handler = YapDatabaseSecondaryIndexHandler.withKeyBlock { _, dict, _, key in
            if key == "type" { dict["a"] = ["a list"] }
            if key == "column" { dict["b"] = 1 }
            if key == "large" { dict["a"] = UInt64.max }
        }
        try withTemporaryDatabase { database throws in
            try database.register(YapDatabaseSecondaryIndex(setup: setup, handler: handler), withName: "idx")
            let connection = try database.newConnection()
            func set(_ key: String) throws { try connection.readWrite { try $0.setObject("x", forKey: key) } }
            expectError(.encodingFailed, mentioning: "\"idx\"", "column \"a\"", "Array<String>") { try set("type") }
            expectError(.badExtension, mentioning: "\"idx\"", "column \"b\"") { try set("column") }
            expectError(.encodingFailed, mentioning: "UInt64") { try set("large") }
            try set("none")
            try connection.read { transaction throws in #expect(try transaction.numberOfKeysInAllCollections() == 1) }
        }
    }

    @Test func aBlockIsAskedAgainOnlyAboutWhatItLooksAt() throws {
        let calls = Mutex<[String: Int]>([:])
        @Sendable func count(_ name: String, _ dict: inout [String: Any]) {
            calls.withLock { $0[name, default: 0] += 1 }
            dict["a"] = 1
        }
        let handlers: [(String, YapDatabaseSecondaryIndexHandler)] = [
            ("key", .withKeyBlock { _, dict, _, _ in count("key", &dict) }),
            ("object", .withObjectBlock { _, dict, _, _, _ in count("object", &dict) }),
            ("metadata", .withMetadataBlock { _, dict, _, _, _ in count("metadata", &dict) }),
            ("row", .withRowBlock { _, dict, _, _, _, _ in count("row", &dict) }),
            ("any", .withOptions(.any, keyBlock: { _, dict, _, _ in count("any", &dict) })),
        ]
        try withTemporaryDatabase { database throws in
            for (name, handler) in handlers {
                let setup = YapDatabaseSecondaryIndexSetup(capacity: 1)
                setup.addColumn("a", with: .integer)
                try database.register(YapDatabaseSecondaryIndex(setup: setup, handler: handler), withName: name)
            }
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("1", forKey: "k", withMetadata: "m") }
            #expect(calls.withLock { $0 } == ["key": 1, "object": 1, "metadata": 1, "row": 1, "any": 1])
            try connection.readWrite { try $0.replace("2", forKey: "k") }
            #expect(calls.withLock { $0 } == ["key": 1, "object": 2, "metadata": 1, "row": 2, "any": 2])
            try connection.readWrite { try $0.touchMetadata(forKey: "k") }
            #expect(calls.withLock { $0 } == ["key": 1, "object": 2, "metadata": 2, "row": 3, "any": 3])
        }
    }

    @Test func onlyAllowedCollectionsAreIndexed() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let connection = try database.newConnection()
            func write(_ key: String) throws {
                try connection.readWrite { transaction throws in
                    for collection in ["c", "d"] {
                        let item = Item(group: "A", sort: 1, text: "")
                        try transaction.setObject(item, forKey: key, inCollection: collection)
                    }
                }
            }
            try write("before")
            let options = YapDatabaseSecondaryIndexOptions()
            options.allowedCollections = YapWhitelistBlacklist(whitelist: ["d"])
            try database.register(Item.index(options: options), withName: "idx")
            try write("after")
            try connection.read { transaction throws in
                var found: [String] = []
                try transaction.index().enumerateKeys(matching: .matchingAll()) { collection, key, _ in
                    found.append("\(collection) \(key)")
                }
                #expect(found == ["d before", "d after"])
            }
        }
    }

    @Test func aClosureMayWriteWhileItIteratesAndRowsThatItRemovesAreNotVisited() throws {
        try withItems(60) { database throws in
            try database.newConnection().readWrite { transaction throws in
                var visited: [Int] = []
                let query = YapDatabaseQuery(string: "WHERE sort < 30 ORDER BY sort")
                try transaction.index().iterateKeysAndObjects(matching: query) { collection, key, object, _ in
                    var item = try #require(object as? Item)
                    visited.append(item.sort)
                    item.sort += 100
                    try transaction.setObject(item, forKey: key, inCollection: collection)
                    try transaction.removeObject(forKey: "k\(visited.last! + 1)", inCollection: collection)
                }
                #expect(visited == [1, 4, 7, 10, 13, 16, 19, 22, 25, 28])
                #expect(try transaction.index().keys("WHERE sort > 100").count == 10)
            }
        }
    }

    @Test func aFileOfTheOriginalIsReadWithoutABlockAndWrittenTo() throws {
        try withCopy(of: "json") { url throws in
            let calls = Mutex(0)
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerCodableSerialization(Item.self, forCollection: "c", as: .json)
            let before = try indexDefinitions(url)
            try database.register(Item.index(tag: "i1") { calls.withLock { $0 += 1 } }, withName: "idx")
            #expect(calls.withLock { $0 } == 0)
            let connection = try database.newConnection()
            try connection.read { transaction throws in
                #expect(try transaction.index().numberOfRows(matching: .matchingAll()) == 120)
                #expect(try transaction.index().keys("WHERE sort = ?", 37) == ["k001"])
            }
            try connection.readWrite {
                try $0.setObject(Item(group: "odd", sort: -1, text: "new"), forKey: "new", inCollection: "c")
                try $0.removeObject(forKey: "k001", inCollection: "c")
            }
            try connection.read { transaction throws in
                #expect(try transaction.index().keys("WHERE sort IN (-1, 37)") == ["new"])
            }
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
            #expect(try indexDefinitions(url) == before)
        }
    }

    private func indexDefinitions(_ url: URL) throws -> [String] {
        let program = try foreignProgram(url)
        let statement = try program.statement(
            "SELECT sql FROM sqlite_master WHERE tbl_name = 'secondaryIndex_idx' UNION ALL "
                + "SELECT key || typeof(data) || data FROM yap2 WHERE extension = 'idx' ORDER BY 1")
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(at: 0) ?? "") }
        return lines
    }

    @Test func compiledQueriesAreKeptForEachConnection() throws {
        try withItems { database throws in
            let connection = try database.newConnection()
            let index = try #require(connection.ext("idx") as? YapDatabaseSecondaryIndexConnection)
            #expect(index.queryCacheEnabled && index.queryCacheLimit == 10)
            func find(_ least: Int) throws -> [String] {
                try connection.read { try $0.index().keys("WHERE sort >= \(least) ORDER BY sort") }
            }
            index.queryCacheLimit = 2
            for least in [10, 9, 10, 8, 7] { #expect(try find(least).last == "k11") }
            func texts() -> [String] { connection.withExtensionValue("idx", QueryCache()) { $0.texts } }
            #expect(texts().map { $0.contains("sort >= 8") || $0.contains("sort >= 7") } == [true, true])
            index.queryCacheEnabled = false
            #expect(try find(10) == ["k10", "k11"] && find(10) == ["k10", "k11"])
            #expect(texts().isEmpty)
            #expect(
                try #require(connection.ext("idx") as? YapDatabaseSecondaryIndexConnection).queryCacheEnabled == false)
            let another = try database.newConnection()
            let other = try #require(another.ext("idx") as? YapDatabaseSecondaryIndexConnection)
            #expect(other.queryCacheEnabled)
            index.queryCacheEnabled = true
            index.queryCacheLimit = 0
            for least in 0..<12 { _ = try find(least) }
            #expect(texts().count == 12)
        }
    }
}
