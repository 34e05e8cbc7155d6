import FileReading
import Foundation
import YapDatabase

/// `yap browse`, `yap export` and `yap import` as programs use them, on a file of archives and JSON, on all cores. The
/// reference is one scan of the same bytes by SQLite, in rows a second like the value.
let programCases: [Case] = [
    programCase("browse_json") { path, _ in try printRows(path, .json) },
    programCase("browse_csv") { path, _ in try printRows(path, .csv) },
    programCase("export") { path, _ in
        _ = try FileExport(BrowsedFile(path: path)).run { keep(($0, $1)) }
    },
    programCase("import") { try importRows($0, $1) },
    programCase("browse_search_values") { path, _ in
        let file = try BrowsedFile(path: path)
        try FileSearch(SearchText("zzzzzz")).run(in: file.snapshot) { rowid, _ in keep(rowid) }
    },
    programCase("browse_sort_field") { path, _ in
        try filtered(path, in: "messages", where: nil, order: "text DESC", RowSelection(.first(20)))
    },
    spaceCase,
    programCase("browse_search_screen") { path, _ in
        let snapshot = try BrowsedFile(path: path).snapshot
        let content = try ListContent(
            .collection(StoredText("messages"), by: .key), snapshot, catalog: snapshot.catalog())
        var search = ListSearch("zzzzzz", content, RowDecoder())
        while !search.isDone { search = try search.advanced(until: .now + .milliseconds(60)) }
        precondition(search.searched == programRows)
    },
    programCase("browse_diff") { path, folder in
        let copy = folder.appending(path: "copy.sqlite")
        if !FileManager.default.fileExists(atPath: copy.path) {
            try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
        }
        var comparison = try FileComparison(
            BrowsedFile(path: path).snapshot, BrowsedFile(path: copy.path).snapshot)
        try comparison.run { keep($0) }
        precondition(comparison.counts.equal == programRows)
    },
]

let programRows = 200_000

/// The bytes of each part of a file of a million rows and a view, against a scan of the rows by SQLite.
private let spaceCase = Case(
    name: "browse_space", n: spaceRows, k: spaceRows, unit: "s", targets: [.ratio(atMost: 1)], isAlone: true
) {
    try withScratchFolder { folder in
        let url = folder.appending(path: "rows.sqlite")
        try BrowsedRows.make(url, count: spaceRows)
        var (times, scans): ([Double], [Double]) = ([], [])
        for _ in 0..<3 {
            scans.append(try passed { try scan(url) })
            times.append(
                try passed {
                    let space = try FileSpace(BrowsedFile(path: url.path).snapshot)
                    precondition(space?.collections.values.first?.rows == spaceRows)
                })
        }
        return Measurement(times, scans, scale: 1)
    }
}

private let spaceRows = 1_000_000

func filtered(
    _ path: String, in collection: String, where condition: String?, order: String?, _ selection: RowSelection
) throws {
    let snapshot = try BrowsedFile(path: path).snapshot
    let content = try ListContent(
        .collection(StoredText(collection), by: .key), snapshot, catalog: snapshot.catalog())
    let rows = try FilteredRows(content, where: condition, order: order.map(FilteredRows.Order.init))
    try rows.enumerate(selection) { keep($0.row.rowid) }
}

private func programCase(
    _ name: String, _ work: @escaping @MainActor @Sendable (_ path: String, _ folder: URL) throws -> Void
)
    -> Case
{
    Case(name: name, n: programRows, k: programRows, unit: "rows/s", isAlone: true) {
        try withScratchFolder { folder in
            let url = folder.appending(path: "rows.sqlite")
            try makeProgramRows(url)
            if name == "import" { try exportRows(url.path, to: folder.appending(path: "rows.jsonl")) }
            var (times, scans): ([Double], [Double]) = ([], [])
            for _ in 0..<3 {
                scans.append(try passed { try scan(url) })
                times.append(try passed { try work(url.path, folder) })
            }
            return Measurement(value: Double(programRows) / times.median, reference: Double(programRows) / scans.median)
        }
    }
}

/// Makes rows of which one in four is JSON and the others are keyed archives.
func makeProgramRows(_ url: URL) throws {
    let message: [String: Any] = [
        "conversation": "conv-17", "date": Date(timeIntervalSinceReferenceDate: 500_000_000), "isRead": true,
        "sender": "bob-0000000", "text": "The one with the flexible range number 0000000, and what they had to say?",
        "serverID": 10_000_000_001,
    ]
    let archive = try YapDatabase.defaultSerializer()("messages", "", message)
    let handle = try RawHandle(url, setup: ["PRAGMA user_version = 3"])
    try handle.execute(
        #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#
    )
    let insert = try handle.prepare("INSERT INTO database2 (rowid, collection, key, data) VALUES (?, 'messages', ?, ?)")
    let digits = Data("0000000".utf8)
    try handle.inTransaction {
        for row in 0..<programRows {
            let number = Data(String(format: "%07d", row).utf8)
            var data = archive
            var place = data.startIndex
            while let range = data.range(of: digits, in: place..<data.endIndex) {
                data.replaceSubrange(range, with: number)
                place = range.upperBound
            }
            if row % 4 == 0 {
                data = Data(#"{"number":\#(row),"sender":"a sender","text":"what they had to say","tags":["a"]}"#.utf8)
            }
            try insert.run(Int64(row + 1), String(format: "message-%09d", row), data)
        }
    }
    try handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
}

private func scan(_ url: URL) throws {
    let statement = try RawHandle(url).prepare("SELECT collection, key, data, metadata FROM database2")
    var bytes = 0
    try statement.forEach { row in
        for column: Int32 in 0..<4 { bytes += row.data(column).count }
    }
    keep(bytes)
}

@MainActor func printRows(_ path: String, _ format: PrintFormat) throws {
    let snapshot = try BrowsedFile(path: path).snapshot
    let content = try ListContent(
        .collection(StoredText("messages"), by: .key), snapshot, catalog: snapshot.catalog())
    let decoder = RowDecoder()
    let printer = RowPrinter(format, isGrouped: false) { keep($0) }
    try printer.begin()
    try content.enumerate(RowSelection()) { try printer.print(ListedRow($0.row, decoder: decoder)) }
    try printer.end()
}

private func exportRows(_ path: String, to file: URL) throws {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    _ = try FileExport(BrowsedFile(path: path)).run { try handle.write(contentsOf: $1) }
    try handle.close()
}

@MainActor private func importRows(_ path: String, _ folder: URL) throws {
    let lines = try Data(contentsOf: folder.appending(path: "rows.jsonl"), options: .mappedIfSafe)
    let copy = folder.appending(path: "copy.sqlite").path
    let target = try FileImport(path: copy)
    let work = OrderedWork<[ImportLine]> { for line in $0 { try target.add(line) } }
    var start = lines.startIndex
    while start < lines.endIndex {
        let wanted = min(start + 1 << 18, lines.endIndex)
        let end = lines[wanted...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.endIndex
        let block = Array(lines[start..<end])
        try work.add {
            block.split(separator: 0x0A).map { line in line.withUnsafeBytes { ImportLine($0) } }
        }
        start = end
    }
    try work.finish()
    try target.end()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
}
