import ByteFormats
import ObjectDecoding

extension ListedRow {
    /// Appends the row as one JSON object, without a line break: `group` and `index` in a view, `collection`, `key`,
    /// `rowid`, `columns` of the list's own table if it has one, `object`, `metadata`, `size` of the object in bytes.
    ///
    /// A collection or key whose bytes are no UTF-8 also has them, as `collectionHex` and `keyHex`. A row that is not there
    /// has its rowid and an `error`.
    package func appendJSON(to bytes: inout [UInt8]) {
        var json = JSONObject()
        appendMembers(to: &json)
        bytes += json.closed()
    }

    func appendMembers(to json: inout JSONObject) {
        if let group { json.add("group", group) }
        if let index { json.add("index", index) }
        if let address = row.address {
            json.add("collection", address.collection)
            json.add("key", address.key)
        }
        json.add("rowid", Int(row.rowid))
        if !row.columns.isEmpty { json.add("columns") { appendColumns(to: &$0) } }
        if row.address != nil {
            json.add("object") { Self.append(object, row.object, to: &$0) }
            json.add("metadata") { Self.append(metadata, row.metadata, to: &$0) }
            json.add("size", row.object?.size ?? 0)
        }
        if let error = row.error { json.add("error", error) }
    }

    private func appendColumns(to bytes: inout [UInt8]) {
        var json = JSONObject()
        for column in row.columns {
            json.add(column.name) { RowDecoder().decode(column.value).appendJSON(to: &$0) }
        }
        bytes += json.closed()
    }

    private static func append(_ decoded: DecodedObject?, _ stored: StoredValue?, to bytes: inout [UInt8]) {
        guard let decoded, let stored else { return bytes += Array("null".utf8) }
        guard !stored.isWhole, case .bytes(let beginning, let error) = decoded.value else {
            return decoded.appendJSON(to: &bytes)
        }
        var json = JSONObject()
        json.add("$hex", Hex.text(beginning.prefix(Self.beginning)))
        json.add("$size", stored.size)
        if let error { json.add("error", error) }
        bytes += json.closed()
    }

    /// Bytes that tell what a value too large to be read begins with.
    private static let beginning = 64
}
