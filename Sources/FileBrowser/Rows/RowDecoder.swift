import ObjectDecoding

/// Makes values of the bytes of rows, on demand, by a chain of formats for each collection.
package struct RowDecoder: Sendable {
    /// The only formats to try in a collection, for those where the automatic chain guesses wrong.
    package var formats: [StoredText: [ObjectFormat]] = [:]
    package var options = DecodingOptions()

    package init() {}

    /// What a row's object is; nil where there is none.
    package func object(of row: BrowsedRow) -> DecodedObject? { row.object.map { decode($0, of: row) } }

    /// What a row's metadata is; nil where there is none.
    package func metadata(of row: BrowsedRow) -> DecodedObject? { row.metadata.map { decode($0, of: row) } }

    /// What a value in a column is.
    package func decode(_ value: StoredValue, of row: BrowsedRow? = nil) -> DecodedObject {
        switch value.content {
        case .null: DecodedObject(value: .null, formats: [], size: 0)
        case .integer(let integer): DecodedObject(value: .integer(integer), formats: [], size: 0)
        case .real(let real): DecodedObject(value: .double(real), formats: [], size: 0)
        case .text(let bytes), .blob(let bytes): decode(bytes, value, row?.address?.collection)
        }
    }

    private func decode(_ bytes: [UInt8], _ value: StoredValue, _ collection: StoredText?) -> DecodedObject {
        guard value.isWhole else {
            let sentence = "Of \(value.size) bytes only the first \(bytes.count) were read."
            return DecodedObject(
                value: .bytes(bytes, error: sentence), formats: [.hex], size: value.size, error: sentence)
        }
        let chosen = collection.flatMap { formats[$0] } ?? []
        return ObjectDecoder(formats: chosen, options: options).decode(bytes)
    }
}
