import FileEngine

/// The tables of derived rows. Where a process has not registered them, they stay as they are and are marked as stale: entries of removed rows tell
/// later which derived rows these leave.
struct DerivedRowsKind: ExtensionKind {
    var classNames: Set<String> { TableOwner.Kind.derived.classes }

    func collectionOfOwnRows(_ name: String) -> String? { RowTable.collection(derivedBy: name) }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        try check.checkRegistration(.derived, &report)
        // Of a table whose pages are damaged SQLite may read rows without end.
        let damaged = Set(report.problems.compactMap(\.extensionName))
        for name in try check.store.names(.derived) where !damaged.contains(name) {
            check.progress("the derived rows \"\(name)\"")
            try check.checking("derived rows", name, &report) { store, report in
                report.problems += try DerivedRowsCheck(store, name).problems()
            }
        }
    }
}
