import ByteCoders

/// Places the rows of a list by fields that are read out of their bytes.
///
/// A property is read by its own type's decoding, so it is what it is in the whole value. Where that fails, the whole
/// value is decoded, with its errors. See `docs/decisions/fields-from-bytes.md`.
final class StoredPlacing<Value: Codable & Sendable>: Sendable {
    /// What fields tell of a row. They throw where the whole value has to be asked, and group and number are nil if that is so for each row.
    private let condition: StoredTest?
    private let group: (@Sendable (StoredFields) throws -> String?)?
    private let number: (@Sendable (StoredFields) throws -> UInt64)?
    /// Whether a row's fields are read to place it. Where the rest takes the whole value, a row of the list is read twice: worth it if a
    /// condition leaves out others.
    private let placesByFields: Bool
    private let promise = StoredPromise<Value>()

    /// Nil for a type that is not ``YapPlainCodable``, and for a list of which the bytes do not tell enough.
    init?<Key, Metadata>(_ list: YapList<Value, Key, Metadata>) {
        guard Value.self is any YapPlainCodable.Type else { return nil }
        (condition, group, number) = (list.condition?.stored, list.storedGroup, list.storedNumber)
        let isConditionStored = list.condition == nil || condition != nil
        placesByFields = isConditionStored && (condition != nil || group != nil && number != nil)
        if !placesByFields, number == nil { return nil }
    }

    /// Returns where rows belong.
    /// - Parameter whole: places a row by its whole value.
    func place(
        _ rows: StoredRows, _ format: YapDatabaseCodableFormat, whole: (Value, FieldPlacing.Row) -> PlacedRow?
    ) throws -> PlacedRows {
        let (condition, group, number) = (condition, group, number)
        func place(_ fields: StoredFields) throws -> StoredPlace {
            if let condition, try !condition(fields) { return .outside }
            guard let group else { throw AsksWholeValue() }
            guard let name = try group(fields) else { return .outside }
            guard let number else { throw AsksWholeValue() }
            return .inside(group: name, number: try number(fields))
        }
        return try rows.placed { bytes, row in
            let found =
                placesByFields
                ? promise.answer(place, bytes, format, whole: { StoredPlace(whole($0, row)) }) : nil
            switch found {
            case .inside(let group, let number): return PlacedRow(group: group, number: number, content: nil)
            case .outside: return nil
            case nil: return whole(try format.decode(Value.self, bytes, ofRow: { row.key }), row)
            }
        }
    }

    /// Returns a row's number; nil if the whole value has to be asked.
    /// - Parameter whole: gives the number of the whole value.
    func number(
        _ bytes: UnsafeRawBufferPointer?, _ format: YapDatabaseCodableFormat, whole: (Value) -> UInt64
    ) -> UInt64? {
        guard let number else { return nil }
        // Not the constant itself: converted to the generic function that is asked for, it would be copied to the heap for each row.
        return promise.answer({ try number($0) }, bytes, format, whole: whole)
    }
}

/// Where a list has a row.
enum StoredPlace: Equatable {
    case outside
    case inside(group: String, number: UInt64)

    init(_ row: PlacedRow?) { self = row.map { .inside(group: $0.group, number: $0.number) } ?? .outside }
}
