import FileEngine
import ListChanges

/// A persistent, sorted, grouped list of rows, updated inside every read-write transaction: the base class of all views.
///
/// Conceptually it is a dictionary from group name to an array of rows. The subclass decides groups and order, such as
/// ``YapDatabaseAutoView``; storage, transaction and change-sets are shared. Apps may subclass only a subclass whose documentation says so.
open class YapDatabaseView: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let`.

    let settings: YapViewOptions
    let cache = PageCache()
    private let tag: String

    init(className: String, versionTag: String, options: YapViewOptions) {
        settings = options
        tag = versionTag
        super.init(className: className, classVersion: 3)
    }

    /// A copy of the options that the view was created with.
    public var options: YapDatabaseViewOptions { YapDatabaseViewOptions(settings) }

    /// Names the version of the view's blocks. If the file has another tag for the view, the view is filled again.
    public var versionTag: String { tag }

    /// Returns the tag with which a view of this name was registered last, in this launch or an earlier one; nil if the file has none.
    ///
    /// ```swift
    /// let tag = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "order", with: connection)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the view.
    ///   - connection: the connection that reads; waits for its earlier calls.
    /// - Throws: ``YapDatabaseError`` with code `closed` if the database was closed; `corrupt`, `inputOutput` and the like if the file
    ///   cannot be read.
    public static func previousVersionTag(
        forRegisteredViewName name: String, with connection: YapDatabaseConnection
    ) throws -> String? {
        try connection.read { try $0.store.registeredExtension(name)?.withoutStaleMark.versionTag }
    }

    package var isPersistent: Bool { settings.isPersistent }
    package var collections: YapWhitelistBlacklist? { settings.allowedCollections }

    package func makeConnection(
        name: String, connection: YapDatabaseConnection
    ) -> YapDatabaseExtensionConnection {
        YapDatabaseViewConnection(name: name, connection: connection)
    }

    package func loadState(
        name: String, transaction: YapDatabaseReadTransaction
    ) throws -> any ExtensionState {
        let store = transaction.store
        return try ViewState(ofView: name, in: store, store.pageSummary(ofView: name))
    }

    package func closing(
        _ state: any ExtensionState, name: String, number: Int, in store: Store
    ) -> (() throws -> Void)? {
        guard sizeOfClosing(state) > 0 else { return nil }
        // Pages that were not read have not changed, so they have a summary still.
        let pages = state.unread == nil ? pages(of: state) : nil
        guard let pages, !pages.hasSummary else {
            // Commits that did not concern the view gave the state another number.
            let isStored = (try? store.isSummarized(name, at: number)) == true
            return isStored ? nil : { try store.setNumber(ofSummary: name, number) }
        }
        guard let summary = pages.summary() else { return nil }
        return { try store.set(summary, ofView: name, number: number) }
    }

    package func sizeOfClosing(_ state: any ExtensionState) -> Int {
        if let unread = state.unread { return unread.sizeOfSummary }
        let pages = pages(of: state)
        return isPersistent && !pages.isUnstored ? pages.sizeOfSummary : 0
    }

    /// Returns the pages of a state of the view that was read.
    func pages(of state: any ExtensionState) -> ViewState { state as! ViewState }

    package func log(isIncomplete: Bool) -> (any ExtensionLog)? {
        ViewLog(operations: .empty, isIncomplete: isIncomplete)
    }

    package func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { ViewLog(bytes) }
}

/// A view whose grouping and sorting blocks decide which rows it holds, in which groups and in which order.
///
/// ```swift
/// let view = YapDatabaseAutoView(grouping: grouping, sorting: sorting, versionTag: "2019-05-20")
/// try database.register(view, withName: "order")
/// ```
///
/// The first registration fills the view. A later registration with the same `versionTag` loads only the order of its
/// pages and calls no block; one with another tag clears the view and fills it again.
///
/// Apps may subclass it, for initializers of their own. `setGrouping` and `setSorting` replace an instance of a subclass by a plain
/// `YapDatabaseAutoView` with the new blocks.
open class YapDatabaseAutoView: YapDatabaseView, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView.

    /// Decides the group of a row, and whether the row is in the view.
    public var grouping: YapDatabaseViewGrouping { arrangement.grouping }
    /// Decides the order of the rows of a group.
    public var sorting: YapDatabaseViewSorting { arrangement.sorting }
    let arrangement: Arrangement
    /// The name of the extension that derives the view's rows; nil if programs write the rows.
    let derivedBy: String?

    /// Creates a view. Its blocks run on the thread of the transaction that writes, and on threads of the library while the view is filled or
    /// brought up to date.
    ///
    /// - Parameter versionTag: the version of the blocks. Change it whenever the blocks change, or anything on which their results depend, for
    ///   example the locale.
    public init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String = "",
        options: YapDatabaseViewOptions? = nil
    ) {
        arrangement = Arrangement(grouping: grouping, sorting: sorting, versionTag: versionTag)
        derivedBy = nil
        super.init(
            className: "YapDatabaseAutoView", versionTag: versionTag, options: options?.value ?? YapViewOptions())
    }

    /// Creates a view with options that are a value, such as a constant of the program.
    ///
    /// - Parameters:
    ///   - grouping: decides the group of a row.
    ///   - sorting: decides the order of the rows of a group.
    ///   - versionTag: change it whenever the blocks change.
    ///   - options: which rows the view may have, and whether it is stored.
    public convenience init(
        grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String = "",
        options: YapViewOptions
    ) {
        self.init(
            grouping: grouping, sorting: sorting, versionTag: versionTag, options: YapDatabaseViewOptions(options))
    }

    init(_ arrangement: Arrangement, options: YapViewOptions, derivedBy: String? = nil) {
        (self.arrangement, self.derivedBy) = (arrangement, derivedBy)
        super.init(className: "YapDatabaseAutoView", versionTag: arrangement.versionTag, options: options)
    }

    /// Returns the same view with other blocks.
    func arranged(by arrangement: Arrangement) -> YapDatabaseAutoView {
        YapDatabaseAutoView(arrangement, options: settings, derivedBy: derivedBy)
    }

    package var recovery: ExtensionRecovery { .placing }
    package var dependencies: Set<String> { derivedBy.map { [$0] } ?? [] }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseAutoViewTransaction(view: self, name: name, transaction: transaction, state: state)
    }
}

/// A connection's access to a view: the changes between two of its snapshots.
///
/// `connection.ext("order") as? YapDatabaseViewConnection`
public final class YapDatabaseViewConnection: YapDatabaseExtensionConnection {}
