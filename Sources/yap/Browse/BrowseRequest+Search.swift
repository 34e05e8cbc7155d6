import FileReading
import YapDatabase

extension BrowseRequest {
    /// Prints the rows that a search finds, or those of them that are selected.
    func printFound(_ search: FileSearch, _ file: BrowsedFile, _ output: StandardOutput) throws
        -> (found: Int, isPartial: Bool)
    {
        if let collection = search.collection { try file.snapshot.catalog().checkCollection(collection) }
        let line = StatusLine(after: .milliseconds(200), every: .milliseconds(200))
        defer { line.clear() }
        let snapshot = file.snapshot
        var (done, count, kept) = (FileSearch.Progress(), 0, FoundRows(selection))
        let isPartial = try printing(isGrouped: false, output) { printer in
            func print(_ row: BrowsedRow) throws {
                line.clear()
                count += 1
                try printer.print(ListedRow(row, decoder: search.decoder))
            }
            try search.run(
                in: snapshot,
                progress: {
                    done = $0
                    // The reader of the output should get a match when it is found.
                    try printer.flush()
                    try output.flush()
                    line.show("\(RowCount($0.searched)) rows searched, \(RowCount($0.found)) found …")
                    return !kept.isFull
                }
            ) { rowid, store in
                if kept.add(rowid) { try print(snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues, store)) }
            }
            for rowid in kept.rest { try print(snapshot.row(rowid, valueBytes: FileSnapshot.wholeValues)) }
        }
        line.clear()
        if done.unreadable > 0 {
            printError("\(RowCount(done.unreadable)) rows could not be read: only their keys were searched.")
        }
        if let damage = done.damage { printError("Some rows may not have been searched. \(damage)") }
        return (count, isPartial || done.unreadable > 0 || done.damage != nil)
    }
}

/// Which rows that a search finds are printed: from the first on at once, otherwise at its end.
private struct FoundRows {
    private let selection: RowSelection
    private var count = 0
    private var kept: [Int64] = []

    init(_ selection: RowSelection) { self.selection = selection }

    /// Whether no further row is wanted.
    var isFull: Bool { if case .first(let limit) = selection.range { count >= limit } else { false } }

    /// Notes a row that was found.
    /// - Returns: whether it is printed at once.
    mutating func add(_ rowid: Int64) -> Bool {
        guard !isFull else { return false }
        count += 1
        if case .last(let limit) = selection.range {
            kept.append(rowid)
            // Twice the rows, so that each is moved once.
            if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
            return false
        }
        if selection.isReversed { kept.append(rowid) }
        return !selection.isReversed
    }

    /// The rows that are printed at the end.
    var rest: [Int64] {
        var rows = kept[...]
        if case .last(let limit) = selection.range { rows = rows.suffix(limit) }
        return selection.isReversed ? rows.reversed() : Array(rows)
    }
}
