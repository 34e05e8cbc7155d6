/// The code that every sample of mappings shares with `JamesBondViewController`: a controller whose mappings a subclass
/// makes.
@MainActor class ListViewController: UIViewController, UITableViewDataSource {
    let dbConnection: YapDatabaseConnection
    let tableView: UITableView
    var mappings: YapDatabaseViewMappings?
    /// The last change-set that was not empty.
    private(set) var lastChanges = ChangeSet()

    init(dbConnection: YapDatabaseConnection, tableView: UITableView) {
        self.dbConnection = dbConnection
        self.tableView = tableView
        super.init()
        tableView.dataSource = self
    }

    override func viewDidLoad() throws {
        try dbConnection.beginLongLivedReadTransaction()
        try initializeMappings()
    }

    func initializeMappings() throws {}

    /// The text of a row. `object` is its object.
    func text(_ object: Any, at indexPath: IndexPath, _ view: YapDatabaseViewTransaction) throws -> String {
        switch object {
        case let book as Book: book.title
        case let buddy as Buddy: buddy.name
        case let message as Message: message.text
        default: "?"
        }
    }

    func numberOfSections(in tableView: UITableView) -> Int { mappings?.numberOfSections() ?? 0 }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        mappings?.numberOfItems(inSection: section) ?? 0
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) throws -> UITableViewCell {
        guard let mappings else { return UITableViewCell([]) }
        return try dbConnection.read { transaction in
            guard let view = transaction.ext(mappings.view) as? YapDatabaseViewTransaction,
                let object = try view.object(at: indexPath, with: mappings)
            else { return UITableViewCell(text: "?") }
            return UITableViewCell(text: try text(object, at: indexPath, view))
        }
    }

    func yapDatabaseModified(notification: Notification) throws { try follow() }

    /// Jumps to the newest commit and animates what it changed, as the documents' `yapDatabaseModified` does.
    func follow() throws {
        let notifications = try dbConnection.beginLongLivedReadTransaction()
        guard let mappings = self.mappings, let ext = dbConnection.ext(mappings.view) as? YapDatabaseViewConnection
        else { return }
        let (sectionChanges, rowChanges) = try ext.getChanges(forNotifications: notifications, withMappings: mappings)
        // A notification may be that of another database.
        if sectionChanges.isEmpty && rowChanges.isEmpty { return }
        lastChanges = ChangeSet(sectionChanges: sectionChanges, rowChanges: rowChanges)
        tableView.beginUpdates()
        for change in sectionChanges {
            switch change.type {
            case .delete: try tableView.deleteSections(IndexSet(integer: change.index), with: .automatic)
            case .insert: try tableView.insertSections(IndexSet(integer: change.index), with: .automatic)
            default: break
            }
        }
        for change in rowChanges {
            switch change.type {
            case .delete: try tableView.deleteRows(at: [change.indexPath!], with: .automatic)
            case .insert: try tableView.insertRows(at: [change.newIndexPath!], with: .automatic)
            case .move: try tableView.moveRow(at: change.indexPath!, to: change.newIndexPath!)
            case .update: try tableView.reloadRows(at: [change.indexPath!], with: .automatic)
            }
        }
        try tableView.endUpdates()
    }
}
