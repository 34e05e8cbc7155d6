import FileEngine
import ListChanges

/// The groups of a list in one state of a file. May be made in the background and passed on.
package struct ListContent: Sendable {
    package let subject: ListSubject
    package let snapshot: FileSnapshot
    /// In the order in which they are shown. A list that is not a view's has one.
    package let groups: [String]
    package let sources: ExactDictionary<any RowSource>
    /// The damage, in sentences.
    package let damage: [String]
    /// The rows of a table without rowids, which are read by their numbers.
    let ordinals: OrdinalOrder?
    /// Its rows, if they were read to compute a difference.
    let knownSequences = Locked<[RowSequence]?>(nil)
    /// The keys of rows that were shown. They say which row it was once this state is gone.
    let shownKeys = Locked<[Int64: BrowsedRow.Address]>([:])

    /// Finds the groups and the first rows. Takes milliseconds, except for a view of hundreds of thousands of pages.
    /// - Throws: ``YapDatabaseError`` if the file has no such item (the message lists what it has), or if it cannot be
    ///   read.
    /// - Parameter mustExist: whether a missing collection or group is an error. If not, it is an empty list, as needed
    ///   for
    ///   a list that is being followed.
    package init(_ subject: ListSubject, _ snapshot: FileSnapshot, catalog: Catalog, mustExist: Bool = true) throws {
        self.subject = subject
        self.snapshot = snapshot
        if case .view(let view, let groups) = subject {
            _ = try catalog.find(view, in: catalog.views, \.name, "view")
            let pages = try snapshot.pages(ofView: view)
            let there = pages.groups.map(\.name)
            let wanted = groups ?? there
            if mustExist, let missing = wanted.first(where: { pages.group($0) == nil }) {
                throw Catalog.missing(missing, "group", in: "the view \"\(view)\"", there: there)
            }
            self.groups = wanted
            sources = ExactDictionary(
                wanted.map { ($0, snapshot.order(of: pages.group($0) ?? .init(name: $0), inView: view)) })
            damage = pages.damage
            ordinals = nil
        } else {
            if mustExist, case .collection(let collection, _) = subject { try catalog.checkCollection(collection) }
            groups = [subject.title]
            let source = try Self.source(subject, snapshot, catalog)
            sources = ExactDictionary([(subject.title, source)])
            damage = []
            ordinals = source as? OrdinalOrder
        }
    }

    /// Makes a list without rows.
    init(empty subject: ListSubject, _ snapshot: FileSnapshot, damage: [String]) {
        self.subject = subject
        self.snapshot = snapshot
        self.damage = damage
        groups = subject.isView ? [] : [subject.title]
        sources = ExactDictionary()
        ordinals = nil
    }

    package var counts: ExactDictionary<Int> { sources.mapValues(\.count.known) }
    /// Whether all counts are known.
    package var isComplete: Bool { sources.values.allSatisfy(\.count.isComplete) }

    /// Whether rows are left out because there are too many.
    package var isCut: Bool {
        sources.values.contains {
            ($0 as? StatementOrder)?.isCut ?? ($0 as? RowidOrder)?.isCut ?? ($0 as? TableOrder)?.isCut ?? false
        }
    }

    /// A sentence that says that damage hides some rows, as far as known by now; nil if none are hidden.
    package var loss: String? {
        let damage = sources.values.lazy.compactMap {
            ($0 as? RowidOrder)?.damage ?? ($0 as? TableOrder)?.damage
        }.first
        return damage.map { "Some rows are not shown, because they cannot be found: \($0)" }
    }

    private static func source(_ subject: ListSubject, _ snapshot: FileSnapshot, _ catalog: Catalog) throws
        -> any RowSource
    {
        switch subject {
        case .collection(let collection, .key): try snapshot.order(ofCollection: collection)
        case .collection(let collection, .rowid): try snapshot.rowidOrder(ofCollection: collection)
        case .index(let name, let column):
            try snapshot.order(ofIndex: catalog.index(name, column: column), by: column)
        case .fullText(let name, let query):
            try snapshot.order(
                ofFullText: catalog.find(name, in: catalog.fullText, \.name, "full-text index"), matching: query)
        case .relationship(let name):
            try snapshot.order(of: catalog.find(name, in: catalog.relationships, \.name, "relationship"))
        case .rTree(let name):
            try snapshot.order(ofRTree: catalog.find(name, in: catalog.rTrees, \.name, "R-tree"))
        case .smallValues: try snapshot.smallValueOrder()
        case .table(let name): try snapshot.order(ofTable: name)
        case .view: preconditionFailure("A view has a source for each group.")
        }
    }
}

extension ListContent {
    /// Learns all there is to know of the list, on the caller's thread.
    package func loadAll(isCancelled: () -> Bool = { false }) throws {
        for group in groups {
            guard let source = sources[group] else { continue }
            while !isCancelled(), try snapshot.work({ try source.loadMore($0) }) {}
        }
    }
}
