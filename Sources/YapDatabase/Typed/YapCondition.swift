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
    let clause: ConditionClause?
    private let tests: ConditionTests<@Sendable (Value) -> Bool>
    private let storedTests: ConditionTests<StoredTest>?

    init(holds test: @escaping @Sendable (Value) -> Bool, stored: StoredTest?, clause: ConditionClause?) {
        self.init(ConditionTests(test), stored: stored.map(ConditionTests.init), clause: clause)
    }

    private init(
        _ tests: ConditionTests<@Sendable (Value) -> Bool>, stored: ConditionTests<StoredTest>?,
        clause: ConditionClause?
    ) {
        (self.tests, storedTests, self.clause) = (tests, stored, clause)
        holds = tests.single ?? { value in tests.hold { $0(value) } }
        self.stored = stored.map { tests in tests.single ?? { fields in try tests.hold { try $0(fields) } } }
    }

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
}

/// A condition on stored bytes; it throws if the whole value has to be decoded.
typealias StoredTest = @Sendable (StoredFields) throws -> Bool

/// A condition on one property, which a test decides.
private func condition<Value, Field>(
    _ path: KeyPath<Value, Field> & Sendable, _ clause: (FieldPath) -> ConditionClause?,
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

/// Whether a property equals a value; both may be nil.
private func equality<Value, Field: YapFieldValue & Equatable>(
    _ path: KeyPath<Value, Field> & Sendable, _ value: Field
) -> YapCondition<Value> {
    func clause(_ field: FieldPath) -> ConditionClause? {
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
    let bound = ConditionClause.compare(FieldPath(path), "<=", Double.infinity)
    return YapCondition(holds: lower.holds, stored: lower.stored, clause: .joined(clause, bound, .and))
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
    func clause(_ field: FieldPath) -> ConditionClause {
        let stored = values.compactMap(\.fieldValue)
        let among = ConditionClause.among(field, stored)
        // SQL's IN never finds what is missing.
        return Field.self is any OptionalField.Type && stored.count < values.count
            ? .joined(among, .isMissing(field, true), .or) : among
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

/// Whether both conditions hold. The second one is asked only of values that fulfil the first.
public func && <Value>(a: YapCondition<Value>, b: YapCondition<Value>) -> YapCondition<Value> { a.joined(.and, b) }

/// Whether one of the conditions holds, or both. The second one is asked only of values that do not fulfil the first.
///
/// Where a property is compared with many values, `~=` with an array of them is shorter and faster than a chain of `||`.
public func || <Value>(a: YapCondition<Value>, b: YapCondition<Value>) -> YapCondition<Value> { a.joined(.or, b) }

/// Whether the condition does not hold.
public prefix func ! <Value>(condition: YapCondition<Value>) -> YapCondition<Value> { condition.inverted }

extension YapCondition {
    fileprivate func joined(_ junction: ConditionClause.Junction, _ other: Self) -> Self {
        Self(
            tests.joined(junction, other.tests),
            stored: storedTests.flatMap { first in other.storedTests.map { first.joined(junction, $0) } },
            clause: clause.flatMap { first in other.clause.map { .joined(first, $0, junction) } })
    }

    fileprivate var inverted: Self {
        Self(tests.inverted, stored: storedTests?.inverted, clause: clause?.inverted)
    }
}
