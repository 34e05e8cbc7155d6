import ByteCoders

/// A column of an index that is declared by fields: what it has of a value.
struct FieldColumn<Value: Sendable>: Sendable {
    let field: FieldPath
    let name: String
    /// What a handler sets; nil for nothing.
    let handled: @Sendable (Value) -> (any Sendable)?
    /// What is stored; nil where SQLite has no form of it.
    let ofValue: @Sendable (Value) -> SQLValue?
    /// Reads the column from the stored bytes of a type that is ``YapPlainCodable``; throws if the whole value has to be decoded.
    let ofBytes: (@Sendable (StoredFields) throws -> SQLValue)?

    /// - Parameter what: what is declared, with its article.
    init<Field>(
        _ path: KeyPath<Value, Field> & Sendable, for what: String,
        handled: @escaping @Sendable (Field) -> (any Sendable)?, stored: @escaping @Sendable (Field) -> SQLValue?
    ) {
        field = FieldPath(path)
        name = field.columnName(for: what)
        let reader = FieldReader(path)
        self.handled = { handled(reader($0)) }
        ofValue = { stored(reader($0)) }
        let read = StoredField(path)?.map(stored)
        ofBytes = read.map { read in
            { @Sendable fields in
                guard let value = try read(fields) else { throw NeedsWholeValue() }
                return value
            }
        }
    }
}

extension FieldColumns {
    /// Nil without columns.
    init?<Value: Codable & Sendable>(_ columns: [FieldColumn<Value>], in collection: String, keepsEmptyRows: Bool) {
        if columns.isEmpty { return nil }
        let (ofValue, ofBytes) = (columns.map(\.ofValue), columns.compactMap(\.ofBytes))
        let read: (@Sendable (StoredFields) throws -> [SQLValue])? =
            ofBytes.count == columns.count ? { @Sendable fields in try ofBytes.map { try $0(fields) } } : nil
        let promise = StoredPromise<Value>()
        self.init(
            byBytes: { codings in
                guard let format = codings.format(of: Value.self, in: collection) else { return nil }
                return { bytes, key in
                    try read.flatMap { promise.answer($0, bytes, format) { answers(ofValue, $0) ?? [] } }
                        ?? answers(ofValue, format.decode(Value.self, bytes, ofRow: { key }))
                }
            },
            byObject: { object, key in answers(ofValue, try cast(object, "object", key)) },
            keepsEmptyRows: keepsEmptyRows)
    }
}

/// What all columns have of a value; nil if SQLite has no form of one of them.
private func answers<Value>(_ columns: [@Sendable (Value) -> SQLValue?], _ value: Value) -> [SQLValue]? {
    let values = columns.compactMap { $0(value) }
    return values.count == columns.count ? values : nil
}
