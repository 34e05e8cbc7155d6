// swift-format-ignore-file
// views.txt, "Re-Configuring a view", as it stands there. docs/wiki-samples.md names what is changed.

@Suite struct ReconfigureTests {
  @Test func anotherVersionTagFillsTheViewAgain() throws {
    try withLaunches(fillOrderDatabase, { database in
      database.registerBooksAndMagazines()
      let dbConnection = try database.newConnection()
      let grouping = YapDatabaseViewGrouping.withObjectBlock { _, _, _, obj in obj is Book ? "books" : nil }
      let sorting = makeSorting()

let versionTag = "2" // Increment me when you change the groupingBlock and/or sortingBlock
let view =
  YapDatabaseAutoView(grouping: grouping,
                   sorting: sorting,
                versionTag: versionTag) // <-- versioning your view

      try database.register(view, withName: "order")
      try dbConnection.read {(transaction) in
        let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction
        #expect(viewTransaction?.versionTag() == "2")
        #expect(viewTransaction?.allGroups() == ["books"], "The new block leaves magazines out.")
      }
      #expect(try YapDatabaseView.previousVersionTag(forRegisteredViewName: "order", with: dbConnection) == "2")
    })
  }

  @Test func anEqualVersionTagLeavesTheViewAlone() throws {
    try withLaunches(fillOrderDatabase, { database in
      database.registerBooksAndMagazines()
      let calls = Calls()
      let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, key in
        calls.note(key)
        return "all"
      }
      try database.register(
        YapDatabaseAutoView(grouping: grouping, sorting: makeSorting(), versionTag: "2019-05-20"), withName: "order")
      #expect(calls.counts.isEmpty)
      try database.newConnection().read {(transaction) in
        let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction
        #expect(viewTransaction?.allGroups() == ["books", "magazines"])
      }
    })
  }

  @Test func anExistingViewGetsOtherBlocks() throws {
    try withOrderDatabase { database, dbConnection in
      let newGrouping = makeGrouping()
      let newSorting = YapDatabaseViewSorting.withObjectBlock { _, group, _, key1, obj1, _, key2, obj2 in
        group == "books" ? (obj2 as! Book).compareBookByTitleThenAuthor(obj1 as! Book) : key1.compared(to: key2)
      }
      let newVersionTag = "3"

dbConnection.asyncReadWrite {(transaction) in

  if let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction {
    try viewTransaction.setGrouping(newGrouping, sorting: newSorting, versionTag: newVersionTag)
  }
}

      // Sync and async transactions of one connection run in the order of the calls.
      try dbConnection.read {(transaction) in
        let viewTransaction = try #require(transaction.ext("order") as? YapDatabaseViewTransaction)
        #expect(viewTransaction.versionTag() == "3")
        #expect(
          try viewTransaction.dictionary() == [
            "books": [["mystery", "key11"], ["fantasy", "key7"], ["fiction", "key24"]],
            "magazines": [["science", "key49"], ["gossip", "key60"]],
          ])
      }
    }
  }

  @Test func aViewWithoutATagHasAnEmptyOne() throws {
    try withDatabase { database in
      try database.register(YapDatabaseAutoView(grouping: makeGrouping(), sorting: makeSorting()), withName: "order")
      let dbConnection = try database.newConnection()
      #expect(try YapDatabaseView.previousVersionTag(forRegisteredViewName: "order", with: dbConnection) == "")
    }
  }

  @Test func aTagWithTheLocaleSortsAgainInAnother() throws {
    let calls = Calls()
    let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, key1, _, key2 in
      calls.note("sorting")
      return key1.localizedCompare(key2)
    }
    let register: (YapDatabase, String) throws -> Int = { database, versionTag in
      database.registerBooksAndMagazines()
      let before = calls.counts["sorting"] ?? 0
      let view = YapDatabaseAutoView(grouping: makeGrouping(), sorting: sorting, versionTag: versionTag)
      try database.register(view, withName: "order")
      return (calls.counts["sorting"] ?? 0) - before
    }

let localeID = Locale.current.identifier
let versionTag = "5-\(localeID)"

    try withLaunches(
      fillOrderDatabase, { let count = try register($0, "5-tlh"); #expect(count > 0) },
      { let count = try register($0, "5-tlh"); #expect(count == 0, "The same locale: nothing to do.") },
      { let count = try register($0, versionTag); #expect(count > 0, "Another locale: the view sorts itself again.") })
  }
}
