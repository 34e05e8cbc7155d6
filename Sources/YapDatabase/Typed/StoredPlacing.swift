import ByteCoders

/// Places the rows of a list by fields that are read out of their bytes.
final class StoredPlacing<Value: Codable & Sendable>: Sendable {
    /// Both throw where the whole value has to be asked, and are nil if that is so for each row.
    private let place: (@Sendable (StoredFields) throws -> StoredPlace)?
    private let number: (@Sendable (StoredFields) throws -> UInt64)?
    private let promise = StoredPromise<Value>()

    /// Nil for a type that is not ``YapPlainCodable``, and for a list of which the bytes do not tell enough.
    init?<Key, Metadata>(_ list: YapList<Value, Key, Metadata>) {
        guard Value.self is any YapPlainCodable.Type else { return nil }
        let (group, number) = (list.storedGroup, list.storedNumber)
        let all: StoredTest = { _ in true }
        let condition = list.condition == nil ? all : list.condition?.stored
        self.number = number
        // Where the rest takes the whole value, a row of the list is read twice: worth it if a condition leaves out others.
        if let condition, list.condition != nil || group != nil && number != nil {
            place = { fields in
                guard try condition(fields) else { return .outside }
                guard let group else { throw AsksWholeValue() }
                guard let name = try group(fields) else { return .outside }
                guard let number else { throw AsksWholeValue() }
                return .inside(group: name, number: try number(fields))
            }
        } else if number != nil {
            place = nil
        } else {
            return nil
        }
    }

    /// Returns where a row belongs; nil if the whole value has to be asked.
    /// - Parameter whole: places the row by its whole value.
    func place(
        _ bytes: UnsafeRawBufferPointer?, _ format: YapDatabaseCodableFormat, whole: (Value) -> StoredPlace
    ) -> StoredPlace? {
        promise.answer(place, bytes, format, whole: whole)
    }

    /// Returns a row's number; nil if the whole value has to be asked.
    /// - Parameter whole: gives the number of the whole value.
    func number(
        _ bytes: UnsafeRawBufferPointer?, _ format: YapDatabaseCodableFormat, whole: (Value) -> UInt64
    ) -> UInt64? {
        promise.answer(number, bytes, format, whole: whole)
    }
}

/// Where a list has a row.
enum StoredPlace: Equatable {
    case outside
    case inside(group: String, number: UInt64)

    init(_ row: PlacedRow?) { self = row.map { .inside(group: $0.group, number: $0.number) } ?? .outside }
}
