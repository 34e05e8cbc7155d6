// swift-format-ignore-file
// views-inside.txt, as it stands there. docs/wiki-samples.md names what is changed.

@Suite struct ViewsInsideTests {
  let post1 = Post(text: "one", time: 1)
  let post2 = Post(text: "two", time: 2)
  let post3 = Post(text: "three", time: 3)
  let post4 = Post(text: "four", time: 4)
  let blue = "blue"

  func addPosts(_ dbConnection: YapDatabaseConnection) throws {

try dbConnection.readWrite {(transaction) in

  try transaction.setObject(post1, forKey: "bbt", inCollection: "posts")
  try transaction.setObject(post2, forKey: "xqy", inCollection: "posts")
  try transaction.setObject(post3, forKey: "pxy", inCollection: "posts")

  try transaction.setObject(blue, forKey: "bgColor", inCollection: "prefs")
}
  }

  func registerView(in database: YapDatabase) throws {

let grouping = YapDatabaseViewGrouping.withObjectBlock {
  (transaction, collection, key, obj: Any) -> String? in
  
  if let _ = obj as? Post {
    return "posts_all"
  }
  return nil // exclude from view
}

let sorting = YapDatabaseViewSorting.withObjectBlock {
  (transaction, group,
   collection1, key1, obj1: Any,
   collection2, key2, obj2: Any,) -> ComparisonResult in

  let post1 = obj1 as! Post
  let post2 = obj2 as! Post
  
  return post1.comparePostsByTimestamp(post2)
}

let view =
  YapDatabaseAutoView(grouping: grouping,
                   sorting: sorting,
                versionTag: "theDuckSaysQuack")

try database.register(view, withName: "all")
  }

  func addAPost(_ dbConnection: YapDatabaseConnection) throws {

try dbConnection.readWrite {(transaction) in
  try transaction.setObject(post4, forKey: "avz", inCollection: "posts")
}
  }

  @Test func theFileHoldsWhatTheDocumentPictures() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "posts.sqlite")
      do {
        let database = try open(url)
        let dbConnection = try database.newConnection()
        try addPosts(dbConnection)
        #expect(try pictured(dbConnection) == Picture(
          rows: ["posts": ["xqy": "two", "bbt": "one", "pxy": "three"], "prefs": ["bgColor": "blue"]],
          snapshot: 1, tables: ["database2", "yap2"]))

        // It is the equivalent of executing a readWriteTransaction.
        try registerView(in: database)
        #expect(try pictured(dbConnection) == Picture(
          rows: ["posts": ["xqy": "two", "bbt": "one", "pxy": "three"], "prefs": ["bgColor": "blue"]],
          snapshot: 2, versionTag: "theDuckSaysQuack",
          view: ["posts_all": [["posts", "bbt"], ["posts", "xqy"], ["posts", "pxy"]]],
          tables: ["database2", "view_all_map", "view_all_page", "yap2"]))
        try database.close()
      }

      // Now we quit the app and relaunch. Does the view have to do anything? The answer is NO.
      let relaunched = try open(url)
      let calls = Calls()
      let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, key in
        calls.note(key)
        return nil
      }
      let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, _, _, _ in .orderedSame }
      let silent = YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "theDuckSaysQuack")
      try relaunched.register(silent, withName: "all")
      #expect(calls.counts.isEmpty)
      try relaunched.close()

      let database = try open(url)
      let dbConnection = try database.newConnection()
      try registerView(in: database)
      let before = database.snapshot

      try addAPost(dbConnection)
      #expect(try pictured(dbConnection) == Picture(
        rows: [
          "posts": ["xqy": "two", "bbt": "one", "pxy": "three", "avz": "four"], "prefs": ["bgColor": "blue"],
        ],
        snapshot: before + 1, versionTag: "theDuckSaysQuack",
        view: ["posts_all": [["posts", "bbt"], ["posts", "xqy"], ["posts", "pxy"], ["posts", "avz"]]],
        tables: ["database2", "view_all_map", "view_all_page", "yap2"]))
      try database.close()
      #expect(try YapDatabase.check(url: url) == [])
    }
  }

  private func open(_ url: URL) throws -> YapDatabase {
    let database = try YapDatabase(url: url)
    database.registerCodableSerialization(Post.self, forCollection: "posts")
    return database
  }
}

/// The pictures of the document: the rows, the number of the commit, and what there is of the view.
struct Picture: Equatable {
  var rows: [String: [String: String]]
  var snapshot: Int
  var versionTag: String?
  var view: [String: [[String]]]?
  /// Of SQLite, without those for commits of other processes.
  var tables: [String]
}
