// swift-format-ignore-file
// mappings.txt, "Fixed Ranges" to "Reverse", as they stand there. docs/wiki-samples.md names what is changed.

/// "You want to display the top 20 best selling items in a tableView."
@MainActor final class BestSellersViewController: ListViewController {
override func initializeMappings() throws {
  
  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("salesRank") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }
                     
    let groups = ["books"]
    mappings = YapDatabaseViewMappings(groups: groups, view: "salesRank")

    let rangeOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 20, offset: 0, from: .beginning)
    mappings?.setRangeOptions(rangeOptions, forGroup: "books")
    
    // One-time initialization
    try mappings?.update(with: transaction)
  }
}
}

/// "It's just as easy if you want the LAST 35 in a view."
@MainActor final class NewestViewController: ListViewController {
let conversationId = "c1"
override func initializeMappings() throws {
    mappings = YapDatabaseViewMappings(groups: [conversationId], view: "messages")

let rangeOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 35, offset: 0, from: .end)
mappings?.setRangeOptions(rangeOptions, forGroup: conversationId)

    try dbConnection.read { try mappings?.update(with: $0) }
}
}

/// "To get the functionality of Apple's Messages app."
@MainActor final class MessagesViewController: ListViewController {
let conversationId = "c1"
override func initializeMappings() throws {
  
  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("messages") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }
    
    // Setup and configure our mappings
    let groups = [conversationId]
    mappings = YapDatabaseViewMappings(groups: groups, view: "messages")

    let rangeOptions = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
    
    // Let's also set a max, so that if the conversation grows to some obnoxious length,
    // our UI doesn't get bogged down.
    rangeOptions.maxLength = 300    

    // We can set a min length too.
    // So if the user goes and manually deletes most of the messages,
    // we can automatically "move backwards" and display older messages.
    rangeOptions.minLength = 20

    mappings?.setRangeOptions(rangeOptions, forGroup: conversationId)
    
    // One-time initialization
    try mappings?.update(with: transaction)
  }
}
}

/// "A note about offsets in flexible ranges."
@MainActor final class OffsetViewController: ListViewController {
override func initializeMappings() throws {
    mappings = YapDatabaseViewMappings(groups: ["books"], view: "salesRank")

let rangeOptions = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 25, from: .end)
mappings?.setRangeOptions(rangeOptions, forGroup: "books")

    try dbConnection.read { try mappings?.update(with: $0) }
}
}

/// "Our timestamp calculations depend upon the previous cell."
@MainActor class TimestampViewController: ListViewController {
let conversationId = "c1"
override func initializeMappings() throws {
  
  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("messages") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }
                     
    // Setup and configure our mappings
    let groups = [conversationId];
    mappings = YapDatabaseViewMappings(groups: groups, view: "messages")

    // Our timestamp calculations depend upon the previous cell
    mappings?.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: conversationId)
    
    // One-time initialization
    try mappings?.update(with: transaction)
  }
}
}

/// "You want the #1 worst selling item to be at the TOP of the tableView."
@MainActor final class WorstSellersViewController: ListViewController {
override func initializeMappings() throws {
  
  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("SalesRank") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }
                     
    let groups = ["books"]
    mappings = YapDatabaseViewMappings(groups: groups, view: "SalesRank")

    mappings?.setIsReversed(true, forGroup: "books")

    // One-time initialization
    try mappings?.update(with: transaction)
  }
}
}

/// "The following code … is equivalent to."
@MainActor final class ClearanceViewController: ListViewController {
var reversesFirst = false
override func initializeMappings() throws {
    mappings = YapDatabaseViewMappings(groups: ["books"], view: "SalesRank")
    if !reversesFirst {

// The following code

let rangeOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 20, offset: 0, from: .end)
mappings?.setRangeOptions(rangeOptions, forGroup: "books") // <- 1st

mappings?.setIsReversed(true, forGroup: "books") // <- 2nd

    } else {

// IS EQUIVALENT TO:

mappings?.setIsReversed(true, forGroup: "books") // <- 1st

let rangeOptions = YapDatabaseViewRangeOptions.fixedRange(withLength: 20, offset: 0, from: .beginning) // <- 2nd
mappings?.setRangeOptions(rangeOptions, forGroup: "books")

    }
    try dbConnection.read { try mappings?.update(with: $0) }
}
}
