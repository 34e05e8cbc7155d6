import FileEngine

/// The groups of a list at one state of a file. May be made in the background and handed over.
package struct ListContent: Sendable {
    package let subject: ListSubject
    package let snapshot: FileSnapshot
    /// In the order in which they are shown. A list that is no view's has one.
    package let groups: [String]
    package let sources: [String: any RowSource]
    /// What is wrong with it, in sentences.
    package let damage: [String]
    /// Its rows, once they were read to find a difference.
    let knownSequences = Locked<[RowSequence]?>(nil)

    /// Finds the groups and the first rows. Costs milliseconds, except for a view of hundreds of thousands of pages.
    /// - Throws: ``YapDatabaseError`` when there is no such thing in the file, naming what there is, or it cannot be read.
    /// - Parameter mustExist: whether a collection or a group that is not there is an error and not an empty list, as it
    ///   is where a list goes on being followed.
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
            sources = Dictionary(
                wanted.map { ($0, snapshot.order(of: pages.group($0) ?? .init(name: $0), inView: view)) },
                uniquingKeysWith: { first, _ in first })
            damage = pages.damage
        } else {
            if mustExist, case .collection(let collection, _) = subject { try catalog.checkCollection(collection) }
            groups = [subject.title]
            sources = [subject.title: try Self.source(subject, snapshot, catalog)]
            damage = []
        }
    }

    /// A list without rows.
    init(empty subject: ListSubject, _ snapshot: FileSnapshot, damage: [String]) {
        self.subject = subject
        self.snapshot = snapshot
        self.damage = damage
        groups = subject.isView ? [] : [subject.title]
        sources = [:]
    }

    package var counts: [String: Int] { sources.mapValues(\.count.known) }
    /// Whether all counts are known.
    package var isComplete: Bool { sources.values.allSatisfy(\.count.isComplete) }

    /// Whether rows are left out because there are too many.
    package var isCut: Bool {
        sources.values.contains { ($0 as? StatementOrder)?.isCut ?? ($0 as? RowidOrder)?.isCut ?? false }
    }

    /// That rows are left out because what leads to them is damaged, in a sentence, as far as it is known by now.
    package var loss: String? {
        let damage = sources.values.lazy.compactMap { ($0 as? RowidOrder)?.damage }.first
        return damage.map { "Not all rows are shown, for some cannot be found any more: \($0)" }
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
