// The documents call UIKit. Here are the names that their code uses, for the table of this package.

typealias UITableView = TableView
typealias UITableViewCell = RowCell
typealias UITableViewDataSource = TableViewDataSource

/// The part of UIKit's controllers that the documents override.
@MainActor class UIViewController {
    fileprivate var observers: [any NSObjectProtocol] = []

    func viewDidLoad() throws {}

    /// A controller of a document is observed as long as it lives; that of a test, no longer than its database.
    func stopObserving() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }
}

extension NotificationCenter {
    /// Calls a method of a controller for each notification.
    ///
    /// Only the Objective-C runtime has selectors, so the method itself is given instead of `#selector`. A program on
    /// Linux writes the block form, as this does.
    @MainActor func addObserver<Observer: UIViewController>(
        _ observer: Observer, selector: @escaping @MainActor (Observer) -> @MainActor (Notification) throws -> Void,
        name: Notification.Name, object: Any?
    ) {
        let token = addObserver(forName: name, object: object, queue: nil) { [weak observer] notification in
            nonisolated(unsafe) let notification = notification
            MainActor.assumeIsolated {
                guard let observer else { return }
                do { try selector(observer)(notification) } catch { Issue.record("\(error)") }
            }
        }
        observer.observers.append(token)
    }
}

extension UITableViewCell {
    init(text: String) { self.init([Line(text: text)]) }
}
