// swift-format-ignore-file
// mappings.txt, "Gotchas", as it stands there. docs/wiki-samples.md names what is changed.

@MainActor class HiddenViewController: UIViewController, UITableViewDataSource {
  let dbConnection: YapDatabaseConnection
  let tableView: UITableView
  let mappings = YapDatabaseViewMappings(groups: ["bond movies", "bond actors"], view: "myView")
  var isVisible = true

  init(dbConnection: YapDatabaseConnection, tableView: UITableView) throws {
    self.dbConnection = dbConnection
    self.tableView = tableView
    super.init()
    tableView.dataSource = self
    try dbConnection.beginLongLivedReadTransaction()
    try dbConnection.read { try mappings.update(with: $0) }
    tableView.reloadData()
  }

  func isViewVisible() -> Bool { isVisible }

  // While it is hidden it supplies zero sections & zero rows.
  func numberOfSections(in tableView: UITableView) -> Int { isVisible ? mappings.numberOfSections() : 0 }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    mappings.numberOfItems(inSection: section)
  }

  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) throws -> UITableViewCell {
    try dbConnection.read { transaction in
      let view = transaction.ext("myView") as? YapDatabaseViewTransaction
      let object = try view?.object(at: indexPath, with: mappings)
      return UITableViewCell(text: (object as? Movie)?.title ?? (object as? FilmActor)?.name ?? "?")
    }
  }

  func yapDatabaseModified(notification: Notification) throws {}

  /// "Normal code", of which the change-set is what matters here.
  func animate(_ notifications: [Notification]) throws {
    let ext = try #require(dbConnection.ext("myView") as? YapDatabaseViewConnection)
    _ = try ext.getChanges(forNotifications: notifications, withMappings: mappings)
    tableView.reloadData()
  }
}

/// "Here's an example of some bad code that would cause this exception."
@MainActor final class CrashingViewController: HiddenViewController {
override func yapDatabaseModified(notification: Notification) throws {

  // Move my databaseConnection to the most recent commit.
  let notifications = try dbConnection.beginLongLivedReadTransaction()

  // We added this optimization to our code,
  // and then we started to get CRASHES...
  if self.isViewVisible() == false {
    // Oh snap !
    // I updated my databaseConnection to a new commit / snapshot,
    // but I failed to update my mappings. That's BAD.
    
    return; // Danger ! There's a crash in my immediate future !
  }

  // Normal code here...
  try animate(notifications)
}
}

/// "There's a shortcut to quickly update mappings if you don't need the UI animation info."
@MainActor final class QuickViewController: HiddenViewController {
override func yapDatabaseModified(notification: Notification) throws {
  
  // Move my databaseConnection to the most recent commit.
  let notifications = try dbConnection.beginLongLivedReadTransaction()

  if self.isViewVisible() == false {
    // We've disabled the tableView in this situation.
    // It's configured to supply zero sections & zero rows.
    // 
    // For best practice,
    // we update th mappings so they're on the same commit as the connection.
    try dbConnection.read {(transaction) in
      try mappings.update(with: transaction)
    }
    return // Good to go :)
  }

  // Normal code here...
  try animate(notifications)
}
}
