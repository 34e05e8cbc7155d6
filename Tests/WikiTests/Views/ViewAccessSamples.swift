// swift-format-ignore-file
// views.txt, "Accessing a view", as it stands there. docs/wiki-samples.md names what is changed.

@Suite struct ViewAccessTests {
  @Test func aRowOfTheViewIsFoundByItsPlace() throws {
    try withOrderDatabase { database, dbConnection in
      let indexPath = IndexPath(row: 1, section: 0)
      var book: Book?

try dbConnection.read {(transaction) in

  if let viewTransaction = transaction.ext("order") as? YapDatabaseViewTransaction {
    book = try viewTransaction.object(atIndex: indexPath.row, inGroup: "books") as? Book
  }
}

      #expect(book?.title == "Beowulf")
    }
  }

  /// Each function of the sample is called through the protocol below, so with exactly these names and types.
  @Test func theDocumentedFunctionsAnswer() throws {
    try withOrderDatabase { database, dbConnection in
      try dbConnection.read {(transaction) in
        let view = try #require(transaction.ext("order") as? YapDatabaseViewTransaction)
        let api: any DocumentedViewTransaction = view
        let counts: [UInt] = [
          api.numberOfGroups(), api.numberOfItems(inGroup: "books"), api.numberOfItemsInAllGroups(),
        ]
        #expect(counts == [2, 3, 5])
        #expect(api.allGroups() == ["books", "magazines"])
        #expect(api.hasGroup("books") && !api.hasGroup("films"))
        #expect(try api.getCollectionKey(atIndex: 0, inGroup: "magazines")! == ("gossip", "key60"))
        #expect(try api.getCollectionKey(atIndex: 2, inGroup: "magazines") == nil)
        #expect(try api.getGroupIndex(forKey: "key7", inCollection: "fantasy")! == ("books", 1))
        #expect(try api.getGroupIndex(forKey: "key7", inCollection: nil) == nil)
        #expect((try api.object(at: 2, inGroup: "books") as? Book)?.title == "Curtain")
        var seen: [String] = []
        try api.iterateKeys(inGroup: "books") { (collection, key, index, stop) in
          seen.append("\(index) \(collection)/\(key)")
          stop = index == 1
        }
        #expect(seen == ["0 fiction/key24", "1 fantasy/key7"])

        let mappings = YapDatabaseViewMappings(groups: ["films", "magazines"], view: "order")
        try mappings.update(with: transaction)
        #expect(try api.getCollectionKey(forRow: 1, section: 1, withMappings: mappings)! == ("science", "key49"))
        let indexPath = IndexPath(row: 0, section: 1)
        #expect(try api.getCollectionKey(atIndexPath: indexPath, withMappings: mappings)! == ("gossip", "key60"))
      }
    }
  }
}

/// "Here's a small sample from YapDatabaseViewTransaction.h."
private protocol DocumentedViewTransaction {
func numberOfGroups() -> UInt
func allGroups() -> [String]
func hasGroup(_ group: String) -> Bool

func numberOfItems(inGroup group: String) -> UInt
func numberOfItemsInAllGroups() -> UInt

func getCollectionKey(atIndex index: Int, inGroup group: String) throws -> (String, String)?

func getGroupIndex(forKey key: String, inCollection collection: String?) throws -> (String, Int)?

func object(at index: UInt, inGroup group: String) throws -> Any?

// Iteration

// block params: (collection, key, index, stop)
func iterateKeys(inGroup group: String, using block: (String, String, Int, inout Bool) throws -> Void) throws

// When using Mappings:

func getCollectionKey(forRow row: Int, section: Int, withMappings mappings: YapDatabaseViewMappings) throws -> (String, String)?

func getCollectionKey(atIndexPath indexPath: IndexPath, withMappings mappings: YapDatabaseViewMappings) throws -> (String, String)?
}

extension YapDatabaseViewTransaction: DocumentedViewTransaction {
  // Ours has arguments with defaults, with which a method cannot stand for one without.
  fileprivate func iterateKeys(inGroup group: String, using block: (String, String, Int, inout Bool) throws -> Void) throws {
    try iterateKeys(inGroup: group, reversed: false, using: block)
  }
}
