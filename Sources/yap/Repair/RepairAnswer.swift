import FileReading
import Foundation
import YapDatabase

/// The output of `yap repair`.
struct RepairAnswer {
    /// The most rows of one kind in the text output.
    private static let rowLimit = 50

    let file: String
    let copy: String
    let report: RepairReport

    var exitCode: Int32 {
        if report.hasLosses { return ExitCode.failed }
        return report.hasOlderRows || !report.remaining.isEmpty ? ExitCode.partial : ExitCode.good
    }

    var text: String {
        var lines = [
            "\(TerminalSafe.line(copy)): \(count(report.rows, "row")) of \(TerminalSafe.line(file))."
        ]
        lines += list("lost row", report.lost.count, report.lost.map { "\($0.collection)/\($0.key), row \($0.rowid)" })
        lines += list("row that the copy cannot take", report.refusedCount, report.refused.map(words))
        lines += pages
        lines += report.damage
        lines += report.parts.flatMap(words)
        lines += report.notes
        if !report.remaining.isEmpty {
            lines += list("problem left", report.remaining.count, report.remaining.map { "\($0)" })
        }
        return (lines.map { TerminalSafe.line($0) } + [verdict]).joined(separator: "\n")
    }

    private var verdict: String {
        if !report.lost.isEmpty || report.refusedCount > 0 || !report.damage.isEmpty {
            return "What is named above is lost. Keep the damaged file until it is restored from elsewhere."
        }
        if report.hasLosses { return "Every row is there. What was removed is named above." }
        if report.hasOlderRows { return "Every row is there, some as they were before their last change." }
        if !report.remaining.isEmpty { return "Every row is there. `yap check` says what to do about the rest." }
        return "Every row is there, and yap check finds nothing."
    }

    private func list(_ noun: String, _ number: Int, _ items: [String]) -> [String] {
        guard number > 0 else { return [] }
        let more = number - min(items.count, Self.rowLimit)
        return ["\(count(number, noun)):"] + items.prefix(Self.rowLimit).map { "  \($0)" }
            + (more > 0 ? ["  … and \(RowCount(more)) more; --json lists all."] : [])
    }

    private var pages: [String] {
        guard !report.damagedPages.isEmpty else { return [] }
        let shown = report.damagedPages.prefix(Self.rowLimit).map(String.init).joined(separator: ", ")
        let more = report.damagedPages.count - Self.rowLimit
        return ["Damaged pages: \(shown)" + (more > 0 ? " and \(RowCount(more)) more." : ".")]
    }

    private func words(_ row: RefusedRow) -> String {
        let name = row.address.map { "\($0.collection)/\($0.key)" } ?? "of the table \"\(row.table)\""
        return "\(name)\(row.rowid.map { ", row \($0)" } ?? ""): \(row.rule)"
    }

    private func words(_ part: RepairReport.Part) -> [String] {
        let name = "\(part.className.map(Self.noun) ?? "extension") \"\(part.name)\""
        let head =
            switch part.action {
            case .dropped: "Dropped, and filled when a program registers it: \(name). \(part.reason)"
            case .rebuilt: "Made again: \(name). \(part.reason)"
            case .mended: "Mended: \(name). \(part.reason)"
            case .marked: "Filled again when a program registers it: \(name). \(part.reason)"
            }
        return [head] + list("thing removed", part.removed.count, part.removed)
    }

    private static func noun(_ className: String) -> String {
        className.hasPrefix("YapDatabase") ? String(className.dropFirst("YapDatabase".count)) : className
    }

    private func count(_ number: Int, _ noun: String) -> String {
        guard number != 1 else { return "1 \(noun)" }
        let words = noun.split(separator: " ", maxSplits: 1)
        let isFirst = ["row", "problem", "thing"].contains(String(words[0])) && words.count == 2
        return "\(RowCount(number)) " + (isFirst ? "\(words[0])s \(words[1])" : "\(noun)s")
    }
}

extension RepairAnswer {
    /// The report as one line.
    var json: String {
        var json = JSONObject()
        json.add("file", file)
        json.add("copy", copy)
        json.add("rows", report.rows)
        json.add("isWhole", !report.hasLosses)
        json.add("isSound", report.remaining.isEmpty)
        json.add("lost", report.lost) { row, json in
            json.add("rowid", Int(row.rowid))
            json.add("collection", row.collection)
            json.add("key", row.key)
        }
        json.add("refused", report.refused) { row, json in
            json.add("table", row.table)
            if let rowid = row.rowid { json.add("rowid", Int(rowid)) }
            if let address = row.address {
                json.add("collection", address.collection)
                json.add("key", address.key)
            }
            json.add("rule", row.rule)
        }
        json.add("damagedPages") {
            $0 += Array("[\(report.damagedPages.map(String.init).joined(separator: ","))]".utf8)
        }
        json.add("extensions", report.parts) { part, json in
            json.add("name", part.name)
            json.add("class", part.className)
            json.add("action", part.action.rawValue)
            json.add("reason", part.reason)
            if !part.removed.isEmpty { json.add("removed", part.removed) }
        }
        json.add("damage", report.damage)
        json.add("notes", report.notes)
        json.add("problems", report.remaining.map(\.description))
        return String(decoding: json.closed(), as: UTF8.self)
    }
}
