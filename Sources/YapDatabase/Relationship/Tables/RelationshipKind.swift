import FileEngine

/// The tables of relationships.
struct RelationshipKind: ExtensionKind {
    var classNames: Set<String> { TableOwner.Kind.relationship.classes }

    /// The next registration asks the objects for their edges again, and keeps those that were added by hand.
    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        let edges = EdgeTable(store, extension: name)
        // A row of any collection may be the destination that an object waits for.
        if try !store.excludes(collection, extension: name) || edges.lacksEdges {
            try store.markStale(extension: name)
        }
        return try edges.exists ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try EdgeTable(store, extension: name).dropEdges(of: rows)
    }

    func removeAllRows(of name: String, _ store: Store) throws { try EdgeTable(store, extension: name).removeAll() }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        try check.checkRegistration(.relationship, &report)
        for name in try check.store.names(.relationship) {
            check.progress("the relationship \"\(name)\"")
            try check.checking("relationship", name, &report) { store, report in
                report.problems += try EdgeCheck(store: store, name: name).problems()
            }
        }
    }
}
