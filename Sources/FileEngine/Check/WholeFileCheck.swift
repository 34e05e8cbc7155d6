import Foundation
import SQLiteBridge

/// The whole-file check, in one snapshot.
package struct WholeFileCheck {
    package let store: Store
    package let path: String
    /// Called with a description of the next step.
    package let progress: (String) -> Void
    /// Checks the extensions, which the engine does not interpret, in the same snapshot.
    package typealias Extensions = (WholeFileCheck, inout YapDatabaseCheckReport) throws -> Void
    private var report = YapDatabaseCheckReport()
    private var foreign: [YapDatabaseProblem] = []

    private init(store: Store, path: String, progress: @escaping (String) -> Void) {
        self.store = store
        self.path = path
        self.progress = progress
    }

    /// Checks a file without leaving a trace beside it.
    package static func report(
        url: URL, progress: @escaping (String) -> Void, extensions: Extensions
    ) throws -> YapDatabaseCheckReport {
        try TracelessRead.read(url: url) { store in
            var check = WholeFileCheck(store: store, path: url.path, progress: progress)
            var report = try check.run(extensions)
            if let sentence = TracelessRead.unfinishedChange(TracelessRead.target(of: url.path)) {
                report.problems.insert(.unfinished(sentence), at: 0)
            }
            return report
        }
    }

    private mutating func run(_ extensions: Extensions) throws -> YapDatabaseCheckReport {
        do {
            // CHECK constraints are reported and not run.
            try store.execute("PRAGMA ignore_check_constraints = ON")
            try store.execute("BEGIN")
            try checkOwner()
            foreign = try FileLayout(store, path: path).foreignParts().map { .foreign($0.description, path: path) }
            progress("the structure of the file")
            report.problems = try store.structureProblems(path: path)
            try countRows()
            try extensions(self, &report)
            try checkLeftOutRows()
            try store.rollback()
        } catch let error as YapDatabaseError where Self.meansDamage(error) {
            // SQLite cannot read any further.
            if report.problems.isEmpty || report.problems.allSatisfy({ $0.extensionName != nil }) {
                // The error itself advises to check the file.
                let sentence = error.sqliteMessage.map { "SQLite cannot read on: \($0)" }
                report.problems.append(.inRows(sentence ?? error.description, path: path))
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

    private mutating func checkLeftOutRows() throws {
        for name in try store.yapExtensionNames() {
            try checking("extension", name, &report) { store, report in
                report.problems += try LeftOutCheck(store: store, name: name).problems()
            }
        }
    }

    /// Checks whether extensions of a kind have both an entry in `yap2` and a table.
    package func checkRegistration(_ kind: TableOwner.Kind, _ report: inout YapDatabaseCheckReport) throws {
        progress("the \(kind.plural)")
        report.problems += try store.problemsOfRegistration(kind)
    }

    /// Reports an extension that cannot be read.
    package func checking(
        _ kind: String, _ name: String, _ report: inout YapDatabaseCheckReport,
        _ check: (Store, inout YapDatabaseCheckReport) throws -> Void
    ) throws {
        do {
            try check(store, &report)
        } catch let error as YapDatabaseError where Self.meansDamage(error) {
            // Damage to the structure is reported already; a table that lacks a column is not.
            if report.problems.isEmpty || error.code == .sqlite {
                let problem = "\(kind) \"\(name)\" cannot be read: \(error)"
                report.problems.append(
                    .inExtension(name, problem, followsFromRows: try store.isFilledAgain(extension: name)))
            }
        }
    }
}
