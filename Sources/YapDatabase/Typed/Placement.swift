import ByteCoders
import Foundation
import ListChanges

/// Decides where a list has a row: by its condition, its group, and a number or its orders.
///
/// Two readers give the same answers, of a row's value and of its stored bytes. The blocks of the view, the placing of many rows on several
/// threads and the numbers of single rows ask these. See `docs/decisions/fields-from-bytes.md`.
struct Placement<Value: Codable & Sendable>: Sendable {
    let condition: YapCondition<Value>?
    let orders: [YapOrder<Value>]
    let ofValue: ValuePlaceReader<Value>
    let ofBytes: StoredPlaceReader
    /// Whether a row's group and number say where it is, without its other fields.
    private let isExact: Bool
    /// Whether the bytes of at least some rows tell their place. Where the rest takes the whole value, a row of the list is read twice:
    /// worth it if a condition leaves out others.
    private let placesByBytes: Bool
    private let numbersByBytes: Bool

    /// - Parameter storedGroup: the group out of stored bytes; nil if these cannot tell.
    init(
        where condition: YapCondition<Value>?, group: @escaping @Sendable (Value) -> String?,
        storedGroup: (@Sendable (StoredFields) throws -> String?)?, by orders: [YapOrder<Value>]
    ) {
        (self.condition, self.orders) = (condition, orders)
        isExact = orders.isEmpty || orders.count == 1 && orders[0].isPrefixExact
        ofValue = ValuePlaceReader(
            condition: condition?.holds, group: group, prefix: isExact ? orders.first?.prefix : nil)
        let storedNumber = orders.isEmpty ? { @Sendable _ in 0 } : isExact ? orders[0].storedPrefix : nil
        ofBytes = StoredPlaceReader(condition: condition?.stored, group: storedGroup, number: storedNumber)
        let isPlain = Value.self is any YapPlainCodable.Type
        numbersByBytes = isPlain && storedNumber != nil
        placesByBytes =
            isPlain && (condition == nil ? storedGroup != nil && storedNumber != nil : condition?.stored != nil)
    }
}

/// Reads where a row belongs out of one source: its value, or the fields in its stored bytes.
///
/// A protocol rather than a generic type: functions that are stored in a generic type are called through another one for each row.
protocol PlaceReader: Sendable {
    associatedtype Source
    func holds(_ source: Source) throws -> Bool
    /// Nil for a row that is not in the list.
    func groupName(of source: Source) throws -> String?
    /// 0 where the number does not decide the order alone.
    func number(of source: Source) throws -> UInt64
}

extension PlaceReader {
    /// The group of a row that fulfils the condition.
    @inline(__always) func groupInList(of source: Source) throws -> String? {
        try holds(source) ? try groupName(of: source) : nil
    }

    @inline(__always) func place(of source: Source) throws -> ListPlace {
        guard let group = try groupInList(of: source) else { return .outside }
        return .inside(group: group, number: try number(of: source))
    }
}

/// Reads a value.
struct ValuePlaceReader<Value>: PlaceReader {
    let condition: (@Sendable (Value) -> Bool)?
    let group: @Sendable (Value) -> String?
    /// Returns the sort number of the value at an address in memory; nil if numbers do not decide.
    let prefix: (@Sendable (UnsafeRawPointer) -> UInt64)?

    @inline(__always) func holds(_ value: Value) -> Bool { condition?(value) ?? true }

    @inline(__always) func groupName(of value: Value) -> String? { group(value) }

    @inline(__always) func number(of value: Value) -> UInt64 {
        guard let prefix else { return 0 }
        return withUnsafePointer(to: value) { prefix($0) }
    }
}

/// Reads stored bytes. It throws where the whole value has to be decoded.
struct StoredPlaceReader: PlaceReader {
    let condition: StoredTest?
    /// Nil if no row's bytes tell its group, and its number.
    let group: (@Sendable (StoredFields) throws -> String?)?
    let number: (@Sendable (StoredFields) throws -> UInt64)?

    @inline(__always) func holds(_ fields: StoredFields) throws -> Bool { try condition?(fields) ?? true }

    @inline(__always) func groupName(of fields: StoredFields) throws -> String? {
        guard let group else { throw NeedsWholeValue() }
        return try group(fields)
    }

    @inline(__always) func number(of fields: StoredFields) throws -> UInt64 {
        guard let number else { throw NeedsWholeValue() }
        return try number(fields)
    }
}

/// Where a list has a row.
enum ListPlace: Equatable {
    case outside
    case inside(group: String, number: UInt64)
}

// MARK: The view

extension Placement {
    /// The blocks and the fields of a view that has the list.
    func arrangement(of collection: String, versionTag: String) -> Arrangement {
        let (reader, comparisons, keys) = (ofValue, orders.map { $0.comparison }, sortKeyReader)
        let prefix = orders.first?.prefix.map { prefix in
            { @Sendable (row: RowContent) throws -> UInt64 in prefix(try row.place(of: Value.self)) }
        }
        let steps = orders.prefix { !isExact && $0.prefix != nil }.map { order in
            YapDatabaseViewSorting.Step(
                number: { [number = order.prefix!] in number(try $0.place(of: Value.self)) },
                isEven: order.isPrefixExact)
        }
        return Arrangement(
            grouping: YapDatabaseViewGrouping(needs: .object, invoke: [.ifObjectModified, .ifObjectTouched]) { _, row in
                try reader.groupInList(of: try row.place(of: Value.self).pointee)
            },
            sorting: YapDatabaseViewSorting(
                needs: .object, invoke: [.ifObjectModified, .ifObjectTouched], prefix: prefix, steps: steps,
                keys: keys.map { keys in
                    SortKeys(steps: keys.steps.map { $0.kind }) {
                        keys.key(at: UnsafeRawPointer(try $0.place(of: Value.self)))
                    }
                }
            ) { _, _, a, b in
                let (first, second) = (try a.place(of: Value.self), try b.place(of: Value.self))
                for comparison in comparisons {
                    let result = comparison(first, second)
                    if result != .orderedSame { return result }
                }
                return .orderedSame
            },
            versionTag: versionTag, fields: fields(of: collection), isTotal: orders.allSatisfy(\.isTotal))
    }

    /// Nil unless numbers and texts in stored bytes decide the order, and a number alone does not.
    private var sortKeyReader: SortKeyReader? { isExact ? nil : SortKeyReader(orders) }

    private func fields(of collection: String) -> FieldPlacing {
        let (promise, keys) = (StoredPromise<Value>(), sortKeyReader)
        return FieldPlacing(
            byBytes: { codings in
                guard let format = codings.format(of: Value.self, in: collection) else { return nil }
                return { try place($0, format, promise) }
            },
            check: { content in
                // A cast copies the value.
                if content.isOf(Value.self) { return }
                _ = try content.place(of: Value.self)
            },
            byObject: { object, row in try place(try cast(object, "object", row.key), row) },
            number: { codings in
                guard isExact, let format = codings.format(of: Value.self, in: collection) else { return nil }
                let (reader, stored) = (ofValue, numbersByBytes ? ofBytes : nil)
                return { bytes, key in
                    // Not the constant itself: converted to the generic function that is asked for, it would be copied to the heap.
                    if let stored,
                        let found = promise.answer(
                            { try stored.number(of: $0) }, bytes, format, whole: { reader.number(of: $0) })
                    {
                        return found
                    }
                    return reader.number(of: try format.decode(Value.self, bytes, ofRow: key))
                }
            },
            sortKey: { codings in
                guard let keys, let format = codings.format(of: Value.self, in: collection) else {
                    return nil
                }
                return { bytes, key in
                    if let found = promise.answer({ try keys.key(of: $0) }, bytes, format, whole: { keys.key(of: $0) })
                    {
                        return found
                    }
                    return keys.key(of: try format.decode(Value.self, bytes, ofRow: key))
                }
            })
    }

    /// Places rows by their bytes, as far as these tell, and by their values.
    private func place(
        _ rows: StoredBatch, _ format: YapDatabaseCodableFormat, _ promise: StoredPromise<Value>
    ) throws -> PlacedBatch {
        guard placesByBytes else {
            return try rows.placed { bytes, row in
                try place(try format.decode(Value.self, bytes, ofRow: { row.key }), row)
            }
        }
        let (reader, stored) = (ofValue, ofBytes)
        return try rows.placed { bytes, row in
            switch promise.answer(
                { try stored.place(of: $0) }, bytes, format, whole: { try reader.place(of: $0) })
            {
            case .inside(let group, let number): RowPlacement(group: group, number: number, content: nil)
            case .outside: nil
            case nil: try place(try format.decode(Value.self, bytes, ofRow: { row.key }), row)
            }
        }
    }

    private func place(_ value: Value, _ row: FieldPlacing.Row) throws -> RowPlacement? {
        guard case .inside(let group, let number) = try ofValue.place(of: value) else { return nil }
        return RowPlacement(group: group, number: number, content: isExact ? nil : RowContent(value, row))
    }
}
