import ByteFormats
import FileEngine
import SQLiteBridge

/// The first line of an export: what its file is like.
struct ExportHead {
    private let pageSize: Int
    private var encoding = "UTF-8"
    private var autoVacuum = 1
    private var userVersion = Schema.version
    private var applicationID = 0

    /// The head of a file that only the library can have written.
    init(pageSize: Int) { self.pageSize = pageSize }

    init(_ store: Store) throws {
        pageSize = try store.pragma("page_size")
        encoding = try store.first("PRAGMA encoding") { $0.text(at: 0) ?? "" } ?? ""
        autoVacuum = try store.pragma("auto_vacuum")
        userVersion = try store.pragma("user_version")
        applicationID = try store.pragma("application_id")
    }

    fileprivate var json: JSONObject {
        var json = JSONObject()
        json.add("yap", 1)
        json.add("pageSize", pageSize)
        json.add("encoding", encoding)
        json.add("autoVacuum", autoVacuum)
        json.add("userVersion", userVersion)
        json.add("applicationID", applicationID)
        return json
    }
}

extension ExportPlan {
    /// Writes an export from its first line to its last.
    /// - Parameters:
    ///   - write: as ``FileExport/report(isCancelled:_:)`` has it.
    ///   - rows: writes the rows of one table and returns their number. It notes in the report what is missing.
    func export(
        _ head: ExportHead, to write: (_ table: String?, _ lines: [UInt8]) throws -> Void,
        rows: (ExportedItem.Table, inout ExportReport) throws -> Int
    ) throws -> ExportReport {
        func writeLine(_ json: consuming JSONObject) throws { try write(nil, json.closed() + [UInt8(ascii: "\n")]) }
        try writeLine(head.json)
        for item in items { try writeLine(item.json) }
        var report = ExportReport(damage: losses, notes: notes)
        var counts = JSONObject()
        for table in tables { counts.add(table.name, try rows(table, &report)) }
        for row in report.lost { try writeLine(row.json) }
        try writeLine(report.lastLine(counts))
        return report
    }
}

/// What an export did.
package struct ExportReport: Sendable {
    /// What is missing because it cannot be read, in sentences; empty for a sound file.
    package internal(set) var damage: [String] = []
    /// What was mended, found elsewhere or carried over unread, in sentences.
    package internal(set) var notes: [String] = []
    /// The rows that are known to be lost.
    package internal(set) var lost: [LostRow] = []
    /// The tables that lack rows, or may lack rows, each with its sentence in ``damage``.
    package internal(set) var tornTables: [String: String] = [:]
    /// Whether some rows are from older copies of their pages, and may have changed since.
    package internal(set) var hasOlderRows = false

    package init(damage: [String] = [], notes: [String] = []) { (self.damage, self.notes) = (damage, notes) }

    /// Adds what a search for rows found.
    /// - Parameter sentence: why it was made.
    /// - Returns: why rows are missing; nil if none is.
    mutating func add(_ found: RowRescue.Result, _ sentence: String?) -> String? {
        notes += found.sentences
        lost = found.lost
        if found.inOlderCopies > 0 { hasOlderRows = true }
        if found.isExact, lost.isEmpty { return nil }
        let number = lost.count == 1 ? "1 row is" : "\(RowCount(lost.count)) rows are"
        let known =
            found.isExact
            ? "\(number) lost."
            : (lost.isEmpty ? "" : "\(number) known to be lost. ")
                + "The index of the keys is damaged too, so there may be more."
        return "\(sentence ?? "Rows of the table \"\(Schema.rowTable)\" may be missing.") \(known)"
    }

    /// Adds what a search for the rows of another table found.
    /// - Parameters:
    ///   - found: nil if the file cannot be searched.
    ///   - isSuspected: whether SQLite read all rows without an error, and the pages alone look wrong.
    ///   - reason: why the search was made, in a sentence.
    /// - Returns: why rows are missing; nil if none is.
    mutating func add(
        _ found: RowRescue.TableResult?, of table: String, isSuspected: Bool, _ reason: String
    ) -> String? {
        notes += found?.sentences(table) ?? []
        if let found, found.inOlderCopies > 0 { hasOlderRows = true }
        if let lost = found?.lost {
            guard lost > 0 else { return nil }
            let number = "\(RowCount(lost)) of them \(lost == 1 ? "is" : "are") lost."
            return "Rows of the table \"\(table)\" are missing. \(reason) \(number)"
        }
        let isUncertain = isSuspected || found.map { $0.found > 0 && $0.refused == 0 } == true
        return "Rows of the table \"\(table)\" \(isUncertain ? "may be" : "are") missing. \(reason)"
    }

    /// Notes that a table lacks rows, or may lack rows.
    mutating func note(_ sentence: String, table: String) {
        damage.append(sentence)
        tornTables[table] = sentence
    }

    fileprivate func lastLine(_ counts: consuming JSONObject) -> JSONObject {
        var json = JSONObject()
        let rows = counts.closed()
        json.add("rows") { $0 += rows }
        if !damage.isEmpty { json.add("damage", damage) }
        if !notes.isEmpty { json.add("notes", notes) }
        return json
    }
}

extension LostRow {
    fileprivate var json: JSONObject {
        var json = JSONObject()
        json.add("lost", Schema.rowTable)
        json.add("rowid", Int(rowid))
        json.add("collection", collection)
        json.add("key", key)
        return json
    }
}
