import ByteCoders

/// A property that is read out of the stored bytes of a value, as its own type reads it when the whole value is decoded.
struct StoredField<Field>: Sendable {
    private let read: @Sendable (StoredFields) throws -> Field

    /// Nil where the bytes may have something else under the property's name: of a type that is not ``YapPlainCodable``, of a computed property, and
    /// of a property in another one whose type is no such type.
    init?<Value>(_ path: KeyPath<Value, Field>) {
        guard MemoryLayout<Value>.offset(of: path) != nil, let key = storedKey(of: FieldPath(path), in: Value.self)
        else { return nil }
        func required<Stored: Decodable>(_ type: Stored.Type) -> @Sendable (StoredFields) throws -> Field {
            StoredProperty<Stored, Field>(key: key).value
        }
        func optional<Stored: OptionalOfDecodable>(_ type: Stored.Type) -> @Sendable (StoredFields) throws -> Field {
            OptionalProperty<Stored, Field>(key: key).value
        }
        if let type = Field.self as? any OptionalOfDecodable.Type {
            read = optional(type)
        } else if let type = Field.self as? any Decodable.Type {
            read = required(type)
        } else {
            return nil
        }
    }

    /// Returns a function that reads the property and gives what `transform` makes of it. It throws where the whole value has to be decoded,
    /// instead of returning nil, because an optional of a type that the compiler does not know costs a look-up.
    func map<Result>(
        _ transform: @escaping @Sendable (Field) -> Result
    ) -> @Sendable (StoredFields) throws -> Result {
        { [read] in transform(try read($0)) }
    }
}

// `Stored` is `Field`, which only the running program knows to be `Decodable`.

private struct StoredProperty<Stored: Decodable, Field>: Sendable {
    let key: StoredKey

    func value(_ fields: StoredFields) throws -> Field {
        unsafeBitCast(try fields.value(Stored.self, of: key), to: Field.self)
    }
}

private struct OptionalProperty<Stored: OptionalOfDecodable, Field>: Sendable {
    let key: StoredKey

    func value(_ fields: StoredFields) throws -> Field {
        unsafeBitCast(try Stored.read(fields, key), to: Field.self)
    }
}

/// An optional, which is nil without its key, as in decoding that the compiler makes.
private protocol OptionalOfDecodable {
    static func read(_ fields: StoredFields, _ key: StoredKey) throws -> Self
}

extension Optional: OptionalOfDecodable where Wrapped: Decodable {
    fileprivate static func read(_ fields: StoredFields, _ key: StoredKey) throws -> Wrapped? {
        try fields.valueIfPresent(Wrapped.self, of: key)
    }
}
