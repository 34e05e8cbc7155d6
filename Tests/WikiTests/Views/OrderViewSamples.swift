// swift-format-ignore-file
// views.txt, "Initializing a view" to "Registering a view", as they stand there. docs/wiki-samples.md names what is changed.

/// "Initializing a view": the grouping and the sorting block.
func makeGrouping() -> YapDatabaseViewGrouping {

let grouping = YapDatabaseViewGrouping.withObjectBlock {
  (transaction, collection, key, obj: Any) -> String? in

  // The parameters to the block come from a row in the database.
  // You can inspect the parameters, and determine if the row is included in the view.
  // And if so, you can decide which "group" it belongs to.

  if let _ = obj as? Book {
    return "books"
  }
  if let _ = obj as? Magazine {
    return "magazines"
  }

  return nil // exclude from view
}

  return grouping
}

func makeSorting() -> YapDatabaseViewSorting {

let sorting = YapDatabaseViewSorting.withObjectBlock {
  (transaction, group,
   collection1, key1, obj1: Any,
   collection2, key2, obj2: Any,) -> ComparisonResult in

  // The "group" parameter comes from your grouping block.
  // The other parameters are from 2 different rows,
  // both of which are part of the given "group".
  // 
  // Simply compare the 2 rows however you want,
  // and return a ComparisonResult, just like a compare method.

  if group == "books" {
    let book1 = obj1 as! Book
    let book2 = obj2 as! Book
    return book1.compareBookByTitleThenAuthor(book2)
  }
  else {
    let mag1 = obj1 as! Magazine
    let mag2 = obj2 as! Magazine
    return mag1.compareMagazineByMonthThenTitle(mag2) 
  }
}

  return sorting
}

/// "Both have multiple initializers."
func makeGroupings(_ calls: @escaping @Sendable (String) -> Void) -> [YapDatabaseViewGrouping] {
  [
YapDatabaseViewGrouping.withKeyBlock {(transaction, collection, key) in /* ... */ calls("key"); return "all" },
YapDatabaseViewGrouping.withObjectBlock {(transaction, collection, key, obj) in /* ... */ calls("object"); return "all" },
YapDatabaseViewGrouping.withMetadataBlock {(transactino, collection, key, metadata) in /* ... */ calls("metadata"); return "all" },
YapDatabaseViewGrouping.withRowBlock {(transaction, collection, key, obj, metadata) in /* ... */ calls("row"); return "all" },
  ]
}

/// "Full init example": the whole registration, with the blocks from above.
func registerOrder(in database: YapDatabase, grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting) {

// The 'versionTag' is a string that tells the View if you've
// made changes to the groupingBlock or sortingBlock since last app launch.
// If the versionTag hasn't changed, the View doesn't need to do anything.
// But if the versionTag HAS changed, the View will automatically re-populate
// itself. That is, it will:
// - flush its internal tables
// - enumerate the database, and invoke your grouping block to see
//   if the row should be included in the view
// - invoke your sorting block (as needed) to sort items in the view
// 
// In other words, if you make changes to your grouping/sorting code,
// then just change your versionTag, and the View will do the right thing.
// 
let versionTag = "2019-05-20" // <= change me if you modify grouping or sorting

let options = YapDatabaseViewOptions()

// You can optionally limit the collections your view uses.
// For example, if your View will only contain items from a few collections,
// (say "Foo" & "Bar"), then you can specify a whitelist of collections:
/*
let whitelist = Set(["Foo", "Bar"])
options.allowedCollections = YapWhitelistBlacklist(whitelist: whitelist)
*/
// What you're saying here is:
//   My View will ONLY include items from collections 'Foo' & 'Bar'.
//   So if you see rows in other collections, just act as if you invoked my
//   grouping block, and it returned 'nil'.
//   But don't actually bother invoking my grouping block.
// 
// This is most helpful when you're:
// - creating a view for the first time
// - OR re-populating a view due to a versionTag change
// - AND the database has a LOT of item in it
// - AND the view is a small subset of the entire database
// 
// This allows the View to enumerate a small subset of the database
// when initializing or re-populating.
		
let view =
  YapDatabaseAutoView(grouping: grouping,
                       sorting: sorting,
                    versionTag: versionTag,
                       options: options)
		
let extName = "order" // <= Name we will use to access this view
database.asyncRegister(view, withName: extName) {(ready) in
			
  if !ready {
    print("Error registering \(extName) !!!")
  }
}
}

/// The whitelist, which the document has in a comment.
func makeOptions() -> YapDatabaseViewOptions {
let options = YapDatabaseViewOptions()
let whitelist = Set(["Foo", "Bar"])
options.allowedCollections = YapWhitelistBlacklist(whitelist: whitelist)
  return options
}
