// swift-format-ignore-file
// mappings.txt, "Dynamic Sections", as it stands there. docs/wiki-samples.md names what is changed.

@MainActor final class RosterViewController: ListViewController {
override func viewDidLoad() throws {

  // Freeze our connection for use on the main-thread.
  // This gives us a stable data-source that won't change until we tell it to.
  try dbConnection.beginLongLivedReadTransaction()

  // Initialize the mappings.
  // Notice that we do this AFTER starting the long-lived transaction.
  try initializeMappings()
  
  // Register for notifications when the database changes.
  // Our method will be invoked on the main-thread,
  // and will allow us to move our stable data-source
  // from our existing commit to an updated commit.
  let nc = NotificationCenter.default
  nc.addObserver( self,
	      selector: RosterViewController.yapDatabaseModified(notification:),
	          name: Notification.Name.YapDatabaseModified,
	        object: nil)
}

override func initializeMappings() throws {
  
  try dbConnection.read {(transaction) in
    guard
      let _ = transaction.ext("roster") as? YapDatabaseViewTransaction
    else {
      // The underlying View isn't ready yet.
      // Delay creating mappings until it's ready.
      return
    }
                     
    let groups = ["available", "away", "offline"]
    mappings = YapDatabaseViewMappings(groups: groups, view: "roster")

    mappings?.setIsDynamicSection(true,  forGroup: "available")
    mappings?.setIsDynamicSection(true,  forGroup: "away")
    mappings?.setIsDynamicSection(false, forGroup: "offline")
    
    // One-time initialization
    try mappings?.update(with: transaction)
  }
}
}
