import FileReading
import Foundation
import ObjectDecoding
import YapDatabase

/// Compares two files and prints in what they differ.
struct FileDiff {
    private let (first, second): (BrowsedFile, BrowsedFile)
    private let isJSON: Bool
    private let isBrief: Bool
    private let withViews: Bool
    private let output: StandardOutput
    private let decoder = RowDecoder()

    /// Ends a comparison whose answer is known.
    private struct Found: Error {}

    init(_ first: BrowsedFile, _ second: BrowsedFile, _ options: ParsedOptions, _ output: StandardOutput) {
        (self.first, self.second, self.output) = (first, second, output)
        isJSON = options["json"] != nil
        isBrief = options["brief"] != nil
        withViews = options["rows-only"] == nil
    }

    /// - Returns: the exit code.
    func run() throws -> Int32 {
        var comparison = FileComparison(first.snapshot, second.snapshot)
        let line = StatusLine(after: .milliseconds(500), every: .milliseconds(200))
        do {
            try comparison.run(withViews: withViews) { rows in
                try checkInterrupt()
                line.show("Compared \(RowCount(rows)) rows …")
            } _: { difference in
                if isBrief { throw Found() }
                if output.isTerminal { line.clear() }
                try output.write(isJSON ? jsonLine(difference) : Array(text(difference).utf8))
            }
        } catch is Found {
            line.clear()
            try output.write(Array("\(first.path) and \(second.path) differ.\n".utf8))
            return ExitCode.failed
        }
        line.clear()
        for sentence in comparison.notes { printError(sentence) }
        if isJSON { try output.write(jsonSummary(comparison.counts)) }
        if !isJSON, !isBrief {
            try output.flush()
            printError(summary(comparison.counts))
        }
        return comparison.counts.isEqual ? ExitCode.good : ExitCode.failed
    }

    // MARK: Text

    private func text(_ difference: FileDifference) -> String {
        switch difference {
        case .deleted(let row): "- \(name(row.address))  \(content(row))\n"
        case .inserted(let row): "+ \(name(row.address))  \(content(row))\n"
        case .updated(let address, let object, let metadata):
            "~ \(name(address))\n" + object.map { field($0, "") }.joined()
                + metadata.map { field($0, "metadata ") }.joined()
        case .view(let view, let isNew): "> view \(quoted(view)) \(isNew ? "is new" : "is gone")\n"
        case .group(let group, let view, let isNew, let count):
            "> view \(quoted(view)), group \(quoted(group)) \(isNew ? "is new" : "is gone"), \(RowCount(count)) rows\n"
        case .place(let place):
            "> view \(quoted(place.view)), group \(quoted(place.group)): \(name(place.address)) "
                + "\(number(place.before)) → \(number(place.after))\n"
        }
    }

    private func field(_ field: FieldDifference, _ prefix: String) -> String {
        "    \(prefix)\(TerminalSafe.line(field.path.description)): \(value(field.before)) → \(value(field.after))\n"
    }

    private func name(_ address: BrowsedRow.Address?) -> String {
        address.map { TerminalSafe.line("\($0.collection)/\($0.key)") } ?? "a row that is not there"
    }

    private func content(_ row: BrowsedRow) -> String {
        TerminalSafe.line(decoder.object(of: row)?.value.summary(limit: 100) ?? "")
    }

    private func value(_ value: DecodedValue?) -> String {
        guard let value else { return "nothing" }
        if case .string(let text) = value { return quoted(text.count > 100 ? String(text.prefix(100)) + "…" : text) }
        return TerminalSafe.line(value.summary(limit: 100))
    }

    private func quoted(_ text: String) -> String { TerminalSafe.line("\"\(text)\"") }
    private func number(_ place: Int?) -> String { place.map { String($0 + 1) } ?? "nothing" }

    private func summary(_ counts: DifferenceCounts) -> String {
        if counts.isEqual { return "No difference: \(RowCount(counts.equal)) rows are equal." }
        return
            "\(RowCount(counts.inserted)) new, \(RowCount(counts.deleted)) gone, \(RowCount(counts.updated)) changed, "
            + "\(RowCount(counts.equal)) equal rows; \(RowCount(counts.inViews)) differences in views."
    }
}

// MARK: JSON

extension FileDiff {
    private func jsonLine(_ difference: FileDifference) -> [UInt8] {
        var json = JSONObject()
        switch difference {
        case .deleted(let row), .inserted(let row):
            if case .deleted = difference { json.add("change", "delete") } else { json.add("change", "insert") }
            add(row.address, to: &json)
            json.add("object") { (decoder.object(of: row)?.value ?? .null).appendJSON(to: &$0) }
            json.add("metadata") { (decoder.metadata(of: row)?.value ?? .null).appendJSON(to: &$0) }
        case .updated(let address, let object, let metadata):
            json.add("change", "update")
            add(address, to: &json)
            json.add("fields", object.map { ("object", $0) } + metadata.map { ("metadata", $0) }) { entry, json in
                json.add("in", entry.0)
                json.add("path", entry.1.path.description)
                if let before = entry.1.before { json.add("before") { before.appendJSON(to: &$0) } }
                if let after = entry.1.after { json.add("after") { after.appendJSON(to: &$0) } }
            }
        case .view(let view, let isNew):
            json.add("change", "view")
            json.add("view", view)
            json.add("is", isNew ? "new" : "gone")
        case .group(let group, let view, let isNew, let count):
            json.add("change", "group")
            json.add("view", view)
            json.add("group", group)
            json.add("is", isNew ? "new" : "gone")
            json.add("count", count)
        case .place(let place):
            json.add("change", "place")
            json.add("view", place.view)
            json.add("group", place.group)
            if let address = place.address { add(address, to: &json) }
            if let before = place.before { json.add("from", before) }
            if let after = place.after { json.add("to", after) }
        }
        return TerminalSafe.json(json.closed()) + [UInt8(ascii: "\n")]
    }

    private func add(_ address: BrowsedRow.Address?, to json: inout JSONObject) {
        guard let address else { return }
        json.add("collection", address.collection)
        json.add("key", address.key)
    }

    private func jsonSummary(_ counts: DifferenceCounts) -> [UInt8] {
        var json = JSONObject()
        json.add("equal", counts.equal)
        json.add("inserted", counts.inserted)
        json.add("deleted", counts.deleted)
        json.add("updated", counts.updated)
        json.add("inViews", counts.inViews)
        return json.closed() + [UInt8(ascii: "\n")]
    }
}
