import FileReading
import ObjectDecoding

/// What a list shows of a row: texts for its columns, made once and kept while the row is near the screen.
struct RowTexts: Sendable {
    /// Larger values are not decoded for a line in a list.
    static let valueBytes = 64 << 10
    /// Characters of a text that a column can have use for.
    static let textLimit = 200
    /// A line shows a few fields: deep and wide values are cut early.
    static var options: DecodingOptions {
        var options = DecodingOptions()
        options.valueLimit = 2_000
        options.depthLimit = 12
        options.inflatedLimit = 256 << 10
        return options
    }

    var key = ""
    var collection = ""
    var rowid: Int64
    var size = 0
    var stored: [String: String] = [:]
    /// In the order of the table.
    var storedNames: [String] = []
    /// In the order of the object.
    var fields: [(name: String, text: FieldText)] = []
    var value = ""
    var metadata = ""
    /// Why the row or its value cannot be shown, in a sentence.
    var error: String?
    /// The row itself is not there.
    var isMissing = false

    init(_ row: BrowsedRow, _ decoder: RowDecoder) {
        rowid = row.rowid
        error = row.error
        isMissing = row.address == nil && row.error != nil
        key = row.address?.key.text ?? "row \(row.rowid)"
        collection = row.address?.collection.text ?? ""
        size = (row.object?.size ?? 0) + (row.metadata?.size ?? 0)
        storedNames = row.columns.map(\.name)
        for column in row.columns { stored[column.name] = String(column.value.text.prefix(Self.textLimit)) }
        var decoder = decoder
        decoder.options = Self.options
        if let object = row.object { show(object, decoder.decode(object, of: row)) }
        if let stored = row.metadata {
            metadata =
                stored.isWhole
                ? decoder.decode(stored, of: row).value.summary(limit: Self.textLimit) : Self.left(stored)
        }
    }

    func text(of column: ListColumn) -> String {
        switch column {
        case .key: key
        case .collection: collection
        case .stored(let name): stored[name] ?? ""
        case .field(let name): fields.first { $0.name == name }?.text.text ?? ""
        case .value: value
        case .metadata: metadata
        case .size: FileFacts.bytes(size)
        case .rowid: String(rowid)
        }
    }

    private mutating func show(_ stored: StoredValue, _ object: DecodedObject) {
        guard stored.isWhole else { return value = Self.left(stored) }
        value = object.value.summary(limit: Self.textLimit)
        for field in object.value.fields ?? [] {
            guard let name = field.name, fields.count < ListColumns.mostFields else { continue }
            fields.append((name, FieldText(field.value)))
        }
    }

    private static func left(_ value: StoredValue) -> String { "\(FileFacts.bytes(value.size)), too large for a line" }

}

/// A field in short, and whether it is something that a column is good for.
struct FieldText: Hashable, Sendable {
    var text: String
    var isScalar: Bool
    var isNumber: Bool

    /// Date and time to the minute.
    private static let dateLength = 16

    init(_ value: DecodedValue) {
        text = value.summary(limit: RowTexts.textLimit)
        switch value {
        case .integer, .unsigned, .double, .number: (isScalar, isNumber) = (true, true)
        case .date:
            text = String(text.prefix(Self.dateLength))
            (isScalar, isNumber) = (true, false)
        case .null, .string, .uuid, .url: (isScalar, isNumber) = (true, false)
        // Of yes and no there are too many columns in most objects; who wants one can choose it.
        default: (isScalar, isNumber) = (false, false)
        }
    }
}
