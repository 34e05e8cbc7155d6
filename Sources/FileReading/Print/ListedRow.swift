import ByteFormats
import ObjectDecoding

/// A row to print: its position and its decoded values.
package struct ListedRow: Sendable {
    /// Set if the list is a view's.
    package var group: String?
    /// The position in the whole group, if the list is a view's.
    package var index: Int?
    package var row: BrowsedRow
    /// Whether its values were read. Else only its key is known.
    var hasValues = true
    /// What the row is in, as JSON.
    package var membership: [UInt8]?
    let decoder: RowDecoder

    package init(_ row: BrowsedRow, group: String? = nil, index: Int? = nil, decoder: RowDecoder) {
        self.group = group
        self.index = index
        self.row = row
        self.decoder = decoder
    }

    /// The size of its values in bytes.
    var size: Int {
        row.columns.reduce((row.object?.size ?? 0) + (row.metadata?.size ?? 0)) { $0 + $1.value.size }
    }
}

extension ListedRow {
    /// Writes the row as one JSON object, without a line break: `group` and `index` in a view, `collection`, `key`,
    /// `rowid`, `columns` of the list's own table if it has one, `object`, `metadata`, `size` of the object in bytes.
    ///
    /// A collection or key whose bytes are no UTF-8 also has them, as `collectionHex` and `keyHex`. A row that is not
    /// there, or cannot be read whole, has an `error`.
    func write(to output: inout JSONOutput) {
        output.append("{")
        writeMembers(to: &output)
        output.append("}")
    }

    /// Appends the row as JSON in memory.
    package func appendJSON(to bytes: inout [UInt8]) {
        var output = JSONOutput(isTerminalSafe: false)
        write(to: &output)
        bytes += output.bytes
    }

    /// Writes the members alone.
    func writeMembers(to output: inout JSONOutput) {
        if let group {
            output.append("\"group\":")
            output.append(string: group)
            output.append(",")
        }
        if let index {
            output.append("\"index\":")
            output.append(index)
            output.append(",")
        }
        if let address = row.address {
            Self.write("collection", address.collection, to: &output)
            Self.write("key", address.key, to: &output)
        }
        output.append("\"rowid\":")
        output.append(row.rowid)
        if !row.columns.isEmpty { writeColumns(to: &output) }
        if row.address != nil, hasValues {
            output.append(",\"object\":")
            decoder.write(row.object, of: row, to: &output)
            output.append(",\"metadata\":")
            decoder.write(row.metadata, of: row, to: &output)
            output.append(",\"size\":")
            output.append(row.object?.size ?? 0)
        }
        if let membership {
            output.append(",\"in\":")
            output.append(json: membership)
        }
        if let error = row.error {
            output.isPartial = true
            output.append(",\"error\":")
            output.append(string: error)
        }
    }

    /// A name or key with a comma behind it, and its bytes where they are no UTF-8.
    private static func write(_ name: StaticString, _ text: StoredText, to output: inout JSONOutput) {
        output.append("\"")
        output.append(name)
        output.append("\":")
        let isText = text.bytes.withUnsafeBytes { bytes in
            let isUTF8 = bytes.isUTF8
            if isUTF8 { output.append(string: bytes) }
            return isUTF8
        }
        if !isText { output.append(string: text.text) }
        if text.isBlob || !isText {
            output.append(",\"")
            output.append(name)
            output.append("Hex\":")
            output.append(string: Hex.text(text.bytes))
        }
        output.append(",")
    }

    private func writeColumns(to output: inout JSONOutput) {
        // What such a table has as text is text.
        var plain = row
        plain.hasPlainTexts = true
        output.append(",\"columns\":{")
        for (place, column) in row.columns.enumerated() {
            if place > 0 { output.append(",") }
            output.append(string: column.name)
            output.append(":")
            decoder.write(column.value, of: plain, to: &output)
        }
        output.append("}")
    }
}
