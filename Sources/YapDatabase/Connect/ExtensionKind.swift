import FileEngine

/// What is done with the tables of extensions of a kind where no extension object is at hand: in a process that has not registered them, and
/// in the whole-file check. Each kind is in the folder of its extension; ``Swift/Array/kinds`` lists them.
protocol ExtensionKind: Sendable {
    /// The names of the classes, as `yap2` has them.
    var classNames: Set<String> { get }

    /// Called before rows of a collection change, if this process has not registered the extension. Marks it as stale if it may have rows
    /// of that collection.
    /// - Parameter collection: nil for all.
    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange

    /// Takes removed rows from the tables, so that the next rows with these rowids have no part in them.
    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws

    /// Empties the tables when all rows are removed.
    func removeAllRows(of name: String, _ store: Store) throws

    /// The collection of the rows that an extension wrote, which go with it; nil if there is none.
    func collectionOfOwnRows(_ name: String) -> String?

    /// Called before a commit that writes no row.
    func willCommitNothing(from before: Int, to after: Int, _ store: Store) throws

    /// Checks all extensions of the kind.
    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws
}

/// What becomes of a dormant extension when rows of a collection change.
enum DormantChange {
    /// Its content has no part in that collection, so it stays right.
    case none
    /// It is marked as stale, or has nothing that could become wrong.
    case settled
    /// Removed rows must be taken from its tables.
    case follows
}

extension ExtensionKind {
    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        if try store.excludes(collection, extension: name) { return .none }
        try store.markStale(extension: name)
        return .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {}
    func removeAllRows(of name: String, _ store: Store) throws {}
    func collectionOfOwnRows(_ name: String) -> String? { nil }
    func willCommitNothing(from before: Int, to after: Int, _ store: Store) throws {}
    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {}
}

/// Extensions that store nothing that could become wrong.
struct KindWithoutTables: ExtensionKind {
    let classNames: Set<String>

    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange { .settled }
}

/// An extension that this process has not registered and whose tables must not keep a row that is removed: content of the user's own, which
/// nothing could rebuild, and columns, which are searched while they are behind.
struct DormantContent {
    let name: String
    let kind: any ExtensionKind

    func removeRows(_ rows: [Int64], _ store: Store) throws {
        try keeping { try kind.removeRows(rows, of: name, store) }
    }

    func removeAllRows(_ store: Store) throws {
        try keeping { try kind.removeAllRows(of: name, store) }
    }

    /// Reports damaged tables as what they are to the caller: an extension that it does not use.
    private func keeping(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as YapDatabaseError where error.code == .corrupt || error.code == .sqlite {
            throw YapDatabaseError(
                .badExtension,
                "The file has the extension \"\(name)\", which this program has not registered and whose tables "
                    + "are damaged, so that a removed row cannot be taken from them. Unregister \"\(name)\", which "
                    + "drops its tables, or restore a backup.", underlying: error)
        }
    }
}

extension [any ExtensionKind] {
    /// Called before rows of a collection change, for each dormant extension.
    /// - Parameter collection: nil for all.
    /// - Returns: what becomes of it, and its tables if they have to follow.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the extension would need its own code to follow the rows.
    func noteRowsChange(
        besideDormant name: String, in collection: String?, _ store: Store
    ) throws -> (DormantChange, DormantContent?) {
        let className = try store.registeredExtension(name)?.className ?? ""
        if let kind = first(where: { $0.classNames.contains(className) }) {
            let change = try kind.noteRowsChange(in: collection, of: name, store)
            return (change, change == .follows ? DormantContent(name: name, kind: kind) : nil)
        }
        guard try store.followsFromRows(extension: name) else { throw Self.cannotFollow(name, className) }
        if try store.excludes(collection, extension: name) { return (.none, nil) }
        try store.markStale(extension: name)
        return (.settled, nil)
    }

    private static func cannotFollow(_ name: String, _ className: String) -> YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "The file has the extension \"\(name)\" of the class \(className), which only that class can keep in step with "
                + "the rows, and this program has not registered it. Nothing was written. Register it before you write, or "
                + "drop it with unregisterExtension(withName: \"\(name)\").")
    }
}
