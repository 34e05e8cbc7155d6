import FileEngine

/// The tables of CloudCore extensions. Operations are kept whatever becomes of the rows; what is attached to a row goes with it.
struct CloudCoreKind: ExtensionKind {
    var classNames: Set<String> { ["YapDatabaseCloudCore"] }

    func noteRowsChange(in collection: String?, of name: String, _ store: Store) throws -> DormantChange {
        try CloudCoreTables(store, extension: name).has(.mapping) ? .follows : .settled
    }

    func removeRows(_ rows: [Int64], of name: String, _ store: Store) throws {
        try CloudCoreTables(store, extension: name).removeMappings(of: rows)
    }

    func removeAllRows(of name: String, _ store: Store) throws {
        try CloudCoreTables(store, extension: name).removeAllMappings()
    }

    func check(_ check: WholeFileCheck, _ report: inout YapDatabaseCheckReport) throws {
        for name in try CloudCoreCheck.names(check.store) {
            check.progress("the cloud core \"\(name)\"")
            try check.checking("cloud core", name, &report) { store, report in
                report.problems += try CloudCoreCheck(store, name).problems()
            }
        }
    }
}
