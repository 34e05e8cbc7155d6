import Foundation

/// A figure over the rows of a group: how many meet a condition, a sum, the least or the greatest value of a property.
///
/// ```swift
/// let unread = YapFigure.count(where: \Message.isUnread == true)
/// let newest = YapFigure.maximum(\Message.date)
/// ```
///
/// It equals what a fold over all rows of the group gives, whatever happened before. Sums are exact: a sum of `Double`s is rounded once, when it
/// is read, so the order of the rows does not matter. A property that is nil, or not a number, counts for nothing; only a sum of what is not a
/// number is not a number.
public struct YapFigure<Value: Codable & Sendable, Result: Sendable>: YapGroupFigure {
    let rule: FigureRule<Value>
    let result: @Sendable (FigureState) -> Result

    init(_ rule: FigureRule<Value>, _ result: @escaping @Sendable (FigureState) -> Result) {
        (self.rule, self.result) = (rule, result)
    }

    /// What the library makes of it. For the library alone.
    public var untyped: YapUntypedFigure<Value> { YapUntypedFigure(rule: rule) }
}

/// A figure whose type of result does not matter: ``YapFigure``.
public protocol YapGroupFigure<Value>: Sendable {
    /// The type of the rows of the groups.
    associatedtype Value: Codable & Sendable

    /// What the library makes of it. For the library alone.
    var untyped: YapUntypedFigure<Value> { get }
}

/// What the library makes of a ``YapFigure``.
public struct YapUntypedFigure<Value: Codable & Sendable>: Sendable {
    let rule: FigureRule<Value>
}

extension YapFigure where Result == Int {
    /// How many rows of the group fulfil a condition.
    /// - Parameters:
    ///   - condition: which rows count.
    ///   - name: names the figure, if a closure or a computed property is part of the condition; another one whenever the answers change.
    public static func count(where condition: YapCondition<Value>, named name: String? = nil) -> Self {
        Self(
            FigureRule(kind: .count, name: figureName("count where", name ?? condition.clause?.description)) {
                .integer(condition.holds($0) ? 1 : 0)
            },
            { if case .count(let count) = $0 { count } else { 0 } })
    }
}

extension YapFigure where Result == Int? {
    /// The sum of whole numbers; nil only if it fits into no `Int`.
    /// - Parameter name: names the figure, if the property is computed; another one whenever it changes.
    public static func sum(_ path: KeyPath<Value, Int> & Sendable, named name: String? = nil) -> Self {
        let field = FieldReader(path)
        return whole(path, name) { .integer(Int64(field($0))) }
    }

    /// The sum of whole numbers, of rows that have one; nil only if it fits into no `Int`.
    /// - Parameter name: names the figure, if the property is computed; another one whenever it changes.
    public static func sum(_ path: KeyPath<Value, Int?> & Sendable, named name: String? = nil) -> Self {
        let field = FieldReader(path)
        return whole(path, name) { field($0).map { .integer(Int64($0)) } ?? .null }
    }

    private static func whole(
        _ path: AnyKeyPath, _ name: String?, _ value: @escaping @Sendable (Value) -> SQLValue
    ) -> Self {
        Self(
            FigureRule(kind: .whole, name: figureName("sum", name ?? FieldPath(path).name), ofValue: value),
            { if case .whole(let sum) = $0 { Int(exactly: sum) } else { nil } })
    }
}

extension YapFigure where Result == Double {
    /// The sum of numbers.
    /// - Parameter name: names the figure, if the property is computed; another one whenever it changes.
    public static func sum(_ path: KeyPath<Value, Double> & Sendable, named name: String? = nil) -> Self {
        let field = FieldReader(path)
        return real(path, name) { field($0) }
    }

    /// The sum of numbers, of rows that have one.
    /// - Parameter name: names the figure, if the property is computed; another one whenever it changes.
    public static func sum(_ path: KeyPath<Value, Double?> & Sendable, named name: String? = nil) -> Self {
        let field = FieldReader(path)
        return real(path, name) { field($0) }
    }

    private static func real(
        _ path: AnyKeyPath, _ name: String?, _ value: @escaping @Sendable (Value) -> Double?
    ) -> Self {
        Self(
            FigureRule(kind: .real, name: figureName("sum", name ?? FieldPath(path).name)) {
                value($0).map { $0.isNaN ? .text(FigureState.notANumber) : .real($0) } ?? .null
            },
            { if case .real(let sum) = $0 { sum.value } else { 0 } })
    }
}

/// Names a figure by what it is worked out from.
private func figureName(_ word: String, _ subject: String?) -> String {
    guard let subject else {
        fatalError(
            "A figure uses a closure or a computed property, whose changes nothing can notice. Use a stored property, or give it a name."
        )
    }
    return "\(word) \(subject)"
}

extension YapFigure {
    /// The least value of a property; nil if no row of the group has one.
    public static func minimum<Field: YapFigureField>(_ path: KeyPath<Value, Field> & Sendable) -> Self
    where Result == Field? {
        let (field, form) = (FieldReader(path), Field.columnForm())
        return bound(.least, path) { form(field($0)) ?? .null }
    }

    /// The least value of a property, of rows that have one; nil if no row of the group has.
    public static func minimum<Field: YapFigureField>(_ path: KeyPath<Value, Field?> & Sendable) -> Self
    where Result == Field? {
        let (field, form) = (FieldReader(path), Field.columnForm())
        return bound(.least, path) { field($0).flatMap(form) ?? .null }
    }

    /// The greatest value of a property; nil if no row of the group has one.
    public static func maximum<Field: YapFigureField>(_ path: KeyPath<Value, Field> & Sendable) -> Self
    where Result == Field? {
        let (field, form) = (FieldReader(path), Field.columnForm())
        return bound(.greatest, path) { form(field($0)) ?? .null }
    }

    /// The greatest value of a property, of rows that have one; nil if no row of the group has.
    public static func maximum<Field: YapFigureField>(_ path: KeyPath<Value, Field?> & Sendable) -> Self
    where Result == Field? {
        let (field, form) = (FieldReader(path), Field.columnForm())
        return bound(.greatest, path) { field($0).flatMap(form) ?? .null }
    }

    private static func bound<Field: YapFigureField>(
        _ kind: FigureRule<Value>.Kind, _ path: AnyKeyPath, _ value: @escaping @Sendable (Value) -> SQLValue
    ) -> Self where Result == Field? {
        let word = kind == .least ? "minimum" : "maximum"
        return Self(
            FigureRule(kind: kind, name: figureName(word, FieldPath(path).name), ofValue: value),
            { if case .extreme(let bound) = $0 { bound.value.flatMap(Field.field(stored:)) } else { nil } })
    }
}

/// A type whose least and greatest values can be figures.
public protocol YapFigureField: YapFieldValue {
    /// The value that is stored so: the inverse of ``YapFieldValue/fieldValue``.
    static func field(stored: any Sendable) -> Self?
}

extension YapFigureField where Self: BinaryInteger {
    public static func field(stored: any Sendable) -> Self? { (stored as? Int64).flatMap(Self.init(exactly:)) }
}

extension Int: YapFigureField {}
extension Int32: YapFigureField {}
extension Int64: YapFigureField {}

extension Double: YapFigureField {
    public static func field(stored: any Sendable) -> Double? { stored as? Double }
}

extension Date: YapFigureField {
    public static func field(stored: any Sendable) -> Date? {
        (stored as? Double).map(Date.init(timeIntervalSinceReferenceDate:))
    }
}

extension String: YapFigureField {
    public static func field(stored: any Sendable) -> String? { stored as? String }
}
