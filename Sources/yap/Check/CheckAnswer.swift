import FileReading
import Foundation
import YapDatabase

/// The output of `yap check`.
struct CheckAnswer {
    /// The most problems of one file in the text output.
    private static let problemLimit = 50

    let path: String
    let result: Result<YapDatabaseCheckReport, YapDatabaseError>

    init(path: String, _ result: Result<YapDatabaseCheckReport, YapDatabaseError>) {
        self.path = path
        self.result = result
    }

    var isSound: Bool { (try? result.get())?.problems.isEmpty ?? false }

    var text: String {
        switch result {
        case .failure(let error): TerminalSafe.line("\(error)")
        case .success(let report) where report.problems.isEmpty: holdings(report) + "\nAll is well."
        case .success(let report): holdings(report) + "\n" + problems(report)
        }
    }

    private func holdings(_ report: YapDatabaseCheckReport) -> String {
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
        let order = remedies.sorted {
            ($0.value[0].canBeRebuilt ? 1 : 0, $0.key) < ($1.value[0].canBeRebuilt ? 1 : 0, $1.key)
        }
        for (remedy, problems) in order {
            lines += problems.map { "  \(TerminalSafe.line("\($0)"))" } + ["  → \(TerminalSafe.line(remedy))"]
        }
        if report.problems.count > shown.count {
            lines.append("  … and \(report.problems.count - shown.count) more; --json lists all.")
        }
        lines.append(
            report.problems.allSatisfy(\.canBeRebuilt)
                ? "The rows are whole: everything damaged can be rebuilt."
                : "Rows may be lost. Keep a copy of the file before you do anything.")
        return lines.joined(separator: "\n")
    }

    private func count(_ number: Int, _ noun: String) -> String {
        "\(RowCount(number)) \(noun)\(number == 1 ? "" : "s")"
    }
}
