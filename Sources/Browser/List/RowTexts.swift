import FileReading
import ListChanges
import ObjectDecoding

/// The texts of a row's columns, made once and kept while the row is near the screen.
struct RowTexts: Sendable {
    /// Larger values are not decoded at once for a line in a list, but in the background.
    static let valueBytes = 64 << 10
    /// Still larger ones are not decoded for a line at all.
    static let largeBytes = 16 << 20
    /// The most characters of a text in a column.
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
    var stored = ExactDictionary<String>()
    /// In the order of the table.
    var storedNames: [String] = []
    /// In the order of the object.
    var fields: [(name: String, text: FieldText)] = []
    var value = ""
    var metadata = ""
    /// Why the row or its value cannot be shown, in a sentence.
    var error: String?
    /// Whether the row itself is missing.
    var isMissing = false
    /// Whether a value was not read whole, and can be for a line.
    var isLarge = false

    /// - Parameter paths: fields inside of fields that the user has chosen as columns.
    init(_ row: BrowsedRow, _ decoder: RowDecoder, paths: [FieldPath] = []) {
        rowid = row.rowid
        error = row.error
        isMissing = row.address == nil && row.error != nil
        key = row.address?.key.text ?? "row \(row.rowid)"
        collection = row.address?.collection.text ?? ""
        size = (row.object?.size ?? 0) + (row.metadata?.size ?? 0)
        storedNames = row.columns.map(\.name)
        for column in row.columns { stored[column.name] = String(column.value.text.prefix(Self.textLimit)) }
        let parts = [row.object, row.metadata].compactMap(\.self)
        isLarge = parts.contains { !$0.isWhole && $0.size <= Self.largeBytes }
        var decoder = decoder
        decoder.options = Self.options
        if size > Self.valueBytes { decoder.options.inflatedLimit = Self.inflatedLargeBytes }
        let object = row.object.map { decoder.decode($0, of: row) }
        if let stored = row.object, let object { show(stored, object) }
        if let stored = row.metadata {
            metadata =
                stored.isWhole
                ? decoder.decode(stored, of: row).value.summary(limit: Self.textLimit) : Self.left(stored)
        }
        for path in paths {
            let value = path.value(object: object?.value, metadata: decoder.metadata(of: row)?.value)
            if let value { fields.append((path.text, FieldText(value))) }
        }
    }

    func text(of column: ListColumn) -> String {
        switch column {
        case .key: key.asName
        case .collection: collection.asName
        case .stored(let name): stored[name] ?? ""
        case .field(let name): fields.first { $0.name.hasSameBytes(as: name) }?.text.text ?? ""
        case .value: value
        case .metadata: metadata
        case .size: FileFacts.bytes(size)
        case .rowid: String(rowid)
        }
    }

    private mutating func show(_ stored: StoredValue, _ object: DecodedObject) {
        guard stored.isWhole else { return value = Self.left(stored) }
        value = object.value.imageWords ?? object.value.summary(limit: Self.textLimit)
        for field in object.value.fields ?? [] {
            guard let name = field.name, fields.count < ListColumns.maxFields else { continue }
            fields.append((name, FieldText(field.value)))
        }
    }

    /// The most bytes of a large compressed value that are inflated.
    private static let inflatedLargeBytes = 4 << 20

    private static func left(_ value: StoredValue) -> String {
        let size = FileFacts.bytes(value.size)
        return value.size <= largeBytes ? "\(size), being read" : "\(size), too large for a line"
    }
}

/// A short text of a field, and whether it is suitable for a column.
struct FieldText: Hashable, Sendable {
    var text: String
    var isScalar: Bool
    var isNumber: Bool

    /// The length of date and time to the minute.
    private static let dateLength = 16

    init(_ value: DecodedValue) {
        text = value.imageWords ?? value.summary(limit: RowTexts.textLimit)
        switch value {
        case .integer, .unsigned, .double, .number: (isScalar, isNumber) = (true, true)
        case .date:
            text = String(text.prefix(Self.dateLength))
            (isScalar, isNumber) = (true, false)
        case .null, .string, .uuid, .url: (isScalar, isNumber) = (true, false)
        // Most objects have too many booleans for columns; the user can choose them.
        default: (isScalar, isNumber) = (false, false)
        }
    }
}
