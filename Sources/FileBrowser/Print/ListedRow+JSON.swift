import ByteFormats
import ObjectDecoding

extension ListedRow {
    /// Writes the row as one JSON object, without a line break: `group` and `index` in a view, `collection`, `key`,
    /// `rowid`, `columns` of the list's own table if it has one, `object`, `metadata`, `size` of the object in bytes.
    ///
    /// If a collection or key is not valid UTF-8, `collectionHex` or `keyHex` has its bytes. A row that is missing or
    /// cannot be read completely has an `error`.
    package func write(to output: inout JSONOutput) {
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

    /// Writes the members without braces.
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
        if row.address != nil {
            output.append(",\"object\":")
            decoder.write(row.object, of: row, to: &output)
            output.append(",\"metadata\":")
            decoder.write(row.metadata, of: row, to: &output)
            output.append(",\"size\":")
            output.append(row.object?.size ?? 0)
        }
        if let error = row.error {
            output.isPartial = true
            output.append(",\"error\":")
            output.append(string: error)
        }
    }

    /// Writes a name or key with a comma after it, and its bytes if they are not valid UTF-8.
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
        // Texts in such a table are not encoded.
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
