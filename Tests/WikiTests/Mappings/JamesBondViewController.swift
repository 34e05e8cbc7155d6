// swift-format-ignore-file
// mappings.txt, "Mappings 101" and "Managing Mappings", as they stand there. docs/wiki-samples.md names what is changed.

@MainActor final class JamesBondViewController: UIViewController, UITableViewDataSource {
  let dbConnection: YapDatabaseConnection
  let tableView: UITableView
  var mappings: YapDatabaseViewMappings?

  init(dbConnection: YapDatabaseConnection, tableView: UITableView) {
    self.dbConnection = dbConnection
    self.tableView = tableView
    super.init()
    tableView.dataSource = self
  }

func numberOfSections(in tableView: UITableView) -> Int {
  if let mappings = self.mappings {
    return Int(mappings.numberOfSections())
  } else {
    return 0
  }
}

func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
  if let mappings = self.mappings {
    return Int(mappings.numberOfItems(inSection: UInt(section)))
  } else {
    return 0
  }
}

func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) throws -> UITableViewCell {

  var obj: Any? = nil
  try dbConnection.read {(transaction) in
	  if let viewTransaction = transaction.ext("myView") as? YapDatabaseViewTransaction,
       let mappings = self.mappings
    {
      obj = try viewTransaction.object(at: indexPath, with: mappings)
    }
  }

  // ...
  return UITableViewCell(text: (obj as? Movie)?.title ?? (obj as? FilmActor)?.name ?? "?")
}

override func viewDidLoad() throws {

  // ...

  // Freeze our databaseConnection on the current commit.
  // This gives us a snapshot-in-time of the database,
  // and thus a stable data source for our UI thread.
  try dbConnection.beginLongLivedReadTransaction()

  // Initialize our mappings.
  // Note that we do this AFTER we've started our database longLived transaction.
  try initializeMappings()

  // And register for notifications when the database changes.
  // Our method will be invoked on the main-thread,
  // and will allow us to move our stable data-source from
  // our existing commit to an updated commit.
  let nc = NotificationCenter.default
  nc.addObserver( self,
	      selector: JamesBondViewController.yapDatabaseModified(notification:),
	          name: Notification.Name.YapDatabaseModified,
	        object: nil)
}

func initializeMappings() throws {

  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("myView") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }

    // The view may have a whole bunch of groups.
    // In this example, we just want to look at a single group (1 section).
    let groups = ["bond movies", "bond actors"]
    mappings = YapDatabaseViewMappings(groups:groups, view:"myView")

    // One-time initialization
    try mappings?.update(with: transaction)
  }
}

func yapDatabaseModified(notification: Notification) throws {

  // Jump to the most recent commit.
  // End & Re-Begin the long-lived transaction atomically.
  // Also grab all the notifications for all the commits that I jump.
  // If the UI is a bit backed up, I may jump multiple commits.
  let notifications = try dbConnection.beginLongLivedReadTransaction()

  guard let mappings = self.mappings else {
    try initializeMappings()
    self.tableView.reloadData()
    return
  }

  guard let ext = dbConnection.ext("myView") as? YapDatabaseViewConnection else {
    return
  }

  // Process the notification(s),
  // and get the change-set(s),
  // as applies to my view and mappings configuration.
  let (sectionChanges, rowChanges) = try ext.getChanges(forNotifications: notifications, withMappings: mappings)

  if (sectionChanges.count == 0) && (rowChanges.count == 0) {
    // There aren't any changes that affect our tableView!
    return
  }

  // Animate tableView updates !
  tableView.beginUpdates()
  for change in sectionChanges {
    switch change.type {
      case .delete:
        try tableView.deleteSections(IndexSet(integer: Int(change.index)), with: .automatic)

      case .insert:
        try tableView.insertSections(IndexSet(integer: Int(change.index)), with: .automatic)

      default: break
    }
  }
  for change in rowChanges {
    switch change.type {
      case .delete:
        try tableView.deleteRows(at: [change.indexPath!], with: .automatic)

      case .insert:
        try tableView.insertRows(at: [change.newIndexPath!], with: .automatic)

      case .move:
        try tableView.moveRow(at: change.indexPath!, to: change.newIndexPath!)

      case .update:
        try tableView.reloadRows(at: [change.indexPath!], with: .automatic)
    }
  }
  try tableView.endUpdates()
}
}
