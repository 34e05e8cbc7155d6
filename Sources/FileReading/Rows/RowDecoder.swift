import ByteFormats
import ObjectDecoding

/// Decodes the values of rows on demand, with a list of formats for each collection.
package struct RowDecoder: Sendable {
    /// The only formats to try in a collection, for those where automatic detection guesses wrong.
    package var formats: [StoredText: [ObjectFormat]] = [:]
    package var options = DecodingOptions()

    package init() {}

    /// Returns the row's decoded object; nil if there is none.
    package func object(of row: BrowsedRow) -> DecodedObject? { row.object.map { decode($0, of: row) } }

    /// Returns the row's decoded metadata; nil if there is none.
    package func metadata(of row: BrowsedRow) -> DecodedObject? { row.metadata.map { decode($0, of: row) } }

    /// Finds the members of these names in a row's object or metadata, without decoding it.
    /// - Parameter bytes: those of the value.
    /// - Returns: false if what the members are is known only by decoding all of it.
    func find(
        _ names: JSONMemberNames, in value: StoredValue, _ bytes: UnsafeRawBufferPointer, of row: BrowsedRow,
        _ members: inout [UnsafeRawBufferPointer?]
    ) -> Bool {
        value.isWhole && !row.hasPlainTexts && decoder(row).find(names, in: bytes, &members)
    }

    /// Decodes the text of a member that was found.
    func decode(member text: UnsafeRawBufferPointer) -> DecodedValue {
        ObjectDecoder(options: options).value(ofMember: text)
    }

    /// Decodes a value of a column.
    package func decode(_ value: StoredValue, of row: BrowsedRow? = nil) -> DecodedObject {
        switch value.content {
        case .null: DecodedObject(value: .null, formats: [], size: 0)
        case .integer(let integer): DecodedObject(value: .integer(integer), formats: [], size: 0)
        case .real(let real): DecodedObject(value: .double(real), formats: [], size: 0)
        case .text(let bytes): decode(bytes, value, row, isPlain: row?.hasPlainTexts ?? false)
        case .blob(let bytes): decode(bytes, value, row, isPlain: false)
        }
    }

    private func decode(_ bytes: [UInt8], _ value: StoredValue, _ row: BrowsedRow?, isPlain: Bool) -> DecodedObject {
        guard value.isWhole else {
            let sentence = Self.missing(value)
            return DecodedObject(
                value: .bytes(bytes, error: sentence), formats: [.hex], size: value.size, error: sentence)
        }
        if isPlain, let text = String(validating: bytes, as: UTF8.self) {
            return DecodedObject(value: .string(text), formats: [.text], size: bytes.count)
        }
        return decoder(row).decode(bytes)
    }

    private func decoder(_ row: BrowsedRow?) -> ObjectDecoder {
        let chosen = formats.isEmpty ? [] : row.flatMap { $0.address.flatMap { formats[$0.collection] } } ?? []
        return ObjectDecoder(formats: chosen, options: options)
    }

    private static func missing(_ value: StoredValue) -> String {
        "Of \(value.size) bytes only the first \(value.bytes?.count ?? 0) were read."
    }
}

extension RowDecoder {
    /// Writes a value as JSON, completely if all of it was read.
    func write(_ value: StoredValue?, of row: BrowsedRow?, to output: inout JSONOutput) {
        switch value?.content {
        case nil, .null: output.append("null")
        case .integer(let integer): output.append(integer)
        case .real(let real): output.append(double: real)
        case .text(let bytes): write(bytes, value!, row, isPlain: row?.hasPlainTexts ?? false, &output)
        case .blob(let bytes): write(bytes, value!, row, isPlain: false, &output)
        }
    }

    /// Appends the text that a search examines.
    func appendSearchText(_ value: StoredValue?, of row: BrowsedRow, to text: inout [UInt8]) {
        guard let value, value.content != .null else { return }
        var isPlain = row.hasPlainTexts
        if case .blob = value.content { isPlain = false }
        guard value.isWhole, !isPlain, let bytes = value.bytes else {
            return decode(value, of: row).value.appendSearchText(to: &text, limit: .max)
        }
        bytes.withUnsafeBytes { decoder(row).searchText($0, into: &text) }
    }

    private func write(
        _ bytes: [UInt8], _ value: StoredValue, _ row: BrowsedRow?, isPlain: Bool, _ output: inout JSONOutput
    ) {
        bytes.withUnsafeBytes { bytes in
            guard value.isWhole else {
                output.isPartial = true
                return output.append(undecoded: bytes, of: value.size, error: Self.missing(value))
            }
            if isPlain, bytes.isUTF8 { return output.append(string: bytes) }
            decoder(row).write(bytes, to: &output)
        }
    }
}
