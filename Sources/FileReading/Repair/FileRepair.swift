import FileEngine
import Foundation

/// Makes a sound copy of a damaged file. The file itself is only read, without a trace.
///
/// 1. Every row that can be found is copied, as ``FileExport`` finds it; indexes are made again by their definitions.
/// 2. Extensions that are damaged are made right again, or dropped if they follow from the rows (``ExtensionRepair``).
/// 3. The copy is checked. What the check finds is made right too.
/// 4. The copy gets its name. Until then it has another one beside it, so there is never half a copy under the name.
package final class FileRepair {
    /// The whole-file check, which knows the extensions.
    package typealias Check = (_ path: String) throws -> YapDatabaseCheckReport

    private let source: String
    private let target: String
    private let check: Check
    private let progress: (String) -> Void
    private let isCancelled: @Sendable () -> Bool
    private var report = RepairReport()

    /// The most rounds of mending and checking. One mends all that it finds; what it removes may be missed elsewhere.
    private static let roundLimit = 6

    /// - Parameters:
    ///   - source: the damaged file.
    ///   - target: the name of the copy, which must not exist.
    ///   - check: the whole-file check.
    ///   - progress: called with what is being done.
    ///   - isCancelled: called repeatedly while rows are copied.
    package init(
        _ source: String, to target: String, check: @escaping Check, progress: @escaping (String) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.source, self.target, self.check) = (source, target, check)
        (self.progress, self.isCancelled) = (progress, isCancelled)
    }

    /// Makes the copy.
    /// - Throws: ``YapDatabaseError`` and ``ImportError`` if no copy can be made. There is none then.
    package func run() throws -> RepairReport {
        try UnfinishedFile.checkIsFree(target, "A repair makes a new file; choose another name.")
        progress("what is damaged")
        let found = Result { try check(source) }
        let unfinished = UnfinishedFile.path(for: target)
        do {
            let before = (try? found.get())?.problems ?? []
            let isDamaged = before.contains { $0.extensionName == nil && $0.kind != .foreign }
            let copied = try copyRows(to: unfinished, checksKeys: isDamaged)
            do {
                try mend(unfinished, before, copied)
            } catch {
                // A file of another program is one in the copy too.
                _ = try found.get()
                throw error
            }
            try findPages(before)
            progress("the end of the copy")
            try UnfinishedFile.finish(unfinished, as: target)
        } catch {
            // The cause is the error to know; what cannot be removed keeps its unfinished name.
            try? UnfinishedFile.remove(unfinished)
            throw error
        }
        return report
    }

    /// Copies every row that can be found.
    private func copyRows(to path: String, checksKeys: Bool) throws -> ExportReport {
        let source = try ExportSource(source) { [self] in report.notes.append($0) }
        let copy = try FileImport(path: path, for: target)
        var count = 0
        let lines = ImportLines { for line in $0 { if let line { try copy.add(line) } } }
        // The beginning of a very long line, which arrives in pieces.
        var open: [UInt8] = []
        let exported = try source.report(isCancelled: isCancelled, hasMeaning: false, checksKeys: checksKeys) {
            table, bytes in
            if isCancelled() { throw YapDatabaseError(.interrupted, "The repair was stopped before its end.") }
            count += bytes.count
            progress("\(count >> 20) MB\(table.map { " of the table \"\($0)\"" } ?? "")")
            open += bytes
            guard open.last == 0x0A else { return }
            let block = open
            open = []
            try lines.add(block)
        }
        try lines.finish()
        progress("the indexes")
        try copy.end()
        report.lost = exported.lost
        (report.refused, report.refusedCount) = (copy.refused, copy.leftOut)
        report.notes += copy.notes.filter { !exported.notes.contains($0) } + exported.notes
        report.hasOlderRows = exported.hasOlderRows
        return exported
    }

    /// Makes the extensions of the copy right, until the check finds nothing that can be.
    private func mend(_ path: String, _ before: [YapDatabaseProblem], _ copied: ExportReport) throws {
        var repair = ExtensionRepair(torn: copied.tornTables)
        try repair.begin(path, before, dropsDerived: copied.hasOlderRows)
        progress("whether the copy is sound")
        var checked = try check(path)
        for _ in 0..<Self.roundLimit {
            guard try repair.mend(path, checked.problems) else { break }
            checked = try check(path)
        }
        report.parts = repair.parts
        report.rows = checked.rows
        let inValues = try ValueCheck.problems(ofFile: path) { rows in
            progress("the values of \(RowCount(rows)) rows")
            return !isCancelled()
        }
        report.remaining = (checked.problems + inValues).map { problem in
            var problem = problem
            problem.description = problem.description.replacing(path, with: target)
            problem.remedy = problem.remedy.replacing(path, with: target)
            return problem
        }
        // What a dropped extension lacked is no loss.
        let refilled = Set(repair.refilledTables.compactMap { copied.tornTables[$0] })
        report.damage = copied.damage.filter { !refilled.contains($0) }
        let isFilledAgain = repair.isFilledAgain
        let rest = report.refused.filter { !isFilledAgain($0.table) }
        report.refusedCount -= report.refused.count - rest.count
        report.refused = rest
    }

    /// Lists the damaged pages, if anything is damaged.
    private func findPages(_ before: [YapDatabaseProblem]) throws {
        guard !before.isEmpty || report.hasLosses else { return }
        if EncryptedFile.isUnlocked(source) {
            report.damagedPages = try EncryptedFile.damagedPages(source)
        } else if let file = try? BrowsedFile(path: source) {
            report.damagedPages = try file.snapshot.work { store in
                guard let pages = FilePages(store, maxFrames: file.snapshot.log?.frames) else { return [] }
                return try RowRescue(pages, roots: RowRescue.roots(store), isCancelled: isCancelled).brokenPages
                    .sorted()
            }
        }
    }
}
