import FileReading
import ListChanges
import ObjectDecoding

/// The bytes that the selected line of a row stands for.
struct SelectedBytes: Sendable {
    enum Part: Hashable, Sendable {
        case object, metadata
        /// A column of the list's own table.
        case column(String)
    }

    let rowid: Int64
    let part: Part
    /// Nil if they must be read first.
    var bytes: [UInt8]?

    /// Returns the bytes, read whole if they are not there.
    func read(in content: ListContent) throws -> [UInt8] {
        if let bytes { return bytes }
        let row = try content.snapshot.work { try content.row(rowid, valueBytes: FileSnapshot.wholeValues, $0) }
        let stored: StoredValue? =
            switch part {
            case .object: row.object
            case .metadata: row.metadata
            case .column(let name): row.columns.first { $0.name.hasSameBytes(as: name) }?.value
            }
        return stored.map { $0.bytes ?? Array($0.text.utf8) } ?? []
    }
}

extension RowPane {
    /// The data or the text of the selected line; of another value inside of the object its JSON; else the whole value as it is stored.
    var selectedBytes: SelectedBytes? {
        guard let loaded else { return nil }
        if let column = selectedColumn {
            let bytes = column.value.isWhole ? column.value.bytes ?? Array(column.value.text.utf8) : nil
            return SelectedBytes(rowid: loaded.row.rowid, part: .column(column.name), bytes: bytes)
        }
        guard loaded.row.object != nil || loaded.row.metadata != nil else { return nil }
        let selected = table.selectedPath.flatMap { sections[$0] }
        let part: SelectedBytes.Part = selected?.section.title == "Metadata" ? .metadata : .object
        let stored = part == .object ? loaded.row.object : loaded.row.metadata
        let whole = SelectedBytes(
            rowid: loaded.row.rowid, part: part, bytes: stored?.isWhole == true ? stored?.bytes : nil)
        guard let (section, row) = selected, case .value(let outline) = section.content else { return whole }
        let line = outline.line(row)
        guard line.path != .root else { return whole }
        let bytes: [UInt8] =
            switch line.value {
            case .data(let bytes), .bytes(let bytes, _): bytes
            case .string(let text), .url(let text): Array(text.utf8)
            default: Array(line.value.json.utf8)
            }
        return SelectedBytes(rowid: loaded.row.rowid, part: part, bytes: bytes)
    }
}
