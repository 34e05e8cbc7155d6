import ByteCoders
import Foundation

/// A condition on values, made from key paths: `\.price < 10 && \.genre == "sci-fi"`.
///
/// A declared list takes it as its filter; a query finds the rows with an index. Both find the same rows: texts compare by their bytes,
/// what is missing and what is not a number is neither less nor greater than any value, and `!=` is the contrary of `==`.
public struct YapCondition<Value: Sendable>: Sendable {
    /// Whether a value fulfils the condition.
    public let holds: @Sendable (Value) -> Bool
    /// The same out of stored bytes, of a type that is ``YapPlainCodable``; nil if that cannot tell.
    let stored: StoredTest?
    /// The condition in SQL, over the columns that an index has for the properties; nil for a closure.
    let clause: Clause?

    /// A condition that only a closure can tell. A list that is declared with it needs a version tag, and no index serves it.
    ///
    /// The closure is called on any thread.
    ///
    /// ```swift
    /// let long = YapCondition<Book>.holds { $0.title.count > 20 }
    /// ```
    public static func holds(_ test: @escaping @Sendable (Value) -> Bool) -> Self {
        Self(holds: test, stored: nil, clause: nil)
    }

    indirect enum Clause: Sendable {
        case compare(FieldPath, String, any Sendable)
        case among(FieldPath, [any Sendable])
        case isMissing(FieldPath, Bool)
        case both(Clause, Clause)
        case either(Clause, Clause)
        case not(Clause)
    }
}

/// A condition on stored bytes; it throws if the whole value has to be decoded.
typealias StoredTest = @Sendable (StoredFields) throws -> Bool

extension YapCondition.Clause {
    /// The properties that it goes by.
    var fields: [FieldPath] {
        switch self {
        case .compare(let field, _, _), .among(let field, _), .isMissing(let field, _): [field]
        case .both(let a, let b), .either(let a, let b): a.fields + b.fields
        case .not(let clause): clause.fields
        }
    }

    /// Writes it as SQL; `column` gives the name of a property's column, and `bind` collects the parameters.
    func sql(_ column: (FieldPath) -> String, _ bind: (any Sendable) -> Void) -> String {
        switch self {
        case .compare(let field, let sign, let value):
            bind(value)
            return "\(column(field)) \(sign) ?"
        case .among(let field, let values):
            for value in values { bind(value) }
            return "\(column(field)) IN (\(values.map { _ in "?" }.joined(separator: ", ")))"
        case .isMissing(let field, let isMissing): return "\(column(field)) IS \(isMissing ? "" : "NOT ")NULL"
        case .both(let a, let b): return "(\(a.sql(column, bind)) AND \(b.sql(column, bind)))"
        case .either(let a, let b): return "(\(a.sql(column, bind)) OR \(b.sql(column, bind)))"
        // NOT NULL is NULL in SQL, so NOT would leave out the rows for which the clause is unknown.
        case .not(let clause): return "(\(clause.sql(column, bind))) IS NOT TRUE"
        }
    }

    /// The condition for version tags; nil if a property has no name.
    var description: String? {
        guard fields.allSatisfy({ $0.name != nil }) else { return nil }
        var values: [String?] = []
        let text = sql({ $0.name ?? "" }) { values.append(tagText($0)) }
        return ([text] + values).known(separatedBy: "; ")
    }
}

/// A value in a version tag, different for each value: descriptions of dates leave out parts of seconds, those of data all but the count.
private func tagText(_ value: any Sendable) -> String {
    let type = type(of: value)
    let text =
        switch value {
        // As an interpolation gives it, which looks up at run time how a value is printed. An optional one gives another text.
        case let value as String where type == String.self: value
        case let value as Int64 where type == Int64.self: value.description
        case let value as Int where type == Int.self: value.description
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        default: "\(value)"
        }
    return _typeName(type, qualified: false) + " " + text.debugDescription
}

/// A condition on one property, which a test decides.
private func condition<Value, Field>(
    _ path: KeyPath<Value, Field> & Sendable, _ clause: (FieldPath) -> YapCondition<Value>.Clause?,
    _ test: @escaping @Sendable (Field) -> Bool
) -> YapCondition<Value> {
    let field = FieldReader(path)
    return YapCondition(
        holds: { test(field($0)) }, stored: StoredField(path)?.map(test), clause: clause(FieldPath(path)))
}

/// A condition that compares a property with a value.
private func comparison<Value, Field, Compared: YapFieldValue>(
    _ path: KeyPath<Value, Field> & Sendable, _ sign: String, _ value: Compared,
    _ test: @escaping @Sendable (Field) -> Bool
) -> YapCondition<Value> {
    condition(path, { field in value.fieldValue.map { .compare(field, sign, $0) } }, test)
}

/// Asks the second test where the first does not give the decisive answer.
private func joined(_ first: StoredTest?, _ second: StoredTest?, decisive: Bool) -> StoredTest? {
    guard let first, let second else { return nil }
    return { try first($0) == decisive ? decisive : second($0) }
}

/// Whether a property equals a value; both may be nil.
private func equality<Value, Field: YapFieldValue & Equatable>(
    _ path: KeyPath<Value, Field> & Sendable, _ value: Field
) -> YapCondition<Value> {
    func clause(_ field: FieldPath) -> YapCondition<Value>.Clause? {
        // What is not equal to itself has no form in SQL that equals nothing.
        guard value == value else { return .among(field, []) }
        if let stored = value.fieldValue { return .compare(field, "=", stored) }
        return Field.self is any OptionalField.Type ? .isMissing(field, true) : nil
    }
    return condition(path, clause, Field.equals(value))
}

/// Whether a property that may be missing is greater than a value, or equal. What is not a number is none; an index has it as a text, which
/// SQLite calls greater than any number.
private func isAbove<Value, Field: YapFieldValue & Comparable>(
    _ path: KeyPath<Value, Field?> & Sendable, _ sign: String, _ value: Field,
    _ test: @escaping @Sendable (Field?) -> Bool
) -> YapCondition<Value> {
    let lower = comparison(path, sign, value, test)
    guard Field.fieldType == .real, let clause = lower.clause else { return lower }
    let bound = YapCondition<Value>.Clause.compare(FieldPath(path), "<=", Double.infinity)
    return YapCondition(holds: lower.holds, stored: lower.stored, clause: .both(clause, bound))
}

/// Whether the property is less than the value.
public func < <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<", value) { Field.isLess($0, value) } }

/// Whether the property is less than the value or equal.
public func <= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<=", value) { Field.isAtMost($0, value) } }

/// Whether the property is greater than the value.
public func > <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">", value) { Field.isLess(value, $0) } }

/// Whether the property is greater than the value or equal.
public func >= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">=", value) { Field.isAtMost(value, $0) } }

/// Whether the property is there and less than the value.
public func < <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<", value) { $0.map { Field.isLess($0, value) } ?? false } }

/// Whether the property is there and less than the value or equal.
public func <= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<=", value) { $0.map { Field.isAtMost($0, value) } ?? false } }

/// Whether the property is there and greater than the value.
public func > <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { isAbove(path, ">", value) { $0.map { Field.isLess(value, $0) } ?? false } }

/// Whether the property is there and greater than the value or equal.
public func >= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { isAbove(path, ">=", value) { $0.map { Field.isAtMost(value, $0) } ?? false } }

/// Whether the property is the value. Texts are equal if their bytes are, as keys.
///
/// The nil of an optional property is a value like others: `\.owner == nil` finds rows without an owner, and so does `\.owner == name` if the
/// variable `name` is nil.
public func == <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { equality(path, value) }

/// Whether the property is not the value: always the contrary of `==`, as in Swift, so a property that is missing is not the value. (In SQL
/// it would be neither.) `\.owner != "x" && \.owner != nil` leaves out what is missing.
public func != <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { !equality(path, value) }

/// Whether the property is one of the values: `\.genre ~= ["sci-fi", "fantasy"]`. Of a property that may be missing, nil among the values
/// finds what is missing.
public func ~= <Value, Field: YapFieldValue & Hashable>(
    path: KeyPath<Value, Field> & Sendable, values: [Field]
) -> YapCondition<Value> {
    func clause(_ field: FieldPath) -> YapCondition<Value>.Clause {
        let stored = values.compactMap(\.fieldValue)
        let among = YapCondition<Value>.Clause.among(field, stored)
        // SQL's IN never finds what is missing.
        return Field.self is any OptionalField.Type && stored.count < values.count
            ? .either(among, .isMissing(field, true)) : among
    }
    return condition(path, clause, Field.isAmong(values))
}

/// Whether the property lies in the range: `\.year ~= 1960...1969`.
public func ~= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, range: ClosedRange<Field>
) -> YapCondition<Value> { path >= range.lowerBound && path <= range.upperBound }

/// Whether the property is there and lies in the range.
public func ~= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, range: ClosedRange<Field>
) -> YapCondition<Value> { path >= range.lowerBound && path <= range.upperBound }

/// Whether both conditions hold.
public func && <Value>(a: YapCondition<Value>, b: YapCondition<Value>) -> YapCondition<Value> {
    YapCondition(
        holds: { a.holds($0) && b.holds($0) },
        stored: joined(a.stored, b.stored, decisive: false),
        clause: a.clause.flatMap { first in b.clause.map { .both(first, $0) } })
}

/// Whether one of the conditions holds, or both.
public func || <Value>(a: YapCondition<Value>, b: YapCondition<Value>) -> YapCondition<Value> {
    YapCondition(
        holds: { a.holds($0) || b.holds($0) },
        stored: joined(a.stored, b.stored, decisive: true),
        clause: a.clause.flatMap { first in b.clause.map { .either(first, $0) } })
}

/// Whether the condition does not hold.
public prefix func ! <Value>(condition: YapCondition<Value>) -> YapCondition<Value> {
    YapCondition(
        holds: { !condition.holds($0) },
        stored: condition.stored.map { stored in { @Sendable in try !stored($0) } },
        clause: condition.clause.map { .not($0) })
}
