import FileReading
import Foundation
import SeededRandom
import YapDatabase

/// Browsing a file of millions of rows. Each case runs in its own process, as `yap browse` does.
let browseCases: [Case] = [
    decodeArchiveCase, firstScreenCase, firstViewScreenCase, jumpCase, memoryCase, searchCase,
]

private let screenRows = 50

/// From a path to the decoded rows of the first screen, while the pages of the view are read for the tree.
private let firstScreenCase = Case(
    name: "browse_first_screen", n: BrowsedRows.count, k: screenRows, unit: "ms", targets: [.value(atMost: 100, "ms")],
    isAlone: true
) {
    let path = try BrowsedRows.path()
    let times = try (0..<5).map { _ in
        let tree = DispatchGroup()
        defer { tree.wait() }
        return try passed {
            let file = try BrowsedFile(path: path)
            let (snapshot, begun) = (file.snapshot, DispatchSemaphore(value: 0))
            DispatchQueue.global().async(group: tree) {
                begun.signal()
                keep(try? snapshot.pages(ofView: "order"))
            }
            begun.wait()
            let subject = ListSubject.collection(StoredText("messages"), by: .key)
            let content = try ListContent(subject, snapshot, catalog: snapshot.catalog())
            // Columns are chosen from a sample, in the background; then the rows are drawn.
            try snapshot.work { try showRows(of: content, from: 0, $0) }
            try showRows(of: content, from: 0)
        }
    }
    return Measurement(value: times.max()! * 1e3)
}

/// The same for a view, whose pages must all be chained first.
private let firstViewScreenCase = Case(
    name: "browse_first_view_screen", n: BrowsedRows.count, k: screenRows, unit: "ms",
    targets: [.value(atMost: 500, "ms")], isAlone: true
) {
    let path = try BrowsedRows.path()
    let times = try (0..<5).map { _ in
        try passed {
            let (_, content) = try open(path, .view("order", groups: nil))
            try showRows(of: content, from: content.counts["all"]! - screenRows)
        }
    }
    return Measurement(value: times.median * 1e3)
}

/// The longest of many jumps: to places and keys all over a collection and a view, and to the end of a collection that
/// is not counted yet.
private let jumpCase = Case(
    name: "browse_jump", n: BrowsedRows.count, k: screenRows, unit: "ms", targets: [.value(atMost: 50, "ms")],
    isAlone: true
) {
    let path = try BrowsedRows.path()
    let (file, rows) = try open(path, .collection(StoredText("messages"), by: .key))
    let source = rows.sources["messages"] as! KeyOrder
    var times = [
        try passed { keep(try rows.snapshot.read { try source.lastRowids(screenRows, $0) }) }
    ]
    try rows.loadAll()
    let view = try ListContent(.view("order", groups: nil), file.snapshot, catalog: file.snapshot.catalog())
    var random = SplitMix64(seed: 1)
    for fraction in [0, 0.37, 1] + (0..<300).map({ _ in Double.random(in: 0..<1, using: &random) }) {
        let place = Int(Double(BrowsedRows.count - screenRows) * fraction)
        for content in [rows, view] {
            times.append(try passed { try showRows(of: content, from: place) })
        }
        let key = StoredText(String(format: "message-%09d", place))
        times.append(
            try passed {
                let found = try rows.snapshot.read { try source.place(of: key, $0) }
                try showRows(of: rows, from: found!)
            })
    }
    return Measurement(value: times.max()! * 1e3)
}

/// The peak memory of a process that did all of this.
private let memoryCase = Case(
    name: "browse_memory", n: BrowsedRows.count, k: screenRows, unit: "MB", targets: [.value(atMost: 100, "MB")],
    isAlone: true
) {
    let path = try BrowsedRows.path()
    var shown: [ListContent] = []
    for subject in [
        ListSubject.collection(StoredText("messages"), by: .key), .collection(StoredText("messages"), by: .rowid),
        .view("order", groups: nil),
    ] {
        let (_, content) = try open(path, subject)
        try content.loadAll()
        for place in stride(from: 0, to: BrowsedRows.count, by: BrowsedRows.count / 100) {
            try showRows(of: content, from: place)
        }
        shown.append(content)
    }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").dropLast().last
    return withExtendedLifetime(shown) { Measurement(value: (peak.flatMap { Double($0) } ?? 0) * 1024 / 1e6) }
}

/// Searches a million keys for a text that none of them contains.
private let searchCase = Case(
    name: "browse_search", n: BrowsedRows.count, k: BrowsedRows.count, unit: "ns/key",
    targets: [.value(atMost: 500, "ns/key")], isAlone: true
) {
    let (file, _) = try open(try BrowsedRows.path(), .collection(StoredText("messages"), by: .key))
    var search = FileSearch(SearchText("9999999999"), isKeysOnly: true)
    search.collection = StoredText("messages")
    var done = 0
    let time = try used {
        try search.run(
            in: file.snapshot,
            progress: { progress in
                done = progress.searched
                return done < 1_000_000
            }
        ) { _, _ in }
    }
    return Measurement(value: time / Double(done) * 1e9)
}

private func open(_ path: String, _ subject: ListSubject) throws -> (BrowsedFile, ListContent) {
    let file = try BrowsedFile(path: path)
    return (file, try ListContent(subject, file.snapshot, catalog: file.snapshot.catalog()))
}

/// Reads and decodes the rows of a screen.
private func showRows(of content: ListContent, from place: Int) throws {
    try content.snapshot.read { try showRows(of: content, from: place, $0) }
}

private func showRows(of content: ListContent, from place: Int, _ store: Store) throws {
    let source = content.sources[content.groups[0]]!
    let decoder = RowDecoder()
    for rowid in try source.rowids(in: place..<place + screenRows, store) {
        let row = try content.row(rowid, valueBytes: FileSnapshot.valueBytes, store)
        keep(decoder.object(of: row))
    }
}
