import ByteCoders
import Foundation

/// A condition on values, made from key paths: `\.price < 10 && \.genre == "sci-fi"`.
///
/// A declared list takes it as its filter; a query finds the rows with an index. Where a property is nil, a comparison with a value
/// is false, also `!=`, as in SQL; compare with nil to ask for that.
public struct YapCondition<Value: Sendable>: Sendable {
    /// Whether a value fulfils the condition.
    public let holds: @Sendable (Value) -> Bool
    /// The same out of stored bytes, of a type that is ``YapPlainCodable``; nil if that cannot tell.
    let stored: StoredTest?
    /// The condition in SQL, over the columns that an index has for the properties; nil for a closure.
    let clause: Clause?

    /// A condition that only a closure can tell. A list that is declared with it needs a version tag, and no index serves it.
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

/// A condition on stored bytes; it throws if the whole value has to be asked.
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
        // Of an unknown answer the contrary would be unknown too.
        case .not(let clause): return "(\(clause.sql(column, bind))) IS NOT TRUE"
        }
    }

    /// The condition for version tags; nil if a property has no name.
    var description: String? {
        guard fields.allSatisfy({ $0.name != nil }) else { return nil }
        var values: [String] = []
        let text = sql({ $0.name ?? "" }) { values.append("\(type(of: $0)) \("\($0)".debugDescription)") }
        return ([text] + values).joined(separator: "; ")
    }
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

private func equality<Value, Field: YapFieldValue & Equatable>(
    _ path: KeyPath<Value, Field?> & Sendable, _ value: Field?, isEqual: Bool
) -> YapCondition<Value> {
    guard let value else {
        return condition(path, { .isMissing($0, isEqual) }) { ($0 == nil) == isEqual }
    }
    return comparison(path, isEqual ? "=" : "<>", value) { $0.map { ($0 == value) == isEqual } ?? false }
}

/// Whether the property is less than the value.
public func < <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<", value) { $0 < value } }

/// Whether the property is less than the value or equal.
public func <= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<=", value) { $0 <= value } }

/// Whether the property is greater than the value.
public func > <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">", value) { $0 > value } }

/// Whether the property is greater than the value or equal.
public func >= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">=", value) { $0 >= value } }

/// Whether the property is the value.
public func == <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "=", value) { $0 == value } }

/// Whether the property is another one than the value.
public func != <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<>", value) { $0 != value } }

/// Whether the property is there and less than the value.
public func < <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<", value) { $0.map { $0 < value } ?? false } }

/// Whether the property is there and less than the value or equal.
public func <= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, "<=", value) { $0.map { $0 <= value } ?? false } }

/// Whether the property is there and greater than the value.
public func > <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">", value) { $0.map { $0 > value } ?? false } }

/// Whether the property is there and greater than the value or equal.
public func >= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field
) -> YapCondition<Value> { comparison(path, ">=", value) { $0.map { $0 >= value } ?? false } }

/// Whether the property is the value; with nil, whether it is missing.
public func == <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field?
) -> YapCondition<Value> { equality(path, value, isEqual: true) }

/// Whether the property is there and another one than the value; with nil, whether it is there.
public func != <Value, Field: YapFieldValue & Equatable>(
    path: KeyPath<Value, Field?> & Sendable, value: Field?
) -> YapCondition<Value> { equality(path, value, isEqual: false) }

/// Whether the property is one of the values: `\.genre ~= ["sci-fi", "fantasy"]`.
public func ~= <Value, Field: YapFieldValue & Hashable>(
    path: KeyPath<Value, Field> & Sendable, values: [Field]
) -> YapCondition<Value> {
    let set = Set(values)
    return condition(path, { .among($0, values.compactMap(\.fieldValue)) }) { set.contains($0) }
}

/// Whether the property is one of the values, of which nil says that it may be missing.
public func ~= <Value, Field: YapFieldValue & Hashable>(
    path: KeyPath<Value, Field?> & Sendable, values: [Field?]
) -> YapCondition<Value> {
    let set = Set(values)
    func clause(_ field: FieldPath) -> YapCondition<Value>.Clause {
        let among = YapCondition<Value>.Clause.among(field, values.compactMap(\.fieldValue))
        // SQL's IN never finds what is missing.
        return set.contains(nil) ? .either(among, .isMissing(field, true)) : among
    }
    return condition(path, clause) { set.contains($0) }
}

/// Whether the property lies in the range: `\.year ~= 1960...1969`.
public func ~= <Value, Field: YapFieldValue & Comparable>(
    path: KeyPath<Value, Field> & Sendable, range: ClosedRange<Field>
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
