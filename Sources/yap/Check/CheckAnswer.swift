import FileReading
import Foundation
import YapDatabase

/// The output of `yap check`.
struct CheckAnswer {
    /// The most problems of one file in the text output.
    private static let problemLimit = 50

    let path: String
    var result: Result<YapDatabaseCheckReport, YapDatabaseError>
    /// The rows that are known to be lost.
    var lost: [LostRow] = []
    /// Whether the rows that are not lost are all there, and known to be.
    var isWholeBesides = false

    var isSound: Bool { (try? result.get())?.problems.isEmpty ?? false }

    var text: String {
        switch result {
        case .failure(let error): TerminalSafe.line(sentence(error))
        case .success(let report) where report.problems.isEmpty: holdings(report) + "\nAll is well."
        case .success(let report): holdings(report) + "\n" + problems(report)
        }
    }

    /// Whether the file could be read so far that what is in it was counted.
    func isCounted(_ report: YapDatabaseCheckReport) -> Bool {
        report.snapshot > 0 || report.rows > 0
            || !report.problems.contains { $0.kind == .loss && $0.extensionName == nil }
    }

    private func holdings(_ report: YapDatabaseCheckReport) -> String {
        guard isCounted(report) else { return "\(TerminalSafe.line(path)): what is in it cannot be counted" }
        let head =
            "\(TerminalSafe.line(path)): \(count(report.rows, "row")) in \(count(report.collections, "collection")), "
            + "\(count(report.views.count, "view")), commit \(report.snapshot)"
        let views = report.views.map { view in
            "  view \"\(TerminalSafe.line(view.name))\": \(count(view.rows, "row")) in \(count(view.groups, "group"))"
                + (view.isStale ? "; out of date, filled again when it is next registered" : "")
        }
        return ([head] + views).joined(separator: "\n")
    }

    /// Returns the problems, grouped by remedy, the worst first.
    private func problems(_ report: YapDatabaseCheckReport) -> String {
        let shown = report.problems.prefix(Self.problemLimit)
        var lines = ["\(count(report.problems.count, "problem")):"]
        let remedies = Dictionary(grouping: shown) { $0.remedy }
        func rank(_ problem: YapDatabaseProblem) -> Int {
            YapDatabaseProblem.Kind.allCases.firstIndex(of: problem.kind) ?? 0
        }
        let order = remedies.sorted { (rank($0.value[0]), $0.key) < (rank($1.value[0]), $1.key) }
        for (remedy, problems) in order {
            lines += problems.map { "  \(TerminalSafe.line("\($0)"))" } + ["  → \(TerminalSafe.line(remedy))"]
        }
        if report.problems.count > shown.count {
            lines.append("  … and \(report.problems.count - shown.count) more; --json lists all.")
        }
        return (lines + lostLines + [verdict(report.problems)]).joined(separator: "\n")
    }

    private var lostLines: [String] {
        guard !lost.isEmpty else { return [] }
        let more = lost.count - Self.problemLimit
        return ["\(count(lost.count, "lost row")):"]
            + lost.prefix(Self.problemLimit).map {
                "  \(TerminalSafe.line("\($0.collection)/\($0.key)")), row \($0.rowid)"
            }
            + (more > 0 ? ["  … and \(RowCount(more)) more; --json lists all."] : [])
    }

    /// The last line, which follows from the worst problem.
    private func verdict(_ problems: [YapDatabaseProblem]) -> String {
        let losses = problems.filter { $0.kind == .loss }
        if losses.contains(where: { $0.extensionName == nil }) {
            let copy = "Keep a copy of the file before you do anything."
            if !lost.isEmpty { return "Rows are lost. \(copy)" }
            return isWholeBesides
                ? "No row is lost: the copy of yap repair has all of them. \(copy)" : "Rows may be lost. \(copy)"
        }
        if !losses.isEmpty {
            return "The rows are whole. What was added to an extension by hand may be lost: keep a copy of the file."
        }
        return problems.contains { $0.kind == .rebuildable }
            ? "The rows are whole: everything damaged can be rebuilt."
            : "The rows are whole, and nothing is damaged. The file has parts of another program."
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(RowCount(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
