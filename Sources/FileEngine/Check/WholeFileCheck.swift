import Foundation
import SQLiteBridge

/// The whole-file check, in one snapshot.
package struct WholeFileCheck {
    let store: Store
    package let path: String
    let progress: (String) -> Void
    /// Checks of what the engine does not interpret, in the same snapshot.
    private let others: [(step: String, problems: (Store) throws -> [YapDatabaseProblem])]
    private var report = YapDatabaseCheckReport()
    private var foreign: [YapDatabaseProblem] = []

    package init(
        store: Store, path: String,
        others: [(step: String, problems: (Store) throws -> [YapDatabaseProblem])] = [],
        progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.others = others
        self.path = path
        self.progress = progress
    }

    /// Checks a file without leaving a trace beside it.
    package static func report(
        url: URL, others: [(step: String, problems: (Store) throws -> [YapDatabaseProblem])] = [],
        progress: @escaping (String) -> Void
    ) throws -> YapDatabaseCheckReport {
        try TracelessRead.read(url: url) { store in
            var check = WholeFileCheck(store: store, path: url.path, others: others, progress: progress)
            var report = try check.run()
            if let sentence = TracelessRead.unfinishedChange(TracelessRead.target(of: url.path)) {
                report.problems.insert(.unfinished(sentence), at: 0)
            }
            return report
        }
    }

    mutating func run() throws -> YapDatabaseCheckReport {
        do {
            // CHECK constraints are reported and not run.
            try store.execute("PRAGMA ignore_check_constraints = ON")
            try store.execute("BEGIN")
            try checkOwner()
            foreign = try FileLayout(store, path: path).foreignParts().map { .foreign($0.description, path: path) }
            progress("the structure of the file")
            report.problems = try store.structureProblems(path: path)
            try countRows()
            try checkExtensions()
            if report.problems.isEmpty {
                for (step, problems) in others {
                    progress(step)
                    report.problems += try problems(store)
                }
            }
            try store.rollback()
        } catch let error as YapDatabaseError where Self.meansDamage(error) {
            // SQLite cannot read any further.
            if report.problems.isEmpty || report.problems.allSatisfy({ $0.extensionName != nil }) {
                report.problems.append(.inRows(error.description, path: path))
            }
        }
        report.problems = foreign + report.problems
        return report
    }

    /// One of our statements does not compile if a table lacks a column.
    private static func meansDamage(_ error: YapDatabaseError) -> Bool {
        error.code == .corrupt || error.code == .sqlite && error.sqliteCode == SQLiteError.statement
    }

    private func checkOwner() throws {
        try Schema.checkVersion(Schema.userVersion(store), path: path)
        for table in ["yap2", "database2"] where try !store.hasTable(table) {
            throw YapDatabaseError(
                .notAYapDatabase,
                "\(path) is an SQLite database of another program, or of a release before version 3 of the layout: it has "
                    + "no table \"\(table)\". Opening an old file for writing upgrades it.")
        }
    }

    private mutating func countRows() throws {
        progress("the rows")
        report.snapshot = try store.snapshotNumber()
        report.rows = try store.countOfAllRows()
        report.collections = try store.countOfCollections()
        do {
            report.problems += try store.flawsOfCollections().map { .inRows($0, path: path) }
        } catch let error as YapDatabaseError where error.code == .corrupt {
            report.problems.append(.inRows(error.message, path: path))
        }
    }

    private mutating func checkExtensions() throws {
        for name in try store.names(.view) {
            progress("the view \"\(name)\"")
            try checking("view", name) { store, report in
                if let view = try store.viewSummary(name) { report.views.append(view) }
                report.problems += try ViewCheck(store, name).problems()
            }
        }
        for kind in TableOwner.Kind.allCases where kind != .view {
            progress("the \(kind.plural)")
            report.problems += try store.problemsOfRegistration(kind)
            if TableOwner.Kind.indexes.contains(kind) {
                report.problems += try IndexCheck(store: store, kind: kind).problems()
            }
        }
        for name in try store.names(.relationship) {
            progress("the relationship \"\(name)\"")
            try checking("relationship", name) { store, report in
                report.problems += try EdgeCheck(store: store, name: name).problems()
            }
        }
        for name in try store.yapExtensionNames() {
            try checking("extension", name) { store, report in
                report.problems += try LeftOutCheck(store: store, name: name).problems()
            }
        }
        for name in try CloudCoreCheck.names(store) {
            progress("the cloud core \"\(name)\"")
            try checking("cloud core", name) { store, report in
                report.problems += try CloudCoreCheck(store, name).problems()
            }
        }
    }

    /// Reports an extension that cannot be read.
    private mutating func checking(
        _ kind: String, _ name: String, _ check: (Store, inout YapDatabaseCheckReport) throws -> Void
    ) throws {
        do {
            try check(store, &report)
        } catch let error as YapDatabaseError where Self.meansDamage(error) {
            // Damage to the structure is reported already; a table that lacks a column is not.
            if report.problems.isEmpty || error.code == .sqlite {
                let problem = "\(kind) \"\(name)\" cannot be read: \(error)"
                report.problems.append(
                    .inExtension(name, problem, followsFromRows: try store.followsFromRows(extension: name)))
            }
        }
    }
}
