import FileEngine

/// The pages of a view that was registered and that nothing has read yet: the first transaction that uses the view reads them.
///
/// A program registers all its lists when it opens its file, and shows a few of them. What it does not show costs one look at the beginning of
/// the summary of its pages, and no memory. Only a view with a summary begins so: the pages of another one are read at once, and their damage is
/// found.
///
/// All states in which the view has not changed share the object, so it is read once. Each transaction reads out of its own state of the file.
final class UnreadPages: ExtensionState {
    /// The summary when it was found. As long as a state has this object no commit has changed the pages, so a later summary is of the same.
    private let summary: FoundSummary
    private let pages = LazyReference<ReadPages>()

    private final class ReadPages: Sendable {
        let state: ViewState

        init(_ state: ViewState) { self.state = state }
    }

    init(_ summary: FoundSummary) { self.summary = summary }

    var sizeOfSummary: Int { ViewState.sizeOfSummary(ofPages: summary.pages) }

    var known: (any ExtensionState)? { pages.load()?.state }

    /// The pages. Two transactions that ask first at the same time both read them.
    /// - Parameter transaction: one on a state that has this object.
    /// - Throws: ``YapDatabaseError`` if they cannot be read or do not fit each other.
    func state(ofView name: String, in transaction: YapDatabaseReadTransaction) throws -> ViewState {
        if let read = pages.load() { return read.state }
        let store = transaction.store
        let state = try ViewState(ofView: name, in: store, store.pageSummary(ofView: name, summary))
        return pages.storeIfNil(ReadPages(state)).state
    }

    /// It is unknown, and no list has been made of these pages.
    func hasStoredPages(of other: any ExtensionState) -> Bool { false }
}

extension ExtensionState {
    /// The same, if it is one of a view that was not read. By its type: a cast that fails takes 0.2 ms the first time in a process.
    var unread: UnreadPages? { Self.self == UnreadPages.self ? (self as! UnreadPages) : nil }
}
