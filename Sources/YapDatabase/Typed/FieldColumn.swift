import ByteCoders

/// A column of an index that is declared by fields: what it has of a value.
struct FieldColumn<Value: Sendable>: Sendable {
    let field: FieldPath
    let name: String
    /// What a handler sets; nil for nothing.
    let handled: @Sendable (Value) -> (any Sendable)?
    /// What is stored; nil where SQLite has no form of it.
    let ofValue: @Sendable (Value) -> SQLValue?
    /// The same out of stored bytes, of a type that is ``YapPlainCodable``; nil if the whole value has to be asked.
    let ofBytes: (@Sendable (StoredFields) -> SQLValue?)?

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
        ofBytes = read.map { read in { @Sendable in read($0) ?? nil } }
    }
}

extension FieldColumns {
    /// Nil without columns.
    init?<Value: Codable & Sendable>(_ columns: [FieldColumn<Value>], in collection: String, keepsEmptyRows: Bool) {
        if columns.isEmpty { return nil }
        let (ofValue, ofBytes) = (columns.map(\.ofValue), columns.compactMap(\.ofBytes))
        let read: (@Sendable (StoredFields) -> [SQLValue]?)? =
            ofBytes.count == columns.count ? { @Sendable in answers(ofBytes, $0) } : nil
        let promise = StoredPromise<Value>()
        self.init(
            byBytes: { codings in
                guard let format = codings.format(of: Value.self, in: collection) else { return nil }
                return { bytes, key in
                    try promise.answer(read, bytes, format) { answers(ofValue, $0) ?? [] }
                        ?? answers(ofValue, format.decode(Value.self, bytes, ofRow: { key }))
                }
            },
            byObject: { object, key in answers(ofValue, try cast(object, "object", key)) },
            keepsEmptyRows: keepsEmptyRows)
    }
}

/// What all columns have of a value; nil if one of them does not know.
private func answers<Asked>(_ columns: [@Sendable (Asked) -> SQLValue?], _ asked: Asked) -> [SQLValue]? {
    var values: [SQLValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
        guard let value = column(asked) else { return nil }
        values.append(value)
    }
    return values
}
