import ByteCoders
import Foundation

/// Reads one field of a value: at its place in memory if it is stored there, which is many times as quick as by its key path.
struct FieldReader<Value, Field>: Sendable {
    private let path: KeyPath<Value, Field> & Sendable
    let offset: Int?

    init(_ path: KeyPath<Value, Field> & Sendable) {
        self.path = path
        offset = MemoryLayout<Value>.offset(of: path)
    }

    @inline(__always) func callAsFunction(_ value: Value) -> Field {
        guard let offset else { return value[keyPath: path] }
        return withUnsafePointer(to: value) {
            (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Field.self).pointee
        }
    }
}

extension FieldReader where Field: Comparable & Sendable {
    /// Compares the fields of two values where they are, without a copy of the values; nil if the field is computed.
    func comparison(isDescending: Bool) -> (@Sendable (UnsafeRawPointer, UnsafeRawPointer) -> ComparisonResult)? {
        guard let offset else { return nil }
        // The compiler makes a function of its own for each of these.
        return switch Field.self {
        case is Int.Type: comparison(of: Int.self, at: offset, isDescending)
        case is Double.Type: comparison(of: Double.self, at: offset, isDescending)
        case is String.Type: comparison(of: String.self, at: offset, isDescending)
        case is Date.Type: comparison(of: Date.self, at: offset, isDescending)
        default: comparison(of: Field.self, at: offset, isDescending)
        }
    }

    @inline(__always) private func comparison<Stored: Comparable & Sendable>(
        of type: Stored.Type, at offset: Int, _ isDescending: Bool
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> ComparisonResult {
        { first, second in
            let a = (first + offset).assumingMemoryBound(to: Stored.self)
            let b = (second + offset).assumingMemoryBound(to: Stored.self)
            return ordered(a.pointee, b.pointee, isDescending: isDescending)
        }
    }
}

extension RowContent {
    /// Whether the row's object is of exactly this type. A cast would copy it.
    func isOf<Value>(_ type: Value.Type) -> Bool { Swift.type(of: object) == type }

    /// The place of the row's object, which lasts as long as the row.
    /// - Throws: ``YapDatabaseError`` if it is of another type.
    func place<Value>(of type: Value.Type) throws -> UnsafePointer<Value> {
        if let known = typed.pointer(to: type) { return known }
        typed = TypedPlace(try cast(object, "object", key) as Value)
        return typed.pointer(to: type)!
    }

    /// A row whose object is read only by ``place(of:)``.
    convenience init<Value>(_ value: Value, _ row: FieldPlacing.Row) {
        self.init(rowid: row.rowid, key: row.key, object: nil, metadata: nil, size: row.size)
        typed = TypedPlace(value)
    }
}

extension FieldReader where Field: Comparable & Sendable {
    /// Returns how a number is made for the field, of a value at its place and of its stored bytes; nil for a computed field, and for a type that
    /// has no such numbers.
    func number(isDescending: Bool) -> FieldNumber? {
        offset.flatMap { FieldNumber.of(Field.self, at: $0, isDescending: isDescending) }
    }

    /// Whether fields with equal numbers are equal.
    var isPrefixExact: Bool { offset != nil && FieldNumber.isExact(for: Field.self) }
}

/// How a field becomes a number that is ordered as the field is. Two fields with different numbers are ordered as the numbers are; fields with equal
/// numbers must be compared, unless the numbers are exact.
struct FieldNumber: Sendable {
    /// Returns the number of the value at an address in memory.
    let ofValue: @Sendable (UnsafeRawPointer) -> UInt64
    /// Returns the number from stored bytes, by the field's key.
    let ofBytes: @Sendable (StoredFields, _ key: StoredKey) throws -> UInt64
    /// The whole field, of a text that may not be missing; nil for others.
    private(set) var text: FieldText?
}

/// A text that decides between values whose numbers are equal.
struct FieldText: Sendable {
    /// Returns the text of the value at an address in memory.
    let ofValue: @Sendable (UnsafeRawPointer) -> String
    /// Returns the text from stored bytes, by the field's key.
    let ofBytes: @Sendable (StoredFields, _ key: StoredKey) throws -> String
}

extension FieldNumber {
    /// Nil for a type without such numbers.
    /// - Parameters:
    ///   - offset: of the field in the value.
    ///   - isMissingFirst: where a field of the optional type comes that is missing; nil for a field of the type itself.
    static func of<Field>(
        _ type: Field.Type, at offset: Int = 0, isDescending: Bool, isMissingFirst: Bool? = nil
    ) -> FieldNumber? {
        // The compiler makes functions of their own for each of these.
        return switch type {
        case is Int.Type: FieldNumber(of: Int.self, at: offset, isDescending, isMissingFirst)
        case is Double.Type: FieldNumber(of: Double.self, at: offset, isDescending, isMissingFirst)
        case is Date.Type: FieldNumber(of: Date.self, at: offset, isDescending, isMissingFirst)
        case is Int64.Type: FieldNumber(of: Int64.self, at: offset, isDescending, isMissingFirst)
        case is Int32.Type: FieldNumber(of: Int32.self, at: offset, isDescending, isMissingFirst)
        case is UInt.Type: FieldNumber(of: UInt.self, at: offset, isDescending, isMissingFirst)
        case is UInt64.Type: FieldNumber(of: UInt64.self, at: offset, isDescending, isMissingFirst)
        case is Float.Type: FieldNumber(of: Float.self, at: offset, isDescending, isMissingFirst)
        case is String.Type: FieldNumber(of: String.self, at: offset, isDescending, isMissingFirst)
        default: nil
        }
    }

    /// Whether fields of a type with equal numbers are equal.
    static func isExact<Field>(for type: Field.Type) -> Bool {
        type != String.self && of(type, isDescending: false) != nil
    }

    /// The same for fields that may be missing: an integer may have the number of one that is.
    static func isExactWithMissing<Field>(for type: Field.Type) -> Bool {
        type == Double.self || type == Float.self || type == Date.self
    }

    /// The number of a value that may be missing.
    static func of<Value>(
        _ value: Value?, _ number: (UnsafeRawPointer) -> UInt64, isMissingFirst: Bool
    ) -> UInt64 {
        withMissing(value.map { withUnsafePointer(to: $0) { number(UnsafeRawPointer($0)) } }, isFirst: isMissingFirst)
    }

    /// Makes room among the numbers for what is missing.
    @inline(__always) static func withMissing(_ number: UInt64?, isFirst: Bool) -> UInt64 {
        guard let number else { return isFirst ? 0 : .max }
        return isFirst ? max(number, 1) : min(number, .max - 1)
    }
}

extension FieldNumber {
    @inline(__always) fileprivate init<Stored: OrderedByNumber>(
        of type: Stored.Type, at offset: Int, _ isDescending: Bool, _ isMissingFirst: Bool?
    ) {
        // What has no place among the numbers comes last in both orders.
        @inline(__always) @Sendable func number(_ value: Stored) -> UInt64 {
            guard let bits = value.orderedBits else { return .max }
            return isDescending ? ~bits : bits
        }
        guard let isMissingFirst else {
            ofValue = { place in number((place + offset).assumingMemoryBound(to: Stored.self).pointee) }
            ofBytes = { fields, key in number(try fields.value(Stored.self, of: key)) }
            guard Stored.self == String.self else { return }
            text = FieldText(
                ofValue: { place in (place + offset).assumingMemoryBound(to: String.self).pointee },
                ofBytes: { fields, key in try fields.value(String.self, of: key) })
            return
        }
        ofValue = { place in
            let value = (place + offset).assumingMemoryBound(to: Stored?.self).pointee
            return Self.withMissing(value.map { number($0) }, isFirst: isMissingFirst)
        }
        ofBytes = { fields, key in
            let value = try fields.valueIfPresent(Stored.self, of: key)
            return Self.withMissing(value.map { number($0) }, isFirst: isMissingFirst)
        }
    }
}

/// A type whose values are ordered as numbers of 64 bits are, as far as these tell.
private protocol OrderedByNumber: Decodable, Sendable {
    /// Nil for what is not a number. No other value has the largest or the least number, unless its type has no such value.
    var orderedBits: UInt64? { get }
}

extension OrderedByNumber where Self: BinaryInteger {
    fileprivate var orderedBits: UInt64? {
        Self.isSigned ? UInt64(bitPattern: Int64(truncatingIfNeeded: self)) ^ 1 << 63 : UInt64(truncatingIfNeeded: self)
    }
}

extension Int: OrderedByNumber {}
extension Int32: OrderedByNumber {}
extension Int64: OrderedByNumber {}
extension UInt: OrderedByNumber {}
extension UInt64: OrderedByNumber {}

extension Double: OrderedByNumber {
    /// The bits such that they are ordered as the numbers are; nil for what is not a number. Both zeros are equal.
    fileprivate var orderedBits: UInt64? {
        if isNaN { return nil }
        let bits = (self + 0).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }
}

extension Float: OrderedByNumber {
    fileprivate var orderedBits: UInt64? { Double(self).orderedBits }
}

extension Date: OrderedByNumber {
    fileprivate var orderedBits: UInt64? { timeIntervalSinceReferenceDate.orderedBits }
}

extension String: OrderedByNumber {
    /// The first eight bytes.
    fileprivate var orderedBits: UInt64? {
        var (bits, count) = (UInt64(0), 0)
        for byte in utf8.prefix(8) {
            bits = bits << 8 | UInt64(byte)
            count += 1
        }
        return count < 8 ? bits << UInt64(8 * (8 - count)) : bits
    }
}
