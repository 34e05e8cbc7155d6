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

/// An object of a row with its type, at a place that stays, so that a sort casts it once and copies it never.
private final class TypedObject<Value>: ManagedBuffer<Void, Value> {
    static func make(_ value: consuming Value) -> TypedObject {
        let object = unsafeDowncast(create(minimumCapacity: 1) { _ in }, to: TypedObject.self)
        object.place.initialize(to: value)
        return object
    }

    var place: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

    deinit { place.deinitialize(count: 1) }
}

extension RowContent {
    /// Whether the row's object is of exactly this type. A cast would copy it.
    func isOf<Value>(_ type: Value.Type) -> Bool { Swift.type(of: object) == type }

    /// The place of the row's object, which lasts as long as the row.
    /// - Throws: ``YapDatabaseError`` if it is of another type.
    func place<Value>(of type: Value.Type) throws -> UnsafePointer<Value> {
        if let typed, Swift.type(of: typed) == TypedObject<Value>.self {
            return UnsafePointer(unsafeDowncast(typed, to: TypedObject<Value>.self).place)
        }
        let typed = TypedObject<Value>.make(try cast(object, "object", key))
        self.typed = typed
        return UnsafePointer(typed.place)
    }

    /// A row whose object is read only by ``place(of:)``.
    convenience init<Value>(_ value: Value, _ row: FieldPlacing.Row) {
        self.init(rowid: row.rowid, key: row.key, object: nil, metadata: nil, size: row.size)
        typed = TypedObject<Value>.make(value)
    }
}
