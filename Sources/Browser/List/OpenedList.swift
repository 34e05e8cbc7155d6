import FileReading
import YapDatabase

/// A list as it comes from the background: where its rows are, and columns that suit them.
struct OpenedList: Sendable {
    /// Rows that columns are chosen by: the first ones and, for their keys may be others, the last.
    private static let sampleRows = 40
    private static let lastRows = 10

    let content: ListContent
    let columns: ListColumns

    /// Reads what the first screen needs.
    init(_ subject: ListSubject, _ snapshot: FileSnapshot, _ catalog: Catalog, _ decoder: RowDecoder) throws {
        content = try ListContent(subject, snapshot, catalog: catalog)
        columns = ListColumns(subject, sample: try Self.sample(content, decoder))
    }

    private static func sample(_ content: ListContent, _ decoder: RowDecoder) throws -> [RowTexts] {
        var texts: [RowTexts] = []
        for group in content.groups where texts.count < sampleRows {
            guard let source = content.sources[group] else { continue }
            try content.snapshot.work { store in
                let first = try source.rowids(in: 0..<sampleRows - texts.count, store)
                let last = try source.lastRowids(lastRows, store) ?? []
                for rowid in first + last.filter({ !first.contains($0) }) {
                    let row = try content.row(rowid, valueBytes: RowTexts.valueBytes, store)
                    texts.append(RowTexts(row, decoder))
                }
            }
        }
        return texts
    }
}
