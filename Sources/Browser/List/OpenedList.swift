import FileReading
import FileEngine

/// A list loaded in the background: its rows, and columns that suit them.
struct OpenedList: Sendable {
    /// The rows from which columns are chosen: the first ones and, because their keys may differ, the last.
    private static let sampleRows = 40
    private static let lastRows = 10
    /// The bytes of large values among them that are decoded.
    private static let largeBudget = 32 << 20

    let content: ListContent
    let columns: ListColumns

    /// Reads what the first screen needs.
    init(_ subject: ListSubject, _ snapshot: FileSnapshot, _ catalog: Catalog, _ decoder: RowDecoder) throws {
        content = try ListContent(subject, snapshot, catalog: catalog)
        columns = ListColumns(subject, sample: try Self.sample(content, decoder))
    }

    private static func sample(_ content: ListContent, _ decoder: RowDecoder) throws -> [RowTexts] {
        var texts: [RowTexts] = []
        var budget = largeBudget
        for group in content.groups where texts.count < sampleRows {
            guard let source = content.sources[group] else { continue }
            try content.snapshot.work { store in
                let first = try source.rowids(in: 0..<sampleRows - texts.count, store)
                let last = try source.lastRowids(lastRows, store) ?? []
                for rowid in first + last.filter({ !first.contains($0) }) {
                    let row = try content.row(rowid, valueBytes: RowTexts.valueBytes, store)
                    var made = RowTexts(row, decoder)
                    if made.isLarge, made.size <= budget {
                        budget -= made.size
                        made = RowTexts(try content.row(rowid, valueBytes: RowTexts.largeBytes, store), decoder)
                    }
                    texts.append(made)
                }
            }
        }
        return texts
    }
}
